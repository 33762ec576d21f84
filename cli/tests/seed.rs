//! `--seed` decides what is random in a scene, and nothing else does.

use std::process::Command;

use serde_json::Value;

const SCENE: &str = r#"
schema = 1
name = "stones"
duration = 0.1
methods = ["lattice"]
[[body]]
name = "stone"
mesh = { procedural = "box", size = [0.2, 0.2, 0.2], edge = 0.1 }
material = { young = 2.0e4, poisson = 0.3, density = 1000.0, zeta = 0.3 }
lattice = { cells_longest = 4, half_width = 1 }
layout = { grid = [2, 1, 2], spacing = 0.4, origin = [0.0, 1.0, 0.0], jitter = 0.05, turn = 30.0 }
"#;

/// The hash of the surface after a few frames.
fn hash(seed: Option<&str>) -> String {
    let folder = tempfile::tempdir().expect("temporary folder");
    std::fs::write(folder.path().join("stones.toml"), SCENE).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.current_dir(folder.path());
    command.args(["run", "stones.toml", "--method", "lattice", "--frames", "2"]);
    command.args(["--no-cache", "--quiet", "--json"]);
    if let Some(seed) = seed {
        command.args(["--seed", seed]);
    }
    let out = command.output().expect("runs");
    let told = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{told}");
    let json: Value = serde_json::from_slice(&out.stdout).expect("JSON");
    json["metrics"]["surface_hash"]
        .as_str()
        .expect("a hash")
        .to_string()
}

#[test]
fn a_seed_takes_the_place_of_the_scenes_own() {
    let own = hash(None);
    assert_eq!(
        hash(Some("0")),
        own,
        "the scene's seed is 0 where it gives none"
    );
    let other = hash(Some("5"));
    assert_ne!(other, own);
    assert_eq!(hash(Some("5")), other);
}
