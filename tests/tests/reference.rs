//! The reference of a comparison: its uncertainty, its storage in the cache, and its continuation after it was cancelled.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pliant_core::asset::Progress;
use pliant_core::scene::Method;
use pliant_simulation::cache::AssetCache;
use pliant_simulation::compare::{CompareOptions, compare};
use pliant_simulation::error::BuildError;
use pliant_simulation::reference::{Accuracy, Reference, Span, reference_on};
use pliant_simulation::setup::Setup;
use pliant_tests::{scene, setup};

/// Nodes of the levels. The last two are run.
const NODES: [usize; 2] = [100, 400];
const FRAMES: usize = 24;

const POKE: &str = r#"
schema = 1
name = "reference-test"
gravity = [0.0, 0.0, 0.0]
[[body]]
name = "pad"
mesh = { procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.02 }
material = { young = 2.0e4, poisson = 0.3, density = 1000.0, zeta = 0.3 }
support = [ { name = "base", select = { lowest = 0.01 } } ]
adaptive = { nodes = [100, 400], resolution = "level", budget_ms = 1e6 }
[[tool]]
name = "ball"
shape = { sphere = { radius = 0.05 } }
motion = { path = "press" }
[[path]]
name = "press"
keys = [ { t = 0.0, at = [0.0, 0.102, 0.0] }, { t = 0.25, at = [0.0, 0.09, 0.0] } ]
[[probe]]
name = "side"
at = { nearest_surface_point = [0.06, 0.05, 0.0] }
quantity = "displacement"
"#;

fn compute(setup: &Arc<Setup>, cache: &AssetCache) -> Result<Reference, BuildError> {
    compute_with(setup, &|f| f % 4 == 3, cache, &Progress::new())
}

fn compute_with(
    setup: &Arc<Setup>,
    keeps_surface: &dyn Fn(usize) -> bool,
    cache: &AssetCache,
    progress: &Progress,
) -> Result<Reference, BuildError> {
    let span = Span::of_script(FRAMES);
    reference_on(setup, &NODES, &span, keeps_surface, cache, progress)
}

#[test]
fn a_level_is_its_own_reference() {
    let setup = setup(&scene(POKE));
    let cache = AssetCache::disabled();
    let reference = compute(&setup, &cache).expect("a reference");
    let [coarse, fine] = reference.nodes()[..] else {
        panic!("two levels");
    };
    assert!(coarse < fine);
    let reference_force = reference.force.as_ref().expect("the ball is felt");
    assert!(reference_force.force > 0.0 && reference_force.uncertainty > 0.0);
    let options = CompareOptions {
        methods: Some(vec![Method::Adaptive, Method::Lattice]),
        duration: Some(FRAMES as f64 / 60.0),
        ..CompareOptions::new(&cache)
    };
    let comparison = compare(Arc::clone(&setup), &options, &Progress::new()).expect("two methods");
    let accuracy = |k: usize| -> Accuracy {
        let run = comparison.methods[k].outcome.as_ref().expect("it runs");
        assert_eq!(run.accuracy, None, "none was asked for");
        let forces: Vec<&[f64]> = run.force_curves.iter().map(|c| c.1.as_slice()).collect();
        let probes: Vec<_> = run.probe_curves.iter().map(|c| c.1.as_slice()).collect();
        reference.accuracy(&forces, &probes, Accuracy::default())
    };
    // the same level of the same body, up to selective mass scaling of the scene
    let same = accuracy(0);
    assert!(same.force_error.expect("felt").abs() < 0.02, "{same:?}");
    assert!(same.probe_max[0] < 2e-4, "{same:?}");
    let other = accuracy(1);
    assert!(other.force_error.expect("felt").abs() > 0.02, "{other:?}");
}

#[test]
fn a_cancelled_reference_keeps_its_first_run_and_the_cache_gives_the_same_bits() {
    let setup = setup(&scene(POKE));
    let folder = tempfile::tempdir().expect("a folder");
    let cache = AssetCache::open(Some(folder.path()));
    let progress = Progress::new();
    // called once for every frame of a run and of a key
    let calls = AtomicUsize::new(0);
    let call_in_second_run = {
        let count = AtomicUsize::new(0);
        let count_calls = |_: usize| {
            count.fetch_add(1, Ordering::Relaxed);
            false
        };
        let none = AssetCache::disabled();
        compute_with(&setup, &count_calls, &none, &Progress::new()).expect("counted");
        // the last of all keys is made after the second run
        count.load(Ordering::Relaxed) - FRAMES - FRAMES / 2
    };
    let keep_frame = |frame: usize| {
        if calls.fetch_add(1, Ordering::Relaxed) + 1 == call_in_second_run {
            progress.cancel();
        }
        frame % 4 == 3
    };
    let cancelled = compute_with(&setup, &keep_frame, &cache, &progress);
    assert!(matches!(cancelled, Err(BuildError::Cancelled)));
    let runs = |kind: &str| std::fs::read_dir(folder.path().join(kind)).map_or(0, Iterator::count);
    assert_eq!(runs("reference"), 1, "the coarser run is there");
    let first = compute(&setup, &cache).expect("it goes on");
    assert!(!first.from_cache);
    let second = compute(&setup, &cache).expect("stored");
    assert!(second.from_cache);
    assert_eq!((&first.fine, &first.coarse), (&second.fine, &second.coarse));
    let anew = compute(&setup, &AssetCache::disabled()).expect("computed");
    assert_eq!(first.fine.forces, anew.fine.forces);
    assert_eq!(first.fine.surfaces, anew.fine.surfaces);
}

#[test]
fn several_bodies_have_no_reference_and_the_error_gives_a_remedy() {
    let several = POKE.replace("support = [", "count = 2\nsupport = [");
    let setup = setup(&scene(&several));
    let refused = compute(&setup, &AssetCache::disabled()).err();
    let refused = refused.expect("refused");
    assert_eq!(refused.code(), "ReferenceOfSeveralBodies");
    assert!(refused.to_string().contains("remedy"));
}
