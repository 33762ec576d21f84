//! The material of a lattice, and the parameters that give a requested material.
//!
//! A step is symplectic Euler on the energy `Φ = α/(2h²) Σ_r min_T Σ_{i∈r} m̃_i |x_i − T x⁰_i|²`. For long waves and full regions this
//! is an elastic solid with `E = α ρ (d/h)² w(w+1)/3` and Poisson's ratio 0. Stiffness therefore depends on cell size, step and half-width,
//! and `α` is computed from them.

use pliant_core::material::Material;

use crate::error::{LatticeError, MAX_STEPS};
use crate::params::LatticeParams;

/// Largest half-width and most steps a frame of an automatic choice.
const MAX_CHOSEN_HALF_WIDTH: usize = 6;
const MAX_CHOSEN_STEPS: f64 = 64.0;

/// Parameters that together give the material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    /// Half-width `w` of the regions, link steps.
    pub half_width: usize,
    /// Steps a frame of [`LatticeParams::frame_duration`].
    pub steps: u32,
    /// Share of the way to the goal a step, 0 < α ≤ 1.
    pub alpha: f64,
    /// Young's modulus that results, Pa. Poisson's ratio is 0.
    pub young: f64,
}

/// Young's modulus (Pa) of a lattice of density `density` (kg/m³), cell edge `cell` (m) and half-width `w` at goal share `alpha` and step `step` (s).
pub fn young_modulus(alpha: f64, density: f64, cell: f64, step: f64, w: usize) -> f64 {
    let w = w as f64;
    alpha * density * (cell / step).powi(2) * w * (w + 1.0) / 3.0
}

/// Chooses half-width, steps and goal share for `material` on cells of edge `cell` (m).
///
/// If all are automatic: the smallest half-width up to 6 that needs no more than 64 steps a frame, the fewest steps with α ≤ 1, and α exact.
/// If `alpha` and `steps` are both given, as in the paper, the modulus follows from them. If only `alpha` is given, the number of steps is rounded, and with it
/// the modulus.
///
/// ```
/// use pliant_core::material::Material;
/// use pliant_lattice::{LatticeParams, calibrate};
///
/// // 20 kPa and 1000 kg/m³ on cells of 1 cm: one step a frame gives 240 Pa, ten give up to 24 kPa
/// let material = Material::isotropic(2e4, 0.0).with_density(1000.0);
/// let found = calibrate(&material, 0.01, &LatticeParams::default())?;
/// assert_eq!((found.half_width, found.steps), (1, 10));
/// assert!((found.alpha - 20.0 / 24.0).abs() < 1e-9 && (found.young - 2e4).abs() < 1e-6);
/// # Ok::<(), pliant_lattice::LatticeError>(())
/// ```
///
/// # Errors
/// [`LatticeError::BadParameter`] outside ranges, [`LatticeError::StiffnessUnreachable`] when no admissible choice reaches the modulus.
pub fn calibrate(
    material: &Material,
    cell: f64,
    params: &LatticeParams,
) -> Result<Calibration, LatticeError> {
    check(material, cell, params)?;
    let (young, density, frame) = (
        material.elastic.young,
        material.density,
        params.frame_duration,
    );
    let widths = match params.half_width {
        Some(w) => w..=w,
        None => 1..=MAX_CHOSEN_HALF_WIDTH,
    };
    // modulus at the largest half-width and goal share with `steps` steps a frame
    let max_half_width = *widths.end();
    let max_alpha = params.alpha.unwrap_or(1.0);
    let max_modulus =
        |steps: f64| young_modulus(max_alpha, density, cell, frame / steps, max_half_width);
    let unreachable = |steps: f64| LatticeError::StiffnessUnreachable {
        young,
        e_max: max_modulus(steps),
        needed_substeps: (young / max_modulus(1.0)).sqrt().ceil() as u64,
    };
    let chosen = |half_width: usize, steps: u32, alpha: f64| Calibration {
        half_width,
        steps,
        alpha,
        young: young_modulus(alpha, density, cell, frame / f64::from(steps), half_width),
    };
    match (params.alpha, params.steps) {
        (Some(alpha), Some(steps)) => Ok(chosen(*widths.start(), steps, alpha)),
        (None, Some(steps)) => {
            for w in widths {
                let at_full_alpha = young_modulus(1.0, density, cell, frame / f64::from(steps), w);
                if young <= at_full_alpha {
                    return Ok(chosen(w, steps, young / at_full_alpha));
                }
            }
            Err(unreachable(f64::from(steps)))
        }
        (alpha, None) => {
            for w in widths {
                let one_step = young_modulus(alpha.unwrap_or(1.0), density, cell, frame, w);
                let exact = (young / one_step).sqrt();
                let steps = match alpha {
                    Some(_) => exact.round().max(1.0),
                    // round-off must not cost a step
                    None => (exact * (1.0 - 1e-12)).ceil().max(1.0),
                };
                if steps <= MAX_CHOSEN_STEPS {
                    let share = alpha.unwrap_or((exact / steps).powi(2).min(1.0));
                    return Ok(chosen(w, steps as u32, share));
                }
            }
            Err(unreachable(MAX_CHOSEN_STEPS))
        }
    }
}

