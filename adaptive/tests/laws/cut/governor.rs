//! The budget of a cut: it is kept in every frame, shared by need, and explained.

use std::sync::Arc;

use pliant_adaptive::{AdaptiveModel, AdaptiveParams, LodHierarchy, Resolution};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::inspect::{Inspect, ParameterValue, QuantityBuffer};
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;

use crate::bodies::{With, counter, cube_material, model, nearest, weight};
use crate::cut::slab::{self, LEVELS, slab_of, step};

fn slab() -> Arc<LodHierarchy> {
    let mut material = cube_material(0.2);
    material.elastic.young = 2e4;
    slab_of(&LEVELS, material)
}

fn params() -> AdaptiveParams {
    slab::params(Resolution::Cut)
}

fn press(b: &AdaptiveModel, depth: f64) -> BoundaryConditions {
    slab::press(b, depth, 0.0)
}

fn active(b: &AdaptiveModel) -> usize {
    b.stats().active_nodes
}

#[test]
fn a_halved_budget_is_kept_from_its_first_frame_and_resolution_returns_later() {
    let mut b = model(&slab(), params());
    let mut most = 0;
    for k in 0..60 {
        let boundary = press(&b, 0.01 * (f64::from(k) / 30.0).min(1.0));
        most = step(&mut b, &boundary, u64::MAX).work_used;
    }
    let whole = active(&b);
    let boundary = press(&b, 0.01);
    for _ in 0..40 {
        let report = step(&mut b, &boundary, most);
        assert!(report.work_used <= most);
    }
    for k in 0..40 {
        let report = step(&mut b, &boundary, most / 2);
        assert!(
            report.work_used <= most / 2,
            "frame {k}: {} of {}",
            report.work_used,
            most / 2
        );
        assert!(report.degraded.is_some());
    }
    let half = active(&b);
    assert!(half < whole && half > active_at_rest());
    // every refusal gives its reason, with numbers
    let notes = b.stats().notes;
    let reason = notes.iter().find(|n| n.contains("tetrahedron evaluations"));
    assert!(reason.expect("a reason").contains("are allowed"));
    // a second later nothing is refused (the budget includes contact, skin and changes of the cut); nodes with an indicator between the thresholds, which the press had refined, may stay coarse
    for _ in 0..59 {
        step(&mut b, &boundary, 5 * most);
    }
    assert!(step(&mut b, &boundary, 5 * most).degraded.is_none());
    let again = active(&b);
    assert!(20 * again > 19 * whole, "{again} of {whole}");
}

fn active_at_rest() -> usize {
    active(&model(&slab(), params()))
}

#[test]
fn the_criterion_refines_bent_parts_and_coarsens_parts_at_rest() {
    let asset = slab();
    let lowest = active_at_rest();
    let nodes_with = |gamma_max: f64| {
        let params = params().with(|p| p.gamma_max = Some(gamma_max));
        let mut b = model(&asset, params);
        let mut boundary = BoundaryConditions::with_gravity(Vec3::new(9.81, 0.0, 0.0));
        for _ in 0..60 {
            step(&mut b, &boundary, u64::MAX);
        }
        let bent = active(&b);
        let changes = |b: &AdaptiveModel| counter(b, "cut_changes");
        let before = changes(&b);
        for _ in 0..120 {
            step(&mut b, &boundary, u64::MAX);
        }
        let settled = changes(&b) - before;
        boundary = BoundaryConditions::default();
        for _ in 0..240 {
            step(&mut b, &boundary, u64::MAX);
        }
        (bent, settled, active(&b))
    };
    // gravity along x bends the slab by millimetres
    assert_eq!(nodes_with(1e-1), (lowest, 0.0, lowest));
    let (bent, settled, rested) = nodes_with(1e-3);
    assert!(bent > lowest, "{bent} of {lowest}");
    assert!(settled <= 2.0, "{settled} changes in two quiet seconds");
    assert_eq!(rested, lowest);
}

#[test]
fn unusable_parameters_are_refused_with_a_code() {
    let asset = slab();
    let refused = |change: AdaptiveParams| {
        let error = AdaptiveModel::new(asset.clone(), change).expect_err("refused");
        assert!(error.to_string().contains("\n  remedy: "));
        error.code()
    };
    let nothing = params().with(|p| p.gamma_max = Some(0.0));
    assert_eq!(refused(nothing), "BadGamma");
    let poor = params().with(|p| p.budget_units = 10);
    assert_eq!(refused(poor), "BudgetInfeasible");
}

#[test]
fn a_budget_that_is_too_small_is_named_in_the_time_that_it_pays_for() {
    // a unit of a cut costs 1.3 times 36 ns in double precision
    let poor = params().with(|p| p.budget_units = 10);
    let error = AdaptiveModel::new(slab(), poor).expect_err("refused");
    let text = error.to_string();
    assert!(text.contains("twice the budget of 0.000468 ms"), "{text}");
}

#[test]
fn every_vertex_explains_its_resolution() {
    // a threshold that leaves the cut coarse far from the tool
    let coarse = params().with(|p| p.gamma_max = Some(1e-3));
    let mut b = model(&slab(), coarse);
    let boundary = press(&b, 0.005);
    for _ in 0..20 {
        step(&mut b, &boundary, u64::MAX);
    }
    let skin = b.surface().clone();
    let at = |place: Vec3| nearest(&skin, place);
    let under_tool = b.explain(at(Vec3::new(0.0, 0.1, 0.0))).expect("a vertex");
    let far = b.explain(at(Vec3::new(0.2, 0.0, 0.2))).expect("a vertex");
    assert!(
        under_tool.contains("level 2 (of 0 to 2)") && under_tool.contains("steps a frame"),
        "{under_tool}"
    );
    assert!(far.contains("linear motion"), "{far}");
    assert!(b.explain(u32::MAX).is_none());
    // the same by a parameter, with the answer in the statistics and their notes
    let vertex = f64::from(at(Vec3::new(0.0, 0.1, 0.0)));
    b.set_parameter("explained_vertex", ParameterValue::Number(vertex))
        .expect("a vertex");
    let stats = b.stats();
    assert!(stats.notes.contains(&under_tool));
    assert_eq!(stats.explanation, Some(under_tool));
    for resolution in [Resolution::Cut, Resolution::Level] {
        let params = params().with(|p| p.resolution = resolution);
        let mut b = model(&slab(), params);
        for _ in 0..9 {
            step(&mut b, &boundary, u64::MAX);
        }
        let mut out = QuantityBuffer::default();
        b.sample_quantity("refinement_indicator", &mut out)
            .expect("known");
        assert_eq!(out.scalars.len(), skin.vertex_count());
        assert!(out.scalars.iter().any(|x| *x > 0.0));
        assert!(out.scalars.iter().all(|x| x.is_finite()));
    }
}

#[test]
fn touched_parts_take_budget_from_moving_parts_elsewhere() {
    const UNITS: u64 = 120_000;
    let params = params().with(|p| p.gamma_max = Some(1e-6));
    let mut b = model(&slab(), params);
    for _ in 0..20 {
        step(&mut b, &weight(), UNITS);
    }
    let refused = counter(&b, "refused_splits");
    assert!(refused > 0.0, "the budget is not used up");
    let boundary = press(&b, 0.005);
    for _ in 0..12 {
        step(&mut b, &boundary, UNITS);
    }
    let middle = nearest(b.surface(), Vec3::new(0.0, 0.1, 0.0));
    let why = b.explain(middle).expect("a vertex");
    assert!(why.contains("level 2 (of 0 to 2)"), "{why}");
}
