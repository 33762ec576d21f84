//! The three methods, and the fourth of the examples, satisfy the laws of [`pliant_tests::conformance`]; deliberately wrong models do not.

use std::sync::Arc;

use pliant_adaptive::{AdaptiveModel, AdaptiveParams};
use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::model::DeformableModel;
use pliant_lattice::{LatticeModel, LatticeParams};
use pliant_quasistatic::{QuasistaticModel, QuasistaticParams};
use pliant_tests::conformance;
use pliant_tests::conformance::Promises;

#[path = "../../pliant/examples/fourth_method/mass_spring.rs"]
mod mass_spring_model;
mod wrong;

use mass_spring_model::MassSpring;

conformance!(adaptive, adaptive_model);
conformance!(quasistatic, quasistatic_model);
// voxels lie along the axes
conformance!(
    lattice,
    lattice_model,
    Promises {
        any_orientation: false
    }
);
conformance!(
    mass_spring,
    |body: &BodyGeometry| -> Box<dyn DeformableModel> { Box::new(MassSpring::new(body)) }
);

fn adaptive_model(body: &BodyGeometry) -> Box<dyn DeformableModel> {
    let params = AdaptiveParams::default();
    let asset = pliant_adaptive::bake(body, &Progress::new()).expect("levels");
    Box::new(AdaptiveModel::new(Arc::new(asset), params).expect("a model"))
}

fn quasistatic_model(body: &BodyGeometry) -> Box<dyn DeformableModel> {
    let params = QuasistaticParams::default();
    let asset = pliant_quasistatic::bake::bake(body, &params, &Progress::new());
    Box::new(QuasistaticModel::new(
        Arc::new(asset.expect("Green's functions")),
        &params,
    ))
}

fn lattice_model(body: &BodyGeometry) -> Box<dyn DeformableModel> {
    let params = LatticeParams::default();
    let asset = pliant_lattice::bake(body, &params, &Progress::new()).expect("a lattice");
    Box::new(LatticeModel::new(Arc::new(asset), &params).expect("a model"))
}
