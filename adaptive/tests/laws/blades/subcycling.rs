//! Stiff elements of a body that blades may cut have shorter steps than the others.

use std::sync::Arc;

use pliant_adaptive::params::StepRule;
use pliant_adaptive::{AdaptiveModel, AdaptiveParams, LevelChoice, LodHierarchy};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::model::{DeformableModel, SteppedModel};
use pliant_core::scene::Selection;

use super::cuttable;
use crate::bodies::{With, baked, body_of, counter, cube_material, frame, frames, model};

/// A block in which one node is pushed close to a face of its neighbours: a few slivers.
fn with_slivers(damping: f64, support: Option<Selection>) -> Arc<LodHierarchy> {
    let mut mesh = box_tets(Vec3::new(0.4, 0.2, 0.2), [8, 4, 4], CellStyle::Kuhn);
    let centre = mesh.nodes.iter().position(|x| x.norm() < 1e-9);
    mesh.nodes[centre.expect("a node at the centre")] += Vec3::new(0.011, 0.03, 0.011);
    baked(&body_of([mesh], cube_material(damping), support))
}

/// A body on the only level that blades may not cut.
fn uncuttable(asset: &Arc<LodHierarchy>) -> AdaptiveModel {
    let params = AdaptiveParams::default().with(|p| p.level = LevelChoice::Index(0));
    model(asset, params)
}

fn substeps(body: &AdaptiveModel) -> f64 {
    counter(body, "substeps")
}

#[test]
fn slivers_do_not_limit_the_step_of_all_and_energy_and_momentum_are_conserved() {
    let asset = with_slivers(0.0, None);
    // subcycling is for bodies that blades may cut, and for free bodies
    for mut body in [cuttable(&asset), uncuttable(&asset)] {
        let bend = |x: &Vec3| x + Vec3::new(0.0, 0.3 * x.x * x.x, 0.0);
        let positions: Vec<Vec3> = body.level_nodes().iter().map(bend).collect();
        let velocities = vec![Vec3::zeros(); positions.len()];
        body.set_state(&positions, &velocities);
        let elements = asset.levels[0].mesh.tets.len() as f64;
        let (mut initial, mut split_work, mut whole_work) = (None, 0.0, 0.0);
        for k in 0..100 {
            // the work with the same step for all elements
            whole_work += f64::from(body.least_steps(1.0 / 60.0)) * elements;
            let report = frame(&mut body, &BoundaryConditions::default());
            split_work += report.work_used as f64;
            let energy = report.energy.expect("an account");
            let sum = energy.kinetic + energy.elastic;
            let initial = *initial.get_or_insert(sum);
            assert!((sum / initial - 1.0).abs() < 0.01, "{k}: {sum} {initial}");
        }
        assert!(split_work < 0.8 * whole_work, "{split_work} {whole_work}");
        let masses = &body.moving_level().masses;
        let nodes = masses.iter().zip(body.level_velocities());
        let momentum: Vec3 = nodes.clone().map(|(m, v)| v * *m).sum();
        let scale: f64 = nodes.map(|(m, v)| m * v.norm()).sum();
        assert!(momentum.norm() < 1e-6 * scale, "{momentum} {scale}");
    }
}

#[test]
fn a_damped_body_comes_to_rest_in_the_same_shape_as_with_one_step_for_all() {
    let asset = with_slivers(0.3, Some(Selection::Lowest(0.01)));
    let gravity = BoundaryConditions::with_gravity(Vec3::new(3.0, -9.81, 0.0));
    let [split, whole] = [cuttable(&asset), uncuttable(&asset)].map(|mut body| {
        frames(&mut body, &gravity, 200);
        body
    });
    assert!(substeps(&split) * 2.0 < substeps(&whole));
    let displacement =
        |body: &AdaptiveModel, n: usize| body.level_positions()[n] - body.level_nodes()[n];
    let count = split.level_nodes().len();
    let largest = (0..count)
        .map(|n| displacement(&whole, n).norm())
        .fold(0.0, f64::max);
    let differences =
        (0..count).map(|n| (displacement(&split, n) - displacement(&whole, n)).norm());
    let difference = differences.fold(0.0, f64::max);
    assert!(difference < 1e-3 * largest, "{difference} {largest}");
    let [split_reaction, whole_reaction] = [&split, &whole].map(|b| b.support_reactions()[0]);
    assert!((split_reaction - whole_reaction).norm() < 1e-3 * whole_reaction.norm());
}

#[test]
fn a_restored_body_has_the_same_stiff_elements() {
    let asset = with_slivers(0.1, Some(Selection::Lowest(0.01)));
    let mut body = cuttable(&asset);
    let oblique_gravity = BoundaryConditions::with_gravity(Vec3::new(9.0, -9.81, 0.0));
    frames(&mut body, &oblique_gravity, 20);
    let snapshot = body.snapshot();
    let mut other = cuttable(&asset);
    other.restore(&snapshot).expect("the same body");
    for _ in 0..20 {
        frame(&mut body, &oblique_gravity);
        frame(&mut other, &oblique_gravity);
        assert!(body.level_positions() == other.level_positions());
    }
}

#[test]
fn a_body_with_fixed_steps_can_be_restored() {
    let asset = with_slivers(0.1, Some(Selection::Lowest(0.01)));
    let params = AdaptiveParams {
        level: LevelChoice::Index(0),
        blades: true,
        step_rule: StepRule::Courant,
        ..AdaptiveParams::default()
    };
    let mut body = model(&asset, params);
    let at_rest = body.snapshot();
    let oblique_gravity = BoundaryConditions::with_gravity(Vec3::new(9.0, -9.81, 0.0));
    frame(&mut body, &oblique_gravity);
    let moved = body.level_positions().to_vec();
    body.restore(&at_rest).expect("the same body");
    frame(&mut body, &oblique_gravity);
    assert!(body.level_positions() == moved);
}
