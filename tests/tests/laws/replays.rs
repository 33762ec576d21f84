//! Every bundled scene is recorded and replayed to the same bits with one, two and eight threads. Skins and levels that take long to make are coarser.

use std::path::Path;

use pliant_core::asset::Progress;
use pliant_recording::Recording;
use pliant_simulation::cache::AssetCache;
use pliant_simulation::compare::CompareOptions;
use pliant_simulation::recording::{RecordOptions, compare_recorded, recorded_scene, replay};
use pliant_simulation::scenes::{BUNDLED, ImportOptions, LoadedScene};
use pliant_tests::{bundled, on_threads, setup};

/// Length of the recording of a scene, s; in `grasp` until fingers touch the body.
fn duration_of(name: &str) -> f64 {
    match name {
        "grasp" => 0.3,
        _ => 0.1,
    }
}

/// A bundled scene with less to bake. Its text is changed, because a recording contains the text.
fn coarser(name: &str) -> LoadedScene {
    let scene = bundled(name);
    let has = |key: &str| scene.text.contains(&format!("\n{key} = {{"));
    let mut lines = Vec::new();
    for line in scene.text.lines() {
        let opened = |key: &str| line.starts_with(&format!("{key} = {{ "));
        let with = |key: &str, entry: &str| {
            line.replacen(&format!("{key} = {{ "), &format!("{key} = {{ {entry}, "), 1)
        };
        let is_mesh = opened("mesh");
        lines.push(if is_mesh && !line.contains("edge") {
            with("mesh", "edge = 0.012")
        } else if opened("adaptive") && line.contains("target_edges = \"auto\"") {
            line.replace(
                "target_edges = \"auto\"",
                "calibrate = false, nodes = [150, 500]",
            )
        } else if opened("adaptive") && !line.contains("target_edges") && !line.contains("nodes") {
            with("adaptive", "calibrate = false, nodes = [150, 500]")
        } else if opened("adaptive") {
            with("adaptive", "calibrate = false")
        } else if opened("quasistatic") && line.contains("boundary = ") {
            with_few_nodes(line)
        } else if opened("quasistatic") {
            with("quasistatic", "boundary = 250")
        } else {
            line.to_string()
        });
        if is_mesh && !has("adaptive") {
            lines.push("adaptive = { calibrate = false, nodes = [150, 500] }".to_string());
        }
        if is_mesh && !has("quasistatic") {
            lines.push("quasistatic = { boundary = 250 }".to_string());
        }
    }
    let name = format!("coarse {name}");
    LoadedScene::of_text(&name, lines.join("\n")).expect("a scene still")
}

/// A line of the quasistatic method with few nodes and without wavelets, whose surfaces have many nodes in any case.
fn with_few_nodes(line: &str) -> String {
    let line = line.replace("wavelet = \"butterfly\", ", "");
    let line = line.replace(", constraint_level = \"auto\"", "");
    let is_of_value = |c: char| c.is_ascii_digit() || "\"auto".contains(c);
    let parts = line.split_once("boundary = ");
    let (before, after) = parts.expect("a number of nodes");
    let rest = after.trim_start_matches(is_of_value);
    format!("{before}boundary = 250{rest}")
}

/// The bytes of a recording of a scene of this `duration` (s), which all of its methods ran.
fn recorded(scene: &LoadedScene, duration: f64, path: &Path, cache: &AssetCache) -> Vec<u8> {
    let record = RecordOptions {
        path: path.to_path_buf(),
        every: 0,
        scene: recorded_scene(scene, &ImportOptions::default(), None, None).expect("files"),
    };
    let options = CompareOptions {
        duration: Some(duration),
        ..CompareOptions::new(cache)
    };
    let ran = compare_recorded(setup(scene), &options, &Progress::new(), record);
    let (comparison, _) = ran.expect("recorded");
    let methods = scene.description.methods.len();
    assert_eq!(comparison.runs().count(), methods, "all methods run");
    std::fs::read(path).expect("there")
}

fn replays_to_the_same_bits(name: &str) {
    let scene = coarser(name);
    let folder = tempfile::tempdir().expect("a folder");
    let cache = AssetCache::open(Some(&folder.path().join("cache")));
    let path = folder.path().join("scene.plrec");
    let bytes = recorded(&scene, duration_of(name), &path, &cache);
    let recording = Recording::read(&bytes).expect("whole");
    assert!(recording.frames.len() >= 6);
    for threads in [1, 2, 8] {
        let again = on_threads(threads, || replay(&recording, &cache, &Progress::new()));
        let again = again.unwrap_or_else(|e| panic!("{threads} threads: {e}"));
        let hashes: Vec<u64> = again.runs().map(|r| r.1.surface_hash).collect();
        assert_eq!(hashes, recording.summary.surface_hash, "{threads} threads");
    }
}

/// One scene of four, from `first` on: four tests run beside each other.
fn replay_every_fourth(first: usize) {
    for (name, _) in BUNDLED.iter().skip(first).step_by(4) {
        println!("{name}");
        replays_to_the_same_bits(name);
    }
}

#[test]
fn bundled_scenes_are_replayed_to_the_same_bits_0() {
    replay_every_fourth(0);
}

#[test]
fn bundled_scenes_are_replayed_to_the_same_bits_1() {
    replay_every_fourth(1);
}

#[test]
fn bundled_scenes_are_replayed_to_the_same_bits_2() {
    replay_every_fourth(2);
}

#[test]
fn bundled_scenes_are_replayed_to_the_same_bits_3() {
    replay_every_fourth(3);
}
