//! Random cuts of bodies that move on cuts through their levels until a blade reaches them.

use pliant_adaptive::{AdaptiveParams, LevelChoice, Resolution};
use pliant_core::math::Vec3;
use pliant_core::mesh::validate::topology;
use pliant_core::model::DeformableModel;
use pliant_core::scene::Selection;

use super::{Random, SIZE};
use crate::bodies::{baked_block, bent, frame, mass, model, momenta, shown, weight};
use crate::cut::cuts::set_by_rest;

/// Asserts that what is shown is finite, and closed where a body is cut.
pub fn assert_finite_and_closed(body: &impl DeformableModel, what: &str) {
    let shown = shown(body);
    let finite = |x: &[f32; 3]| x.iter().all(|c| c.is_finite());
    let mut skin = shown.positions.iter().chain(&shown.normals);
    assert!(skin.all(finite), "{what}");
    if let Some(cut) = &shown.cut {
        let mut all = cut.frame.positions.iter().chain(&cut.frame.normals);
        assert!(all.all(finite), "{what}");
        let found = topology(&cut.closed());
        assert!(found.is_sound(), "{what}: {found:?}");
    }
}

/// Random numbers for run `k`.
pub fn random_of_run(k: u64) -> Random {
    Random(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(2 * k + 1))
}

#[test]
fn random_cuts_of_bodies_that_go_over_to_one_level_keep_mass_and_a_closed_surface() {
    let mut total = 0;
    for k in 0..6 {
        let support = (k % 2 == 1).then_some(Selection::Lowest(0.01));
        let asset = baked_block(SIZE, &[[3, 2, 2], [6, 4, 4]], 0.1, support);
        let params = AdaptiveParams {
            resolution: Resolution::Cut,
            level: LevelChoice::Index(usize::from(k > 1)),
            budget_units: 1 << 30,
            blades: true,
            ..AdaptiveParams::default()
        };
        let mut body = model(&asset, params);
        set_by_rest(body.cut_mut().expect("a cut"), |x| {
            let v = Vec3::new(0.4 * x.y, 0.7 * x.z - 0.2 * x.x, 0.5 * x.x);
            (x + (bent(x) - x) * 0.05, v)
        });
        let whole = mass(&body);
        let mut random = random_of_run(k);
        for n in 0..6 {
            let blade = random.sweep(0.3);
            body.set_blades(&[blade]).expect("it can be cut");
            frame(&mut body, &weight());
            let what = format!("cut {n} of run {k}");
            let now = mass(&body);
            assert!((now / whole - 1.0).abs() < 1e-9, "{what}: {now} {whole}");
            let (momentum, spin) = momenta(&body);
            assert!((momentum + spin).norm().is_finite(), "{what}");
            assert_finite_and_closed(&body, &what);
        }
        assert!(body.cut().is_none(), "{k}");
        total += body.cut_edges().len();
    }
    assert!(total > 100, "{total}");
}