fn check(material: &Material, cell: f64, params: &LatticeParams) -> Result<(), LatticeError> {
    let positive = |name, value: f64| {
        if value.is_finite() && value > 0.0 {
            Ok(())
        } else {
            Err(LatticeError::BadParameter {
                name,
                value,
                range: "a positive number",
            })
        }
    };
    positive("young", material.elastic.young)?;
    positive("density", material.density)?;
    positive("cell", cell)?;
    positive("frame_duration", params.frame_duration)?;
    let between = |name, value: f64, low: f64, high: f64, range| {
        if value >= low && value <= high {
            Ok(())
        } else {
            Err(LatticeError::BadParameter { name, value, range })
        }
    };
    let width = params.half_width.unwrap_or(1) as f64;
    between("half_width", width, 1.0, 16.0, "1 to 16")?;
    let steps = f64::from(params.steps.unwrap_or(1));
    between("steps", steps, 1.0, f64::from(MAX_STEPS), "1 to 4096")?;
    let every = f64::from(params.damp_every);
    between("damp_every", every, 1.0, 64.0, "1 to 64")?;
    let alpha = params.alpha.unwrap_or(1.0);
    between("alpha", alpha, 1e-9, 1.0, "above 0 and at most 1")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(young: f64) -> Material {
        let mut m = Material::default();
        m.elastic.young = young;
        m
    }

    #[test]
    fn the_calibrated_modulus_is_the_requested_one() {
        for young in [1e3, 2e4, 3e5, 2e6] {
            let c = calibrate(&material(young), 0.01, &LatticeParams::default()).expect("reached");
            assert!((c.young / young - 1.0).abs() < 1e-12, "{c:?}");
            assert!(c.alpha <= 1.0 && c.steps <= 64, "{c:?}");
            // soft bodies keep small regions, and one step fewer would be too soft
            if c.half_width == 1 && c.steps > 1 {
                let h = LatticeParams::default().frame_duration / f64::from(c.steps - 1);
                assert!(young_modulus(1.0, 1000.0, 0.01, h, 1) < young);
            }
        }
        let soft = calibrate(&material(2e4), 0.01, &LatticeParams::default()).expect("reached");
        assert_eq!((soft.half_width, soft.steps), (1, 10));
        let stiff = calibrate(&material(2e6), 0.01, &LatticeParams::default()).expect("reached");
        assert!(stiff.half_width > 1);
    }

    #[test]
    fn unreachable_stiffness_names_a_remedy() {
        let params = LatticeParams::default();
        let Err(LatticeError::StiffnessUnreachable {
            e_max,
            needed_substeps,
            ..
        }) = calibrate(&material(1e9), 0.01, &params)
        else {
            panic!("must not be reachable");
        };
        assert!((calibrate(&material(e_max * 0.999_999), 0.01, &params)).is_ok());
        let enough = LatticeParams {
            half_width: Some(6),
            steps: Some(needed_substeps as u32),
            ..params.clone()
        };
        assert!(calibrate(&material(1e9), 0.01, &enough).is_ok());
        // no number of steps that can be asked for is enough
        let error = calibrate(&material(1e15), 0.01, &params).expect_err("out of reach");
        assert!(!error.to_string().contains("steps a frame"), "{error}");
        // with a goal share, the largest modulus is that of the goal share
        let quarter = LatticeParams {
            alpha: Some(0.25),
            ..params.clone()
        };
        let refused = calibrate(&material(1e9), 0.01, &quarter);
        let Err(LatticeError::StiffnessUnreachable { e_max: less, .. }) = refused else {
            panic!("must not be reachable");
        };
        assert!((less / e_max - 0.25).abs() < 1e-12);
        let bad = LatticeParams {
            alpha: Some(1.5),
            ..params
        };
        assert_eq!(
            calibrate(&material(1e4), 0.01, &bad).map_err(|e| e.code()),
            Err("BadParameter".into())
        );
    }

    #[test]
    fn the_papers_way_reports_the_modulus() {
        let params = LatticeParams {
            alpha: Some(1.0),
            steps: Some(10),
            half_width: Some(2),
            ..LatticeParams::default()
        };
        let c = calibrate(&Material::default(), 0.05, &params).expect("given");
        let expected = 1000.0 * (0.05_f64 * 600.0).powi(2) * 2.0;
        assert!((c.young / expected - 1.0).abs() < 1e-12);
    }
}
