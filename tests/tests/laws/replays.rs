//! Every bundled scene is recorded with two threads, and replayed to the same bits with one and with eight. Skins and levels that take long to make are coarser, and paths are faster, so that tools touch the bodies soon.

use std::path::Path;
use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_recording::Recording;
use pliant_simulation::cache::AssetCache;
use pliant_simulation::compare::CompareOptions;
use pliant_simulation::recording::{RecordOptions, compare_recorded, recorded_scene, replay};
use pliant_simulation::scenes::{BUNDLED, ImportOptions, LoadedScene};
use pliant_simulation::setup::Setup;
use pliant_tests::{bundled, on_threads, setup};

/// How many times as fast the paths of a scene are. Tools that are fast already would jump over the body.
fn haste_of(name: &str) -> f64 {
    match name {
        "abuse" | "slice" => 1.0,
        "shatter" | "toy" => 2.0,
        "buddha" | "buddha-shell" => 3.0,
        _ => 5.0,
    }
}

/// Fewest and most frames of a recording.
const FRAMES: (usize, usize) = (6, 30);

/// Frames after the first contact.
const FRAMES_IN_CONTACT: usize = 4;

/// The frame in which a tool first reaches the body: one that moves, or any where the body falls freely. Bodies are taken as rigid. `None` if none does within the longest recording.
fn first_contact(setup: &Setup) -> Option<usize> {
    let gravity = setup.description.gravity;
    let is_free = setup.supports().next().is_none() && setup.grabs.is_empty();
    let skin = setup.skin();
    (1..=FRAMES.1 - FRAMES_IN_CONTACT).find(|frame| {
        let time = *frame as f64 * setup.frame_duration();
        let fall = gravity * 0.5 * time * time * f64::from(is_free);
        let near = setup.tools.iter().filter(|tool| {
            let pushes = !tool.shape.is_blade();
            pushes && (is_free || tool.path.duration() > 0.0)
        });
        near.map(|tool| tool.at(time)).any(|tool| {
            let free = skin.positions.iter().zip(&setup.held);
            free.filter(|(_, held)| !**held)
                .any(|(x, _)| tool.signed_distance(&(x + fall)).0 < 0.0)
        })
    })
}

/// The text of a scene with paths that are so many times as fast.
fn hastened(text: &str, haste: f64) -> String {
    let mut parts = text.split("{ t = ");
    let mut all = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (time, rest) = part.split_once(',').expect("a key of a path");
        let time: f64 = time.parse().expect("a time");
        all += &format!("{{ t = {:?},{rest}", time / haste);
    }
    all
}

/// A bundled scene with less to bake, and with faster paths. Its text is changed, because a recording contains the text.
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
    let text = hastened(&lines.join("\n"), haste_of(name));
    let name = format!("coarse {name}");
    LoadedScene::of_text(&name, text).expect("a scene still")
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

/// The bytes of a recording of so many frames of a scene, which all of its methods ran.
fn recorded(
    (scene, setup): (&LoadedScene, &Arc<Setup>),
    frames: usize,
    path: &Path,
    cache: &AssetCache,
) -> Vec<u8> {
    let record = RecordOptions {
        path: path.to_path_buf(),
        every: 0,
        scene: recorded_scene(scene, &ImportOptions::default(), None, None).expect("files"),
    };
    let options = CompareOptions {
        duration: Some(frames as f64 * setup.frame_duration()),
        ..CompareOptions::new(cache)
    };
    let ran = compare_recorded(Arc::clone(setup), &options, &Progress::new(), record);
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
    let setup = setup(&scene);
    let contact = first_contact(&setup);
    let frames = contact.map_or(0, |frame| frame + FRAMES_IN_CONTACT);
    let frames = frames.max(FRAMES.0);
    let bytes = on_threads(2, || recorded((&scene, &setup), frames, &path, &cache));
    let recording = Recording::read(&bytes).expect("whole");
    assert_eq!(recording.frames.len(), frames);
    let wrenches = recording.frames.iter().flat_map(|frame| &frame.methods);
    let mut wrenches = wrenches.flat_map(|method| &method.wrenches);
    let is_touched = wrenches.any(|wrench| wrench.force.norm() > 0.0);
    assert!(is_touched || contact.is_none(), "no force of a tool");
    for threads in [1, 8] {
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
