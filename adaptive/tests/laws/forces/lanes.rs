//! Forces in single precision: they agree with the reference, have the same bits for any width and number of threads, and stay accurate over long motions.

use std::sync::Arc;

use pliant_adaptive::force::ElementConstants;
use pliant_adaptive::force::lanes::{LaneForces, SimdLevel};
use pliant_adaptive::{AdaptiveParams, ElementModel, LodHierarchy, Precision};
use pliant_core::material::{DampingParameters, MaterialLaw};
use pliant_core::math::Vec3;

use crate::bodies::{
    SIDES, With, baked_block, bent, cube_material, frame, left_of, max_norm, model, on_threads,
    weight,
};

fn block_asset(cells: [usize; 3]) -> Arc<LodHierarchy> {
    baked_block(SIDES, &[cells], 0.0, None)
}

fn constants(law: MaterialLaw, damped: bool) -> ElementConstants {
    let viscous = DampingParameters {
        phi: 300.0,
        psi: 200.0,
    };
    ElementConstants {
        lame: cube_material(0.0).lame(),
        damping: if damped {
            viscous
        } else {
            DampingParameters::default()
        },
        law,
        recover: true,
    }
}

fn max_difference(a: &[Vec3], b: &[Vec3]) -> f64 {
    let apart = a.iter().zip(b).map(|(a, b)| (a - b).norm());
    apart.fold(0.0, f64::max)
}

#[test]
fn lane_forces_agree_with_the_reference_anywhere_in_space() {
    let asset = block_asset([5, 4, 3]);
    let level = &asset.levels[0];
    for model in [
        ElementModel::Green,
        ElementModel::Cauchy,
        ElementModel::Simplified,
        ElementModel::StableNeoHookean,
        ElementModel::Law(MaterialLaw::NeoHookean),
    ] {
        let law = model.law().expect("no springs");
        for damped in [false, true] {
            // 0.3 is strong compression, 0.1 is deep in the recovery of nearly inverted tetrahedra, −0.3 is inverted
            for (squeeze, shift) in [
                (1.0, 0.0),
                (0.3, 0.0),
                (1.0, 400.0),
                (0.1, 0.0),
                (-0.3, 0.0),
            ] {
                let x: Vec<Vec3> = level
                    .mesh
                    .nodes
                    .iter()
                    .map(|x| {
                        let y = bent(x);
                        Vec3::new(y.x + shift, y.y * squeeze, y.z - shift)
                    })
                    .collect();
                let v: Vec<Vec3> = x
                    .iter()
                    .map(|x| (x - Vec3::new(shift, 0.0, -shift)).yzx() * 3.0 + Vec3::y() * shift)
                    .collect();
                let c = constants(law, damped);
                let mut exact = vec![Vec3::zeros(); x.len()];
                let mut field = pliant_adaptive::force::reference::ReferenceForces::new(level, c);
                let expected = field.evaluate(&x, &v, &mut exact);
                for simd in [SimdLevel::Auto, SimdLevel::Portable] {
                    let mut found = vec![Vec3::zeros(); x.len()];
                    let mut lanes = LaneForces::new(level, c, simd);
                    let got = lanes.evaluate(&x, &v, &mut found);
                    let error = max_difference(&exact, &found) / max_norm(&exact);
                    assert!(
                        error < 5e-6,
                        "{model:?} {damped} {squeeze} {shift}: {error:.1e}"
                    );
                    assert_eq!(got.blended, expected.blended);
                    let power = (got.viscous_power - expected.viscous_power).abs();
                    assert!(
                        power <= 1e-5 * expected.viscous_power,
                        "{model:?} {squeeze}"
                    );
                }
            }
        }
    }
}

#[test]
fn small_strains_keep_their_relative_accuracy() {
    // strains of 1e-6 would be lost in the rounding of positions in single precision
    let asset = block_asset([3, 3, 3]);
    let level = &asset.levels[0];
    let x: Vec<Vec3> = level
        .mesh
        .nodes
        .iter()
        .map(|x| x + (bent(x) - x) * 1e-5)
        .collect();
    let v = vec![Vec3::zeros(); x.len()];
    for law in [
        MaterialLaw::Green,
        MaterialLaw::StableNeoHookean,
        MaterialLaw::NeoHookean,
    ] {
        let c = constants(law, false);
        let (mut exact, mut found) = (v.clone(), v.clone());
        pliant_adaptive::force::reference::ReferenceForces::new(level, c)
            .evaluate(&x, &v, &mut exact);
        LaneForces::new(level, c, SimdLevel::Auto).evaluate(&x, &v, &mut found);
        let error = max_difference(&exact, &found) / max_norm(&exact);
        assert!(error < 1e-5, "{law:?} {error:.1e}");
    }
}

#[test]
fn forces_have_the_same_bits_for_any_width_with_fused_products_and_any_number_of_threads() {
    // several chunks, and enough tetrahedra for several threads
    let asset = block_asset([15, 14, 13]);
    let level = &asset.levels[0];
    let x: Vec<Vec3> = level.mesh.nodes.iter().map(bent).collect();
    let v: Vec<Vec3> = x.iter().map(|x| x.yzx()).collect();
    let c = constants(MaterialLaw::Green, true);
    let with = |simd: SimdLevel, threads: usize| {
        on_threads(threads, || {
            let mut lanes = LaneForces::new(level, c, simd);
            let mut forces = vec![Vec3::zeros(); x.len()];
            let found = lanes.evaluate(&x, &v, &mut forces);
            (found, forces)
        })
    };
    let one = with(SimdLevel::Auto, 1);
    for threads in [2, 8] {
        assert_eq!(with(SimdLevel::Auto, threads), one);
    }
    // a processor without them uses the same instructions for all
    assert_eq!(with(SimdLevel::Avx2, 1), one);
    assert_eq!(with(SimdLevel::Avx512, 1), one);
    let portable = with(SimdLevel::Portable, 1);
    assert!(max_difference(&portable.1, &one.1) < 1e-5 * max_norm(&one.1));
    assert_eq!(with(SimdLevel::Portable, 2), portable);
}

/// A clamped cube under gravity: the corner's path over one second in both precisions.
#[test]
fn a_second_of_motion_is_the_same_within_a_thousandth() {
    let clamp = left_of(-0.499);
    let asset = baked_block(Vec3::repeat(1.0), &[[4, 4, 4]], 0.0, Some(clamp));
    let paths: Vec<Vec<Vec3>> = [Precision::F64, Precision::F32]
        .into_iter()
        .map(|precision| {
            let params = AdaptiveParams::default().with(|p| p.precision = precision);
            let mut body = model(&asset, params);
            let gravity = weight();
            let corner = body.level_positions().len() - 1;
            (0..60)
                .map(|_| {
                    frame(&mut body, &gravity);
                    body.level_positions()[corner]
                })
                .collect()
        })
        .collect();
    let swing = max_difference(&paths[0], &vec![paths[0][0]; 60]);
    let apart = max_difference(&paths[0], &paths[1]);
    assert!(
        swing > 0.01 && apart < 1e-3 * swing,
        "{apart:.1e} of {swing:.1e}"
    );
}
