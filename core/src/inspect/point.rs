//! Named points inside a body, with displacement and stress.

use crate::math::Vec3;

/// A named point inside a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointReading<'a> {
    /// Its name, unique within the model.
    pub name: &'a str,
    /// Its position at rest, m.
    pub rest: Vec3,
    /// Its displacement and stress.
    pub state: PointState,
}

/// Displacement and stress at a point inside a body.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PointState {
    /// Displacement, m.
    pub displacement: Vec3,
    /// Stress (xx, yy, zz, yz, xz, xy), Pa; tension is positive.
    pub stress: [f64; 6],
}

impl PointState {
    /// Names of its numbers in tables: displacement, stress, and von Mises stress.
    pub const COLUMNS: [&str; 10] = [
        "x_m",
        "y_m",
        "z_m",
        "xx_pa",
        "yy_pa",
        "zz_pa",
        "yz_pa",
        "xz_pa",
        "xy_pa",
        "von_mises_pa",
    ];

    /// The von Mises stress, Pa.
    pub fn von_mises(&self) -> f64 {
        let [xx, yy, zz, yz, xz, xy] = self.stress;
        let normal = (xx - yy).powi(2) + (yy - zz).powi(2) + (zz - xx).powi(2);
        (0.5 * normal + 3.0 * (yz * yz + xz * xz + xy * xy)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniaxial_tension_is_its_own_von_mises_stress_and_pressure_has_none() {
        let von_mises = |stress| {
            PointState {
                stress,
                ..PointState::default()
            }
            .von_mises()
        };
        assert!((von_mises([3.0, 0.0, 0.0, 0.0, 0.0, 0.0]) - 3.0).abs() < 1e-15);
        assert!(von_mises([2.0, 2.0, 2.0, 0.0, 0.0, 0.0]) == 0.0);
        let shear = von_mises([0.0, 0.0, 0.0, 0.0, 0.0, 2.0]);
        assert!((shear - 2.0 * 3.0_f64.sqrt()).abs() < 1e-14);
    }
}
