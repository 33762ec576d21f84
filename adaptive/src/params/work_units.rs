//! Work units, in which budgets are given.

use crate::params::force_kernel::Precision;
use crate::params::levels::Resolution;

/// Nominal cost of one work unit in single precision, ns: one tetrahedron's elastic and viscous force with its share of the node passes and of the frame, on one core.
///
/// Budgets in milliseconds become work units by this constant, so that they do not depend on the machine. Measured on whole frames of 700 to 8,000 nodes on a core that
/// other work shared: 13 to 14 (elastic forces alone, on an idle one: 5).
pub const NANOSECONDS_PER_TET: f64 = 12.0;

/// The same in double precision, measured as 32 to 38.
const NANOSECONDS_PER_TET_DOUBLE: f64 = 36.0;

/// Cost of an evaluation of a cut over that of a level: groups of one rate are small, and include ghosts. Measured: 17 to 21 ns in single precision.
const CUT_COST: f64 = 1.3;

/// Work units that fit into `milliseconds` on the nominal machine, in the precision that scenes use by default (f32).
pub fn units_of_milliseconds(milliseconds: f64) -> u64 {
    units_in(milliseconds, Precision::F32)
}

/// Work units of a level or of a cut that fit into `milliseconds` on the nominal machine.
pub fn units_for(milliseconds: f64, precision: Precision, resolution: Resolution) -> u64 {
    match resolution {
        Resolution::Level => units_in(milliseconds, precision),
        Resolution::Cut => units_in(milliseconds / CUT_COST, precision),
    }
}

/// Time on the nominal machine of one work unit of a level or of a cut, ms.
pub(crate) fn milliseconds_of_unit(precision: Precision, resolution: Resolution) -> f64 {
    let on_a_level = nanoseconds_of_unit(precision) * 1e-6;
    match resolution {
        Resolution::Level => on_a_level,
        Resolution::Cut => CUT_COST * on_a_level,
    }
}

/// Work units of a level that take as long on the nominal machine as `units` of a cut.
pub(crate) fn units_of_level(units: u64) -> u64 {
    (units as f64 * CUT_COST).round() as u64
}

/// Work units of a level that fit into `milliseconds` on the nominal machine.
pub fn units_in(milliseconds: f64, precision: Precision) -> u64 {
    (milliseconds.max(0.0) * 1e6 / nanoseconds_of_unit(precision)) as u64
}

fn nanoseconds_of_unit(precision: Precision) -> f64 {
    match precision {
        Precision::F32 => NANOSECONDS_PER_TET,
        Precision::F64 => NANOSECONDS_PER_TET_DOUBLE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_become_work_units_by_precision_and_resolution() {
        assert_eq!(units_of_milliseconds(6.0), 500_000);
        assert_eq!(units_in(-1.0, Precision::F64), 0);
        let cut = units_for(7.8, Precision::F32, Resolution::Cut);
        assert!(cut.abs_diff(units_of_milliseconds(6.0)) <= 1);
        assert!(units_of_level(cut).abs_diff(units_of_milliseconds(7.8)) <= 2);
        assert!(units_in(6.0, Precision::F64) < 200_000);
        for precision in [Precision::F32, Precision::F64] {
            for resolution in [Resolution::Level, Resolution::Cut] {
                let units = units_for(8.0, precision, resolution) as f64;
                let back = units * milliseconds_of_unit(precision, resolution);
                assert!((back - 8.0).abs() < 1e-3, "{back} ms");
            }
        }
    }
}
