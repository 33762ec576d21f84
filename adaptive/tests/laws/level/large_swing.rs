//! The energy account of a soft bar that swings down by its own length, and crushes elements at its root.

use pliant_adaptive::{AdaptiveParams, LevelChoice, Resolution};
use pliant_core::material::{Material, MaterialLaw};
use pliant_core::math::Vec3;

use crate::bodies::{baked, block, counter, frame, left_of, model, rayleigh, shown, weight};

#[test]
fn a_large_swing_keeps_its_energy_though_elements_are_crushed() {
    let size = Vec3::new(0.6, 0.1, 0.1);
    let wall = left_of(-0.299);
    let (green, logarithm) = (MaterialLaw::Green, MaterialLaw::NeoHookean);
    for (law, zeta, resolution) in [
        (green, 0.0, Resolution::Level),
        (green, 0.0, Resolution::Cut),
        (green, 0.05, Resolution::Level),
        (green, 0.05, Resolution::Cut),
        (logarithm, 0.0, Resolution::Level),
        (logarithm, 0.05, Resolution::Cut),
    ] {
        let material = Material::isotropic(1e5, 0.3)
            .with_density(1000.0)
            .with_damping_ratio(zeta)
            .with_law(law);
        let levels = [[6, 1, 1], [12, 2, 2]];
        let params = AdaptiveParams {
            resolution,
            level: LevelChoice::Index(1),
            ..rayleigh()
        };
        let asset = baked(&block(size, &levels, material, Some(wall.clone())));
        let mut bar = model(&asset, params);
        let gravity = weight();
        let (mut worst, mut lowest, mut crushed) = (0.0_f64, 0.0_f32, 0.0_f64);
        for k in 0..90 {
            let energy = frame(&mut bar, &gravity).energy.expect("an account");
            // at the beginning the energy scale is too small
            if k > 6 {
                worst = worst.max(energy.balance().abs() / energy.scale());
            }
            let heights = shown(&bar).positions.into_iter().map(|x| x[1]);
            lowest = heights.fold(lowest, f32::min);
            crushed = crushed.max(counter(&bar, "near_inverted"));
        }
        assert!(lowest < -0.55, "{law:?}: no large swing, {lowest} m");
        // the logarithmic energy grows under compression, so that fewer elements are crushed
        assert!(crushed > 3.0 || law == logarithm, "{law:?}: {crushed}");
        assert!(
            worst < 0.01,
            "{law:?}, {resolution:?}, zeta {zeta}: {worst}"
        );
    }
}
