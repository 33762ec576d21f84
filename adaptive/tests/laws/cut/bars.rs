//! Properties of the whole method: long undamped oscillations on mixed levels, any stiffness, more nodes for more budget, recovery from mistreatment.

use std::sync::Arc;

use pliant_adaptive::cut::Cut;
use pliant_adaptive::{AdaptiveModel, AdaptiveParams, LodHierarchy, Resolution};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::inspect::Inspect;
use pliant_core::material::{LameParameters, Material};
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, FrameRequest};

use crate::bodies::{
    FRAME, GRAVITY, With, baked_block, constrained, counter, frame, left_of, max_displacement,
    model, on_threads,
};
use crate::cut::slab::{
    LEVELS, SIZE, SMALL, inversion_resistant, params, press, press_and_hold, slab, slab_of, soft,
    step,
};
use pliant_adaptive::params::ForceKernel;

use crate::cut::cuts::{Dice, dynamics, set_by_rest, split_where, step_frame};

/// Oscillation of a cube on a wall after gravity is switched on: the mean period (s), and the linear trend of the energy over the run, over the largest kinetic energy.
fn swing(asset: &Arc<LodHierarchy>, periods: usize, cut: impl FnOnce(&mut Cut)) -> (f64, f64) {
    let mut b = dynamics(asset, ForceKernel::Fast);
    b.change_cut(cut);
    let mut samples: Vec<(f64, f64)> = Vec::new();
    let (mut heights, mut largest) = (Vec::new(), 0.0_f64);
    let mut crossings: Vec<f64> = Vec::new();
    while crossings.len() <= periods && samples.len() < 4000 {
        step_frame(&mut b, GRAVITY);
        let time = FRAME * (samples.len() + 1) as f64;
        let kinetic = b.kinetic_energy();
        largest = largest.max(kinetic);
        samples.push((
            time,
            kinetic + b.elastic_energy() + b.potential_energy(&GRAVITY),
        ));
        // a downward crossing of the mean height, half of the lowest
        heights.push(b.potential_energy(&GRAVITY));
        let middle = 0.5 * heights.iter().copied().fold(0.0, f64::min);
        if let [.., before, now] = heights[..]
            && heights.len() > 12
            && before > middle
            && now <= middle
        {
            crossings.push(time - FRAME * (middle - now) / (before - now));
        }
    }
    let period = (crossings[periods] - crossings[0]) / periods as f64;
    let count = samples.len() as f64;
    let mean = |f: fn(&(f64, f64)) -> f64| samples.iter().map(f).sum::<f64>() / count;
    let (t, e) = (mean(|s| s.0), mean(|s| s.1));
    let slope = samples.iter().map(|s| (s.0 - t) * (s.1 - e)).sum::<f64>()
        / samples.iter().map(|s| (s.0 - t).powi(2)).sum::<f64>();
    (period, slope * FRAME * count / largest)
}

#[test]
fn a_half_refined_cube_keeps_energy_and_frequency_for_a_hundred_periods() {
    let (size, wall) = (Vec3::repeat(1.0), Some(left_of(-0.499)));
    let asset = baked_block(size, &[[3; 3], [5; 3]], 0.0, wall);
    let (fine, _) = swing(&asset, 20, |cut| {
        *cut = Cut::at_level(cut.forest().clone(), 1);
    });
    for half in [-1.0, 1.0] {
        let (period, trend) = swing(&asset, 100, |cut| {
            split_where(cut, 0, |x| half * x.x > 0.0);
            let forest = cut.forest().clone();
            let whole = Cut::at_level(forest.clone(), 1).active_count();
            assert!(cut.active_count() > forest.level(0).0.node_count());
            assert!(cut.active_count() < whole);
        });
        assert!(trend < 0.01, "energy rises by {trend:.3e}");
        // 0.8 % where the wall is fine, −0.8 % where it is coarse
        assert!((period / fine - 1.0).abs() < 0.01, "{period} of {fine}");
    }
}

#[test]
fn bodies_of_any_stiffness_stay_within_the_budget_and_finite() {
    for lame in [10.0, 1e3, 1e5, 1e6] {
        let material = Material {
            elastic: LameParameters {
                lambda: lame,
                mu: lame,
            }
            .into(),
            ..soft(0.2)
        };
        let asset = slab_of(&SMALL, material);
        let budget_units = AdaptiveParams::default().budget_units;
        let mut b = model(
            &asset,
            params(Resolution::Cut).with(|p| p.budget_units = budget_units),
        );
        let (mut most, mut worst, mut scale) = (0, 0.0_f64, 0.0_f64);
        for k in 1..=90 {
            let boundary = press_and_hold(&b, k);
            let report = frame(&mut b, &boundary);
            most = most.max(report.work_used);
            let energy = report.energy.expect("an account");
            worst = worst.max(energy.balance().abs());
            scale = scale.max(energy.scale());
        }
        let force = -b.reactions().iter().map(|f| f.y).sum::<f64>();
        assert!(
            worst < 5e-3 * scale,
            "{lame} Pa: {worst:.3e} of {scale:.3e} J"
        );
        assert!(
            most <= budget_units && force > 0.0,
            "{lame} Pa: {most} {force}"
        );
    }
}

