//! The mass of a cut equals that of the body.

use std::sync::Arc;

use pliant_adaptive::cut::{CutForces, Interface, NodeState};
use pliant_adaptive::step::mass_scaling::scale_masses;
use pliant_adaptive::step::multirate::CutDynamics;
use pliant_adaptive::{AdaptiveParams, DampingRule, LodHierarchy};
use pliant_core::material::Damping;
use pliant_core::math::Vec3;
use pliant_core::scene::Selection;

use crate::bodies::{FRAME, GRAVITY, SIDES, With, baked, bent, block, cube_material, max_norm};
use crate::cut::cuts::{Dice, LEVELS, constants, green, split_where, step_frame, three_levels};

#[test]
fn masses_of_any_cut_sum_to_the_body_mass_and_forces_remain_energy_gradients() {
    let asset = three_levels(None);
    let params = AdaptiveParams::default().with(|p| p.recover = false);
    let mut b = green(&asset, Damping::Ratio(0.0), &params);
    let forest = b.cut().forest().clone();
    let body = 1000.0 * SIDES.product();
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
        // the masses of the levels without correction
        farthest = farthest.max((sum(forest.masses()) / body - 1.0).abs());
    }
    assert!(farthest > 0.02, "the cuts are not hard enough: {farthest}");
    assert!(b.cut().share_correction() != 1.0);
    // at the last of these cuts, bent
    let elements = constants(0.0).with(|p| p.lame = cube_material(0.0).lame());
    let of = CutForces {
        cut: b.cut(),
        operators: b.operators(),
        constants: &elements,
        interface: Interface::Conservative,
    };
    let mut x: Vec<Vec3> = forest.rest().iter().map(bent).collect();
    b.operators().forward(&mut x);
    let still = vec![Vec3::zeros(); x.len()];
    let mut f = still.clone();
    of.evaluate(&x, &still, &mut f);
    let scale = max_norm(&f);
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

/// A supported block whose finest level has slivers around one node.
fn with_slivers() -> Arc<LodHierarchy> {
    let mut geometry = block(
        SIDES,
        &LEVELS,
        cube_material(0.2),
        Some(Selection::Lowest(0.01)),
    );
    let mut mesh = geometry.levels[2].as_ref().clone();
    let near = |x: &Vec3| (x - Vec3::new(0.25, 0.13, 0.2)).norm();
    let node = (0..mesh.nodes.len())
        .min_by(|&a, &b| near(&mesh.nodes[a]).total_cmp(&near(&mesh.nodes[b])))
        .expect("nodes");
    mesh.nodes[node].x += 0.85 * SIDES.x / 8.0;
    geometry.levels[2] = Arc::new(mesh);
    baked(&geometry)
}

fn on_a_cut(asset: &Arc<LodHierarchy>, mass_scaling: f64, damping: Damping) -> CutDynamics {
    let params = AdaptiveParams {
        mass_scaling,
        damping_rule: DampingRule::Rayleigh,
        ..AdaptiveParams::default()
    };
    green(asset, damping, &params)
}

/// Refines everything beyond `x`, m, to the finest level.
fn refine_beyond(b: &mut CutDynamics, x: f64) {
    b.change_cut(|cut| {
        for level in 0..2 {
            split_where(cut, level, |at| at.x > x);
        }
    });
}

/// Evaluations of a frame at rest.
fn evaluations(b: &mut CutDynamics) -> u64 {
    step_frame(b, Vec3::zeros()).evaluations
}

#[test]
fn mass_scaling_of_a_cut_equals_that_of_a_level_and_does_not_change_the_weight() {
    const MAX_SCALING: f64 = 0.04;
    let asset = with_slivers();
    let body = 1000.0 * SIDES.product();
    let [mut plain, mut b] =
        [0.0, MAX_SCALING].map(|scaling| on_a_cut(&asset, scaling, asset.material.damping));
    for cut in [&mut plain, &mut b] {
        refine_beyond(cut, 0.0);
    }
    let true_sum = |b: &CutDynamics| -> f64 {
        let active = b.operators().active().iter();
        active.map(|&n| b.true_mass(n)).sum()
    };
    let inertia = |b: &CutDynamics| -> f64 {
        let active = b.operators().active().iter();
        active.map(|&n| b.masses()[n as usize]).sum()
    };
    assert!((true_sum(&b) / body - 1.0).abs() < 1e-12);
    let added = inertia(&b) / body - 1.0;
    assert!(added > 1e-3 && added < MAX_SCALING, "{added}");
    assert!((inertia(&plain) / body - 1.0).abs() < 1e-12);
    // without damping, which is stronger where steps allow it, slivers no longer limit the steps
    let [unscaled, scaled] = [0.0, MAX_SCALING].map(|scaling| {
        let mut cut = on_a_cut(&asset, scaling, Damping::Ratio(0.0));
        refine_beyond(&mut cut, 0.0);
        evaluations(&mut cut)
    });
    assert!(
        5 * scaled < 4 * unscaled,
        "{scaled} of {unscaled} evaluations"
    );
    // the support carries the true weight, without the added mass
    let mut carried = 0.0;
    for _ in 0..240 {
        carried = -step_frame(&mut b, GRAVITY).support_impulses[0].y / FRAME;
    }
    let weight = 9.81 * body;
    assert!(
        (carried / weight - 1.0).abs() < 1e-3,
        "{carried} of {weight} N"
    );
    // a cut of one level has exactly the masses of that level
    refine_beyond(&mut b, f64::NEG_INFINITY);
    let alone = scale_masses(&asset.levels[2], MAX_SCALING).masses;
    let first = b.cut().forest().nodes_of_level(2).start as usize;
    assert_eq!(b.masses()[first..], alone);
}
