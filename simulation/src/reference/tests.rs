//! Forces, errors and ranks of made-up runs.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::scene::Method;

use super::accuracy::Accuracy;
use super::compute::{self, estimate};
use super::kind::ReferenceKind;
use super::ranking::ranking;
use super::reference_force::{ReferenceForce, SAFETY_FACTOR, mean_of};
use super::result::Reference;
use super::runs::{LevelRuns, RecordedRun, Span};
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
        ranking(reference_force, 1.0, methods.into_iter()).expect("two")
    };
    let found = ranked(None);
    assert_eq!(found.nearest, Method::Adaptive);
    assert_eq!(found.cheapest, Method::Lattice);
    assert!(ranking(None, 1.0, std::iter::empty()).is_none());
    // without a force skins decide, unless all are those of the reference up to the rounding of a lattice at rest
    let by_skin = |surface_rms: f64| {
        let alone = Accuracy {
            surface_rms,
            ..Accuracy::default()
        };
        ranking(None, 1.0, [(Method::Lattice, &alone, 1.0)].into_iter()).map(|found| found.nearest)
    };
    assert_eq!(by_skin(1e-10), None);
    assert_eq!(by_skin(1e-4), Some(Method::Lattice));
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
    let dynamic = ReferenceKind::Dynamic;
    let found = estimate(dynamic, &setup, &span, &cache, &progress);
    let found = found.expect("an estimate");
    assert!(found.is_estimate() && found.fine.frames() == 3);
    assert!((2_000..4_500).contains(&found.fine.nodes));
    assert_eq!(cache.usage().0, 2, "the levels and the run");
}

/// A ball presses a pad within a tenth of a second, and holds.
const PRESSED: &str = r#"
gravity = [0.0, 0.0, 0.0]
[[body]]
name = "pad"
mesh = { procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.02 }
material = { young = 2.0e4, poisson = 0.3, density = 1000.0, zeta = 0.5 }
support = [ { name = "base", select = { lowest = 0.01 } } ]
[[tool]]
name = "ball"
shape = { sphere = { radius = 0.05 } }
contact = { kind = "frictionless" }
motion = { path = "press" }
[[path]]
name = "press"
keys = [ { t = 0.0, at = [0.0, 0.102, 0.0] }, { t = 0.1, at = [0.0, 0.095, 0.0] } ]
"#;

#[test]
fn a_static_run_is_a_dynamic_one_that_has_come_to_rest_and_kinds_are_kept_apart() {
    let setup = setup_of(PRESSED);
    let folder = tempfile::tempdir().expect("a folder");
    let cache = AssetCache::open(Some(folder.path()));
    let (span, progress) = (Span::of_script(40), Progress::new());
    let run_of = |kind: ReferenceKind| {
        let nodes = &[80, 300];
        let mut runs = LevelRuns::new(kind, &setup, nodes, &span, &|_| false, &cache, &progress);
        runs.run(0).expect("a run")
    };
    let last_force = |run: &RecordedRun| run.forces[0][39];
    let runs = ReferenceKind::ALL.map(run_of);
    assert_eq!(cache.usage().0, 4, "the levels and three runs");
    let [dynamic, relaxed, linear] = [0, 1, 2].map(|k| last_force(&runs[k]));
    assert!(dynamic > 0.0 && (relaxed / dynamic - 1.0).abs() < 0.01);
    assert!(linear > 0.0 && (linear / relaxed - 1.0).abs() < 0.5);
    assert_eq!(ReferenceKind::ALL.map(run_of), runs, "from the cache");
    let nodes: Vec<usize> = runs.iter().map(|run| run.nodes).collect();
    assert!(nodes.iter().all(|n| *n == nodes[0]));
}

#[test]
fn references_without_inertia_are_refused_where_there_is_no_equilibrium() {
    let free = r#"
[[body]]
name = "ball"
mesh = { procedural = "sphere", longest = 0.1 }
"#;
    let grabbed = pad("", "")
        + r#"
[[grab]]
name = "fingers"
select = { half_space = { point = [0.0, 0.049, 0.0], normal = [0.0, 1.0, 0.0] } }
motion = { path = "lift" }
[[path]]
name = "lift"
keys = [ { t = 0.0, at = [0.0, 0.0, 0.0] }, { t = 1.0, at = [0.0, 0.01, 0.0] } ]
"#;
    let refusal = |text: &str, kind: ReferenceKind| {
        let setup = Arc::new(setup_of(text));
        let (cache, progress) = (AssetCache::disabled(), Progress::new());
        let span = Span::of_script(3);
        let found = compute::reference(kind, &setup, &span, &cache, &progress);
        found.err().map(|error| error.code())
    };
    for kind in [ReferenceKind::Static, ReferenceKind::Linear] {
        let code = refusal(free, kind);
        assert_eq!(code.as_deref(), Some("ReferenceNeedsASupport"));
    }
    let code = refusal(&grabbed, ReferenceKind::Linear);
    assert_eq!(code.as_deref(), Some("ReferenceOfAHeldSkin"));
}
