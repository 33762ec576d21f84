//! A body that is moved together with everything that touches it has the same forces, moved with it.
//!
//! `conformance!` tests the same for displacements in the single precision of skins. Here reactions are compared, which are in double precision throughout.

use std::sync::Arc;

use pliant_adaptive::{AdaptiveModel, AdaptiveParams};
use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::boundary::Friction;
use pliant_core::contact::Pose;
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;
use pliant_lattice::{LatticeModel, LatticeParams};
use pliant_quasistatic::{Precision, QuasistaticModel, QuasistaticParams};
use pliant_tests::conformance::{ModelFactory, Trial, poses};

/// Share of the largest force by which a moved body may differ: round-off of positions some tenths of a metre from the origin.
const TOLERANCE: f64 = 1e-9;
/// The same while the plate moves and vertices come into contact. Explicit steps amplify round-off for a moment (the adaptive method, a quarter turn: 1.3e-9), and damping removes it
/// (1e-13 when the plate rests).
const TRANSIENT_TOLERANCE: f64 = 1e-8;

/// Reactions of a plate and force of the support, in the body's own frame, N: after half a second, while the plate moves, and when it is held.
fn forces(make: &ModelFactory<'_>, pose: &Pose) -> Vec<Vec3> {
    let mut trial = Trial::at(make, pose, true);
    let top = trial.rest.iter().map(|x| x.y).fold(f64::MIN, f64::max);
    let mut forces = Vec::new();
    for k in 1..=60 {
        let depth = 0.008 * (f64::from(k) / 40.0).min(1.0);
        let boundary = trial.plate(top - depth, Vec3::zeros(), Friction::None);
        trial.advance(&boundary).expect("it moves");
        if k % 30 == 0 {
            forces.extend(trial.reactions());
            let to_local = trial.pose.orientation.inverse();
            forces.extend(trial.model.support_reactions().iter().map(|f| to_local * f));
        }
    }
    forces
}

fn check_forces(make: &ModelFactory<'_>, poses: &[Pose]) {
    let at_origin = forces(make, &Pose::at(Vec3::zeros()));
    let largest = at_origin.iter().map(Vec3::norm).fold(0.0, f64::max);
    assert!(largest > 0.01, "{largest} N");
    for pose in poses {
        let at_pose = forces(make, pose);
        assert_eq!(at_origin.len(), at_pose.len());
        let half = at_origin.len() / 2;
        for (part, tolerance) in [
            (0..half, TRANSIENT_TOLERANCE),
            (half..at_origin.len(), TOLERANCE),
        ] {
            let pairs = at_origin[part.clone()].iter().zip(&at_pose[part]);
            let difference = pairs.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            assert!(
                difference <= tolerance * largest,
                "forces differ by {difference:e} of {largest:e} N at {pose:?}"
            );
        }
    }
}

#[test]
fn the_adaptive_method_has_the_same_forces_at_each_pose() {
    let make = |body: &BodyGeometry| -> Box<dyn DeformableModel> {
        let asset = pliant_adaptive::LodHierarchy::bake(body, &Progress::new()).expect("levels");
        let model = AdaptiveModel::new(Arc::new(asset), AdaptiveParams::default());
        Box::new(model.expect("a model"))
    };
    check_forces(&make, &poses());
}

#[test]
fn the_quasistatic_method_has_the_same_forces_at_each_pose() {
    let make = |body: &BodyGeometry| -> Box<dyn DeformableModel> {
        let params = QuasistaticParams {
            precision: Precision::Double,
            ..QuasistaticParams::default()
        };
        let asset = pliant_quasistatic::bake::bake(body, &params, &Progress::new());
        let asset = Arc::new(asset.expect("Green's functions"));
        Box::new(QuasistaticModel::new(asset, &params))
    };
    check_forces(&make, &poses());
}

/// The cells lie along the axes, so that only rotations by 90 degrees preserve them. The fit is switched off, because on a regular body round-off decides between equally good places.
#[test]
fn the_lattice_has_the_same_forces_at_each_pose_along_the_axes() {
    let make = |body: &BodyGeometry| -> Box<dyn DeformableModel> {
        let params = LatticeParams {
            fit: false,
            precision: Some(pliant_lattice::Precision::Double),
            ..LatticeParams::default()
        };
        let asset = pliant_lattice::bake(body, &params, &Progress::new()).expect("a lattice");
        let model = LatticeModel::new(Arc::new(asset), &params);
        Box::new(model.expect("a model"))
    };
    check_forces(&make, &poses()[..2]);
}
