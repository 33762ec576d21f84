//! Every bundled scene is recorded and replayed to the same bits with one, two and eight threads. A recording lasts a tenth of a second. Skins and levels that take long to make are coarser.

use std::path::Path;

use pliant_core::asset::Progress;
use pliant_recording::Recording;
use pliant_simulation::cache::AssetCache;
use pliant_simulation::compare::CompareOptions;
use pliant_simulation::recording::{RecordOptions, compare_recorded, recorded_scene, replay};
use pliant_simulation::scenes::{BUNDLED, ImportOptions, LoadedScene, load};
use pliant_tests::{on_threads, setup};

/// Length of a recording, s.
const DURATION: f64 = 0.1;

/// A bundled scene with less to bake. Its text is changed, because a recording contains the text.
fn coarser(name: &str) -> LoadedScene {
    let scene = load(name, &ImportOptions::default()).expect("bundled");
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

/// The bytes of a recording of a scene, which all of its methods ran.
fn recorded(scene: &LoadedScene, path: &Path, cache: &AssetCache) -> Vec<u8> {
    let record = RecordOptions {
        path: path.to_path_buf(),
        every: 0,
        scene: recorded_scene(scene, &ImportOptions::default(), None, None).expect("files"),
    };
    let options = CompareOptions {
        duration: Some(DURATION),
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
    let bytes = recorded(&scene, &path, &cache);
    let recording = Recording::read(&bytes).expect("whole");
    assert!(recording.frames.len() >= 6);
    for threads in [1, 2, 8] {
        let again = on_threads(threads, || replay(&recording, &cache, &Progress::new()));
        let again = again.unwrap_or_else(|e| panic!("{threads} threads: {e}"));
        let hashes: Vec<u64> = again.runs().map(|r| r.1.surface_hash).collect();
        assert_eq!(hashes, recording.summary.surface_hash, "{threads} threads");
    }
}

macro_rules! replays {
    ($($test:ident: $scene:literal),+ $(,)?) => {
        $(
            #[test]
            fn $test() {
                replays_to_the_same_bits($scene);
            }
        )+

        #[test]
        fn each_bundled_scene_is_among_them() {
            let mut tested = [$($scene),+];
            let mut bundled: Vec<&str> = BUNDLED.iter().map(|(name, _)| *name).collect();
            tested.sort_unstable();
            bundled.sort_unstable();
            assert_eq!(&tested[..], &bundled[..]);
        }
    };
}

replays! {
    abuse: "abuse",
    banana_seat: "banana-seat",
    blocks: "blocks",
    buddha: "buddha",
    buddha_shell: "buddha-shell",
    cantilever: "cantilever",
    cube_oscillation: "cube-oscillation",
    cut: "cut",
    dragon: "dragon",
    drop_in: "drop-in",
    drops: "drops",
    finger_pad: "finger-pad",
    fracture: "fracture",
    grasp: "grasp",
    grasp_2: "grasp-2",
    grasp_5: "grasp-5",
    heap: "heap",
    incision: "incision",
    infant: "infant",
    kidney: "kidney",
    liver: "liver",
    materials: "materials",
    octahedron_nu0: "octahedron-nu0",
    octahedron_nu03: "octahedron-nu03",
    octahedron_nu05: "octahedron-nu05",
    penguins: "penguins",
    poke: "poke",
    pull: "pull",
    rabbit: "rabbit",
    shatter: "shatter",
    slice: "slice",
    spatula: "spatula",
    tear: "tear",
    torso: "torso",
    toy: "toy",
    welcome: "welcome",
}
