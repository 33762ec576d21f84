//! Loads on points inside, and how the responses to them depend on the modulus of the body.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;
use pliant_quasistatic::asset::inside::{InsideLoadError, PointState};

use super::{body, close, test_points};
use crate::bodies::{advance, model_with, point, set};
use crate::materials::pulled_top;

#[test]
fn loads_scale_stay_and_come_back_with_snapshots_and_modulus() {
    let (geometry, params) = body(vec![point("a", test_points()[0])]);
    let mut model = model_with(&geometry, &params);
    let still = BoundaryConditions::default();
    advance(&mut model, &still).expect("regular");
    assert_eq!(model.inside_states(), [PointState::default()]);
    model.set_inside_load("a", Vec3::x()).expect("a point");
    advance(&mut model, &still).expect("regular");
    let before = model.inside_states()[0];
    let reaction = model.support_reactions()[0];
    assert!((reaction + Vec3::x()).norm() < 1e-10, "{reaction}");
    // twice as stiff: half the way, the same stress and reaction
    set(&mut model, "young", 2e5);
    let snapshot = model.snapshot();
    model.reset();
    advance(&mut model, &still).expect("regular");
    let after = model.inside_states()[0];
    let half = PointState {
        displacement: before.displacement * 0.5,
        ..before
    };
    close(&after, &half, 1e-12);
    assert!((model.support_reactions()[0] - reaction).norm() < 1e-10);
    model.set_inside_load("a", Vec3::zeros()).expect("a point");
    advance(&mut model, &still).expect("regular");
    assert_eq!(model.inside_states()[0].displacement, Vec3::zeros());
    model.restore(&snapshot).expect("of the same body");
    assert_eq!(
        (model.inside_loads(), model.inside_states()),
        (&[Vec3::x()][..], &[before][..])
    );

    let missing = model.set_inside_load("b", Vec3::x()).expect_err("no such");
    assert!(missing.to_string().contains("it has a"), "{missing}");
    let infinite = model.set_inside_load("a", Vec3::repeat(f64::NAN));
    assert!(matches!(
        infinite,
        Err(InsideLoadError::LoadNotFinite { .. })
    ));
}

#[test]
fn the_stress_under_a_force_does_not_know_the_modulus() {
    let (geometry, params) = body(vec![point("a", test_points()[0])]);
    let mut model = model_with(&geometry, &params);
    let boundary = pulled_top(&geometry.skin, 2.0);
    advance(&mut model, &boundary).expect("regular");
    let before = model.inside_states()[0];
    set(&mut model, "young", 2e5);
    advance(&mut model, &boundary).expect("regular");
    let half = PointState {
        displacement: before.displacement * 0.5,
        ..before
    };
    close(&model.inside_states()[0], &half, 1e-12);
}
