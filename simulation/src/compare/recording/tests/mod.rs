//! Recordings of scenes, read and run again.

mod cuts;

use std::path::Path;
use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::scene::Method;
use pliant_recording::Recording;

use super::{RecordOptions, ReplayError, compare_recorded, recorded_scene, replay, scene_of};
use crate::cache::AssetCache;
use crate::compare::{CompareOptions, Comparison, compare};
use crate::scenes::{ImportOptions, LoadedScene, load};
use crate::world::testing::{BALL, pad, prepared, scene_in};

fn scene(folder: &Path) -> LoadedScene {
    let keys = r#"
adaptive = { target_edges = [0.05] }
lattice = { cell = 0.05, half_width = 1 }
quasistatic = { inside = [ { name = "heart", point = [0.01, 0.0, 0.01] } ] }"#;
    let pad = pad("duration = 1.0\ngravity = [0.0, 0.0, 0.0]", keys);
    scene_in(folder, &(pad + BALL))
}

/// Records a scene; what came of it, and the bytes of the file.
fn recorded(scene: &LoadedScene, path: &Path, every: u32) -> (Comparison, Vec<u8>) {
    let setup = Arc::new(prepared(scene));
    let import = ImportOptions::default();
    let record = RecordOptions {
        path: path.to_path_buf(),
        every,
        scene: recorded_scene(scene, &import, Some(5), None).expect("files"),
    };
    let cache = AssetCache::disabled();
    let options = CompareOptions::new(&cache);
    let (comparison, length) =
        compare_recorded(setup, &options, &Progress::new(), record).expect("recorded");
    let bytes = std::fs::read(path).expect("there");
    assert_eq!(bytes.len() as u64, length);
    (comparison, bytes)
}

#[test]
fn a_recording_has_what_the_comparison_found_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = scene(folder.path());
    let (comparison, bytes) = recorded(&scene, &folder.path().join("a.plrec"), 3);
    let setup = Arc::new(prepared(&scene));
    let cache = AssetCache::disabled();
    let options = CompareOptions::new(&cache);
    let plain = compare(setup, &options, &Progress::new()).expect("compared");
    let recording = Recording::read(&bytes).expect("whole");
    assert_eq!(
        (recording.frames.len(), recording.surface_count()),
        (60, 20)
    );
    let runs = comparison.runs().zip(plain.runs());
    for (k, ((method, run), (_, plain))) in runs.enumerate() {
        assert_eq!(run.surface_hash, plain.surface_hash);
        assert_eq!(recording.summary.surface_hash[k], run.surface_hash);
        assert_eq!(recording.header.method(method), Some(k));
        for (frame, force) in recording.frames.iter().zip(&run.force_curves[0].1) {
            assert_eq!(frame.methods[k].wrenches[0].force.norm(), *force);
        }
        let inside = recording.frames.iter().map(|f| &f.methods[k].inside);
        for (frame, inside) in inside.enumerate() {
            assert_eq!(inside.len(), run.point_curves.len());
            for (found, curve) in inside.iter().zip(&run.point_curves) {
                assert_eq!(*found, curve.states[frame]);
            }
        }
        let times: Vec<f64> = recording.frames.iter().map(|f| f.time).collect();
        assert_eq!(times, run.times);
    }
    assert_eq!(comparison.runs().count(), 3);
    assert!(comparison.runs().all(|r| r.1.force_max > 0.0));
    // the ball has come down
    let place = |k: usize| recording.frames[k].tools[0].position.y;
    assert!(place(30) < place(0));
}

#[test]
fn a_replay_names_the_first_frame_and_method_that_differ() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = scene(folder.path());
    let (_, bytes) = recorded(&scene, &folder.path().join("a.plrec"), 0);
    let mut recording = Recording::read(&bytes).expect("whole");
    let cache = AssetCache::disabled();
    replay(&recording, &cache, &Progress::new()).expect("the same");
    recording.frames[9].methods[2].surface_hash ^= 1;
    recording.frames[11].methods[0].surface_hash ^= 1;
    let error = replay(&recording, &cache, &Progress::new())
        .err()
        .expect("differs");
    let place = error.place();
    let ReplayError::ReplayDiverged { method, frame, .. } = error else {
        panic!("{error}");
    };
    assert_eq!((method, frame), (Method::Lattice, 9));
    assert_eq!(place.as_deref(), Some("lattice, frame 9"));
}

#[test]
fn a_mesh_that_changed_or_is_gone_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let mesh = folder.path().join("cube.obj");
    let cube = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    std::fs::write(&mesh, cube).expect("written");
    let import = ImportOptions {
        units: Some("cm".into()),
        z_up: true,
        ..ImportOptions::default()
    };
    let loaded = load(&mesh, &import).expect("wrapped");
    let recorded = recorded_scene(&loaded, &import, Some(3), Some(2.5)).expect("there");
    let again = scene_of(&recorded).expect("there");
    let mut expected = loaded.description.clone();
    expected.seed = 3;
    expected.body.adaptive.budget_ms = Some(2.5);
    assert_eq!(again.description, expected);
    std::fs::write(&mesh, cube.replace("v 1 1 1", "v 1 1 2")).expect("written");
    let changed = scene_of(&recorded).expect_err("changed");
    assert!(matches!(changed, ReplayError::SourceChanged { .. }));
    std::fs::remove_file(&mesh).expect("removed");
    let gone = scene_of(&recorded).expect_err("gone");
    assert!(matches!(gone, ReplayError::SourceMissing { .. }), "{gone}");
}
