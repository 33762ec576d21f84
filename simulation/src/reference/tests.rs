//! Forces, errors and ranks of made-up runs.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::scene::Method;

use super::accuracy::Accuracy;
use super::compute::estimate;
use super::ranking::ranking;
use super::reference_force::{ReferenceForce, SAFETY_FACTOR, mean_of};
use super::result::Reference;
use super::runs::{RecordedRun, Span};
use crate::build::build_method;
use crate::cache::AssetCache;
use crate::world::testing::{BALL, pad, setup_of};

fn run(nodes: usize, scale: f64) -> RecordedRun {
    let forces = (0..100).map(|k| scale * f64::from(k.min(60)));
    RecordedRun {
        nodes,
        forces: vec![vec![0.0; 100], forces.collect()],
        ..RecordedRun::default()
    }
}

fn reference() -> Reference {
    let (fine, coarse) = (run(8000, 1.0), run(1000, 1.3));
    Reference {
        force: ReferenceForce::find(&fine, Some(&coarse), &[true; 2], 0),
        fine,
        coarse: Some(coarse),
        ..Reference::default()
    }
}

#[test]
fn the_error_of_a_series_that_converges_with_the_square_of_the_edge_is_found() {
    // edges 2 : 1, forces F (1 + 0.1 h²): 1.4 and 1.1 of the limit
    let reference_force =
        ReferenceForce::find(&run(8000, 1.1), Some(&run(1000, 1.4)), &[true; 2], 0);
    let reference_force = reference_force.expect("a force");
    assert_eq!(reference_force.curve, 1);
    // pressed with 45 or more of 60, the last two frames of the ramp and the plateau among them
    assert!(
        reference_force.frames.first() == Some(&45) && reference_force.frames.last() == Some(&99)
    );
    let limit = mean_of(&run(1, 1.0).forces[1], &reference_force.frames).expect("a force");
    assert!(
        (reference_force.force - reference_force.uncertainty / SAFETY_FACTOR - limit).abs()
            < 1e-9 * limit
    );
}

#[test]
fn a_method_that_is_a_tenth_too_stiff_is_told_so() {
    let stiff = run(1, 1.1);
    let forces: Vec<&[f64]> = stiff.forces.iter().map(Vec::as_slice).collect();
    let accuracy_of = |forces: &[&[f64]]| reference().accuracy(forces, &[], Accuracy::default());
    let accuracy = accuracy_of(&forces);
    assert!((accuracy.force_error.expect("felt") - 0.1).abs() < 1e-12);
    let rms = accuracy.force_rms.expect("felt");
    assert!(rms > 0.05 && rms < 0.1);
    // a run that ended before that has no force to compare
    let short: Vec<&[f64]> = forces.iter().map(|f| &f[..20]).collect();
    assert_eq!(accuracy_of(&short).force_error, None);
    // what stands still does not count, whatever force it carries
    assert!(
        ReferenceForce::find(&run(8000, 1.0), Some(&run(1000, 1.3)), &[true, false], 0).is_none()
    );
}

#[test]
fn nearest_and_cheapest_are_found() {
    let near = Accuracy {
        force_error: Some(-0.01),
        ..Accuracy::default()
    };
    let far = Accuracy {
        force_error: Some(0.2),
        ..Accuracy::default()
    };
    let methods = [(Method::Adaptive, &near, 8.0), (Method::Lattice, &far, 1.0)];
    let ranked = |reference_force: Option<&ReferenceForce>| {
        ranking(reference_force, methods.into_iter()).expect("two")
    };
    let found = ranked(None);
    assert_eq!(found.nearest, Method::Adaptive);
    assert_eq!(found.cheapest, Method::Lattice);
    assert!(ranking(None, std::iter::empty()).is_none());
    // a reference that is surer than the second method is off, and one that is not
    let reference_force = |uncertainty| ReferenceForce {
        curve: 0,
        frames: vec![0],
        force: 2.0,
        uncertainty,
    };
    assert!(ranked(Some(&reference_force(0.3))).as_near.is_empty());
    let unsure = ranked(Some(&reference_force(0.5)));
    assert_eq!(unsure.as_near, [Method::Lattice]);
    assert_eq!(unsure.near(), [Method::Adaptive, Method::Lattice]);
}

#[test]
fn an_estimate_shares_the_levels_of_the_adaptive_method() {
    let scene = pad("gravity = [0.0, 0.0, 0.0]", "") + BALL;
    let setup = Arc::new(setup_of(scene));
    let folder = tempfile::tempdir().expect("a folder");
    let cache = AssetCache::open(Some(folder.path()));
    let (span, progress) = (Span::of_script(3), Progress::new());
    build_method(&setup, Method::Adaptive, &cache, &progress).expect("built");
    assert_eq!(cache.usage().0, 1, "the levels");
    let found = estimate(&setup, &span, &|_| false, &cache, &progress).expect("an estimate");
    assert!(found.is_estimate() && found.fine.frames() == 3);
    assert!((2_000..4_500).contains(&found.fine.nodes));
    assert_eq!(cache.usage().0, 2, "the levels and the run");
}
