//! Stiff elements of a body that blades may cut have shorter steps than the others.

use std::sync::Arc;

use pliant_adaptive::params::StepRule;
use pliant_adaptive::{AdaptiveModel, AdaptiveParams, LevelChoice, LodHierarchy};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::model::{DeformableModel, SteppedModel};
use pliant_core::scene::Selection;

use super::{body_of, cuttable};
use crate::bodies::{baked, counter, cube_material, frame, model};

/// A block in which one node is pushed close to a face of its neighbours: a few slivers.
fn with_slivers(damping: f64, support: Option<Selection>) -> Arc<LodHierarchy> {
    let mut mesh = box_tets(Vec3::new(0.4, 0.2, 0.2), [8, 4, 4], CellStyle::Kuhn);
    let middle = mesh.nodes.iter().position(|x| x.norm() < 1e-9);
    mesh.nodes[middle.expect("a node in the middle")] += Vec3::new(0.011, 0.03, 0.011);
    baked(&body_of(mesh, cube_material(damping), support))
}

/// The same that blades may not cut.
fn plain(asset: &Arc<LodHierarchy>) -> AdaptiveModel {
    let params = AdaptiveParams {
        level: LevelChoice::Index(0),
        ..AdaptiveParams::default()
    };
    model(asset, params)
}

fn steps(body: &AdaptiveModel) -> f64 {
    counter(body, "substeps")
}

#[test]
fn slivers_do_not_dictate_the_step_and_energy_and_momenta_are_kept() {
    let asset = with_slivers(0.0, None);
    // one that blades may cut, and one that is free
    for mut body in [cuttable(&asset), plain(&asset)] {
        let bent = |x: &Vec3| x + Vec3::new(0.0, 0.3 * x.x * x.x, 0.0);
        let bent: Vec<Vec3> = body.level_nodes().iter().map(bent).collect();
        let still = vec![Vec3::zeros(); bent.len()];
        body.set_state(&bent, &still);
        let elements = asset.levels[0].mesh.tets.len() as f64;
        let (mut first, mut split_work, mut whole_work) = (None, 0.0, 0.0);
        for k in 0..100 {
            // with one step for all
            whole_work += f64::from(body.least_steps(1.0 / 60.0)) * elements;
            let report = frame(&mut body, &BoundaryConditions::default());
            split_work += report.work_used as f64;
            let energy = report.energy.expect("an account");
            let sum = energy.kinetic + energy.elastic;
            let first = *first.get_or_insert(sum);
            assert!((sum / first - 1.0).abs() < 0.01, "{k}: {sum} {first}");
        }
        assert!(split_work < 0.8 * whole_work, "{split_work} {whole_work}");
        let masses = &body.cut_level().masses;
        let moving = masses.iter().zip(body.node_velocities());
        let momentum: Vec3 = moving.clone().map(|(m, v)| v * *m).sum();
        let size: f64 = moving.map(|(m, v)| m * v.norm()).sum();
        assert!(momentum.norm() < 1e-6 * size, "{momentum} {size}");
    }
}

#[test]
fn a_damped_body_comes_to_rest_where_it_does_with_one_step_for_all() {
    let asset = with_slivers(0.3, Some(Selection::Lowest(0.01)));
    let gravity = BoundaryConditions::with_gravity(Vec3::new(3.0, -9.81, 0.0));
    let [split, whole] = [cuttable(&asset), plain(&asset)].map(|mut body| {
        for _ in 0..200 {
            frame(&mut body, &gravity);
        }
        body
    });
    assert!(steps(&split) * 2.0 < steps(&whole));
    let way = |body: &AdaptiveModel, n: usize| body.node_positions()[n] - body.level_nodes()[n];
    let count = split.level_nodes().len();
    let farthest = (0..count)
        .map(|n| way(&whole, n).norm())
        .fold(0.0, f64::max);
    let off = (0..count).map(|n| (way(&split, n) - way(&whole, n)).norm());
    let off = off.fold(0.0, f64::max);
    assert!(off < 1e-3 * farthest, "{off} {farthest}");
    // what the support carries is the weight
    let [split_carries, whole_carries] = [&split, &whole].map(|b| b.support_reactions()[0]);
    assert!((split_carries - whole_carries).norm() < 1e-3 * whole_carries.norm());
}

#[test]
fn a_snapshot_has_which_elements_are_stiff() {
    let asset = with_slivers(0.1, Some(Selection::Lowest(0.01)));
    let mut body = cuttable(&asset);
    let push = BoundaryConditions::with_gravity(Vec3::new(9.0, -9.81, 0.0));
    for _ in 0..20 {
        frame(&mut body, &push);
    }
    let then = body.snapshot();
    let mut other = cuttable(&asset);
    other.restore(&then).expect("the same body");
    for _ in 0..20 {
        frame(&mut body, &push);
        frame(&mut other, &push);
        assert!(body.node_positions() == other.node_positions());
    }
}

#[test]
fn a_body_with_fixed_steps_goes_back_to_its_beginning() {
    let asset = with_slivers(0.1, Some(Selection::Lowest(0.01)));
    let params = AdaptiveParams {
        level: LevelChoice::Index(0),
        blades: true,
        step_rule: StepRule::Courant,
        ..AdaptiveParams::default()
    };
    let mut body = model(&asset, params);
    let at_rest = body.snapshot();
    let push = BoundaryConditions::with_gravity(Vec3::new(9.0, -9.81, 0.0));
    frame(&mut body, &push);
    let moved = body.node_positions().to_vec();
    body.restore(&at_rest).expect("the same body");
    frame(&mut body, &push);
    assert!(body.node_positions() == moved);
}
