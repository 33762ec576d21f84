//! What a cut weighs: the body, wherever its levels meet.

use pliant_adaptive::cut::{CutForces, Interface, NodeState};
use pliant_adaptive::force::ElementConstants;
use pliant_adaptive::multirate::CutDynamics;
use pliant_adaptive::{AdaptiveParams, ElementModel};
use pliant_core::material::{Damping, DampingParameters, MaterialLaw};
use pliant_core::math::Vec3;

use crate::bodies::{baked, bent, block, cube_material};
use crate::cut::Dice;

#[test]
fn the_masses_of_any_cut_are_the_body_and_forces_stay_the_slope_of_the_energy() {
    let size = Vec3::new(1.0, 0.8, 1.2);
    let asset = baked(&block(
        size,
        &[[2, 2, 2], [4, 3, 5], [8, 6, 9]],
        cube_material(0.0),
        None,
    ));
    let mut b = CutDynamics::new(
        asset.clone(),
        ElementModel::Green,
        Damping::Ratio(0.0),
        &AdaptiveParams {
            recover: false,
            ..AdaptiveParams::default()
        },
    );
    let forest = b.cut().forest().clone();
    let body = 1000.0 * size.x * size.y * size.z;
    let (mut dice, mut farthest) = (Dice(5), 0.0_f64);
    for _ in 0..40 {
        b.change_cut(|cut| {
            for _ in 0..4 {
                let n = dice.below(forest.node_count()) as u32;
                match cut.state(n) {
                    NodeState::Active => drop(cut.split(n)),
                    _ => drop(cut.merge(n)),
                }
            }
        });
        let active = b.operators().active();
        let sum = |m: &[f64]| active.iter().map(|&n| m[n as usize]).sum::<f64>();
        assert!((sum(b.masses()) / body - 1.0).abs() < 1e-12);
        assert!(active.iter().all(|&n| b.masses()[n as usize] > 0.0));
        // what the levels' own masses would be
        farthest = farthest.max((sum(forest.masses()) / body - 1.0).abs());
    }
    assert!(farthest > 0.02, "the cuts are not hard enough: {farthest}");
    assert!(b.cut().fill() != 1.0);
    // at the last of these cuts, bent
    let constants = ElementConstants {
        lame: cube_material(0.0).lame(),
        damping: DampingParameters::default(),
        law: MaterialLaw::Green,
        recover: false,
    };
    let of = CutForces {
        cut: b.cut(),
        operators: b.operators(),
        constants: &constants,
        interface: Interface::Conservative,
    };
    let mut x: Vec<Vec3> = forest.rest().iter().map(bent).collect();
    b.operators().forward(&mut x);
    let still = vec![Vec3::zeros(); x.len()];
    let mut f = still.clone();
    of.evaluate(&x, &still, &mut f);
    let scale = f.iter().map(|f| f.norm()).fold(0.0, f64::max);
    for &n in b.operators().active().iter().step_by(7) {
        for k in 0..3 {
            let energy = |step: f64| {
                let mut moved = x.clone();
                moved[n as usize][k] += step;
                b.operators().forward(&mut moved);
                of.energy(&moved)
            };
            let slope = (energy(1e-5) - energy(-1e-5)) / 2e-5;
            let off = (f[n as usize][k] + slope).abs();
            assert!(off < 1e-6 * scale, "node {n}: {off} of {scale}");
        }
    }
}
