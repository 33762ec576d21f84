//! Steps in two passes agree with steps that compute each part separately.

use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint, NodalLoad};
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;

use crate::testing::bodies::{ball, body_of, grid_of, model_of, run, undamped};
use crate::{LatticeModel, Precision};

/// Gravity that turns, a tool on some skin vertices from the fourth frame on, and a load on one.
fn conditions(model: &LatticeModel, frame: u32) -> BoundaryConditions {
    let t = f64::from(frame) * 0.3;
    let mut boundary =
        BoundaryConditions::with_gravity(Vec3::new(2.0 * t.sin(), -9.81, 2.0 * t.cos()));
    let skin = &model.asset.skin;
    let highest = |v: &u32| skin.positions[*v as usize].y;
    let mut order: Vec<u32> = (0..skin.vertex_count() as u32).collect();
    order.sort_by(|a, b| highest(b).total_cmp(&highest(a)).then(a.cmp(b)));
    if frame >= 4 {
        let constraints = order[..12].iter().map(|&vertex| {
            DisplacementConstraint::held(
                vertex,
                skin.positions[vertex as usize] - Vec3::y() * 1e-3 * f64::from(frame - 3),
            )
            .moving(-Vec3::y() * 0.06)
        });
        boundary.set_displacements(constraints).expect("valid");
    }
    boundary.set_loads([NodalLoad {
        vertex: order[order.len() / 2],
        force: Vec3::new(0.3, 0.1, -0.2),
    }]);
    boundary
}

#[test]
fn two_passes_give_the_steps_of_separate_parts() {
    for (name, grid, held) in [
        ("held block", grid_of([9, 14, 8], |_| true), 0.001),
        ("free ball", ball(5.5, 0.0), -1.0),
    ] {
        let geometry = body_of(grid, held);
        // no damping, once a step, twice a step, and more than that gives
        for damping in [0.0, 0.02, 0.15, 3.0] {
            for energy_accounting in [true, false] {
                let params = undamped(1, 0.7, 6)
                    .in_precision(Precision::Single)
                    .damped(damping)
                    .with(|p| p.energy_accounting = Some(energy_accounting));
                let plain = params.clone().with(|p| p.plain_steps = true);
                let (mut one, mut other) =
                    (model_of(&geometry, &params), model_of(&geometry, &plain));
                let plan = one.frame_plan(1.0 / 60.0);
                assert!(one.uses_two_passes(&plan) && !other.uses_two_passes(&plan));
                let what = format!(
                    "{name} damped by {damping} in {} stages",
                    plan.damping.stages
                );
                for frame in 0..10 {
                    let boundary = conditions(&one, frame);
                    let reports = [&mut one, &mut other]
                        .map(|model| run(model, 1, &boundary).expect("stable"));
                    let cell = one.asset.cell;
                    let off = one.x.iter().zip(&other.x).map(|(a, b)| (a - b).amax());
                    let off = off.fold(0.0, f64::max) / cell;
                    assert!(off < 2e-5, "{what}, frame {frame}: {off:e} cells");
                    let forces = |model: &LatticeModel| {
                        let all = model.reactions().iter().chain(model.support_reactions());
                        all.copied().collect::<Vec<Vec3>>()
                    };
                    let (a, b) = (forces(&one), forces(&other));
                    let size = a.iter().map(|f| f.norm()).fold(1e-3, f64::max);
                    for (a, b) in a.iter().zip(&b) {
                        assert!((a - b).norm() < 2e-3 * size, "{what}: {a} {b}");
                    }
                    assert_eq!(reports[0].energy.is_some(), energy_accounting);
                    let [Some(a), Some(b)] = reports.map(|report| report.energy) else {
                        continue;
                    };
                    let scale = a.scale().max(b.scale());
                    for (a, b) in [
                        (a.dissipated, b.dissipated),
                        (a.work, b.work),
                        (a.kinetic, b.kinetic),
                    ] {
                        assert!((a - b).abs() < 1e-3 * scale, "{what}: {a} {b} of {scale}");
                    }
                }
            }
        }
    }
}