#[test]
fn a_larger_budget_gives_more_nodes_and_less_error() {
    let asset = slab(&LEVELS);
    let hold = |b: &mut AdaptiveModel, budget: u64| {
        for k in 1..=90 {
            let boundary = press_and_hold(b, k);
            step(b, &boundary, budget);
        }
        let force = -b.reactions().iter().map(|f| f.y).sum::<f64>();
        (force, b.stats().active_nodes)
    };
    let (right, _) = hold(&mut model(&asset, params(Resolution::Level)), u64::MAX);
    let (mut last, mut first) = ((0, f64::INFINITY), 0.0_f64);
    for budget in [96_000, 192_000, 384_000, 768_000] {
        let (force, nodes) = hold(&mut model(&asset, params(Resolution::Cut)), budget);
        let error = (force / right - 1.0).abs();
        assert!(nodes > last.0, "{nodes} nodes after {}", last.0);
        assert!(error < last.1, "{error} after {}", last.1);
        first = first.max(error);
        last = (nodes, error);
    }
    assert!(last.1 < 0.02 && last.1 < 0.1 * first, "{} {first}", last.1);
}

/// Repeatedly drags some skin vertices three body lengths away in one frame.
fn drag_far_away(b: &mut AdaptiveModel, dice: &mut Dice) {
    let count = b.surface().vertex_count() as u32;
    for _ in 0..6 {
        let far = dice.vector() * 0.4;
        let far = far * (1.2 / far.norm().max(1e-9));
        let first = dice.below(count as usize) as u32;
        let mut vertices: Vec<u32> = (0..4).map(|k| (first + 7 * k) % count).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let skin = b.surface().clone();
        let held = vertices.iter().map(|&vertex| {
            DisplacementConstraint::held(vertex, skin.positions[vertex as usize] + far)
                .moving(far / FRAME)
        });
        let boundary = constrained(held);
        for _ in 0..2 {
            // constraints that are too fast are reported, and the last good state is kept
            let told = b.advance(FrameRequest::new(FRAME, &boundary));
            if let Err(error) = told {
                assert_eq!(error.code(), "Diverged");
            }
        }
    }
}

/// Puts each node where `at` says, at rest.
fn place(b: &mut AdaptiveModel, at: impl Fn(&Vec3) -> Vec3) {
    set_by_rest(b.cut_mut().expect("a cut"), |x| (at(x), Vec3::zeros()));
}

#[test]
fn a_mistreated_cut_recovers() {
    let asset = slab_of(&SMALL, inversion_resistant(2e4, 0.3));
    type Abuse = fn(&mut AdaptiveModel, &mut Dice);
    let abuses: [(&str, Abuse); 4] = [
        ("grabbed", drag_far_away),
        // a part is far away, connected only by torn elements
        ("grabbed again", |b, _| drag_far_away(b, &mut Dice(12))),
        ("flattened", |b, _| place(b, |x| Vec3::new(x.x, -0.1, x.z))),
        ("mirrored", |b, _| place(b, |x| Vec3::new(-x.x, x.y, x.z))),
    ];
    let mut dice = Dice(11);
    for (name, abuse) in abuses {
        let mut b = model(&asset, params(Resolution::Cut));
        abuse(&mut b, &mut dice);
        for _ in 0..300 {
            frame(&mut b, &BoundaryConditions::default());
        }
        let off = max_displacement(&b) / SIZE.norm();
        assert!(off < 0.01, "{name}: {off}");
    }
}

/// Frames of the run below; ten thousand take a minute.
fn frames() -> u32 {
    let asked = std::env::var("PLIANT_LONG_FRAMES").ok();
    asked.and_then(|f| f.parse().ok()).unwrap_or(360)
}

#[test]
fn a_changing_cut_has_the_same_bits_for_any_number_of_threads() {
    let asset = slab(&SMALL);
    let budget = AdaptiveParams {
        budget_units: 40_000,
        precision: pliant_adaptive::Precision::F32,
        ..params(Resolution::Cut)
    };
    let run = |threads: usize| {
        on_threads(threads, || {
            let mut b = model(&asset, budget);
            let mut sum = 0_u64;
            for k in 0..frames() {
                // pressed and released in two thirds of a second, then at rest until all is coarse again
                let phase = f64::from(k % 120) / 40.0;
                let depth = 0.012 * (std::f64::consts::PI * phase.min(1.0)).sin();
                let boundary = match phase < 1.0 {
                    true => press(&b, depth, 0.0),
                    false => BoundaryConditions::default(),
                };
                frame(&mut b, &boundary);
                for v in b.cut().expect("a cut").positions() {
                    for c in [v.x, v.y, v.z] {
                        sum = sum.rotate_left(5) ^ c.to_bits().wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    }
                }
            }
            (sum, counter(&b, "cut_changes") as u64)
        })
    };
    let one = run(1);
    eprintln!("{:016x} after {} changes", one.0, one.1);
    assert!(one.1 > 4, "{} changes", one.1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(8));
}
