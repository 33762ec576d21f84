//! The three methods, and the fourth of the examples, satisfy the laws of [`pliant_tests::conformance`]. Models with a deliberate fault do not.

use std::sync::Arc;

use pliant_adaptive::{AdaptiveModel, AdaptiveParams};
use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::model::DeformableModel;
use pliant_lattice::{LatticeModel, LatticeParams};
use pliant_quasistatic::{QuasistaticModel, QuasistaticParams};
use pliant_tests::conformance;
use pliant_tests::conformance::Promises;

mod faulty_model;
#[path = "../../pliant/examples/fourth_method/mass_spring.rs"]
mod mass_spring_model;

use mass_spring_model::MassSpring;

conformance!(adaptive, adaptive_model);
conformance!(quasistatic, quasistatic_model);
conformance!(lattice, lattice_model, LATTICE);
// without the fit, a body at another pose bakes to the same asset
conformance!(
    lattice_not_fitted,
    unfitted_lattice_model,
    Promises {
        bakes_alike: true,
        ..LATTICE
    }
);
conformance!(
    mass_spring,
    |body: &BodyGeometry| -> Box<dyn DeformableModel> { Box::new(MassSpring::new(body)) }
);

/// Voxels lie along the axes. The fit of a held lattice uses loads at the places that are farthest from each other. On a regular skin round-off decides between places that are
/// equally far, and forces differ by up to 0.3 % then.
const LATTICE: Promises = Promises {
    any_orientation: false,
    bakes_alike: false,
};

fn adaptive_model(body: &BodyGeometry) -> Box<dyn DeformableModel> {
    let params = AdaptiveParams::default();
    let asset = pliant_adaptive::LodHierarchy::bake(body, &Progress::new()).expect("levels");
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
    lattice_of(body, &LatticeParams::default())
}

fn unfitted_lattice_model(body: &BodyGeometry) -> Box<dyn DeformableModel> {
    let params = LatticeParams {
        fit: false,
        ..LatticeParams::default()
    };
    lattice_of(body, &params)
}

fn lattice_of(body: &BodyGeometry, params: &LatticeParams) -> Box<dyn DeformableModel> {
    let asset = pliant_lattice::bake(body, params, &Progress::new()).expect("a lattice");
    Box::new(LatticeModel::new(Arc::new(asset), params).expect("a model"))
}
