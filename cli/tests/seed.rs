//! `--seed` decides what is random in a scene, and nothing else does.

mod answer;
mod json_command;
mod program;

use json_command::done;
use program::place;

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

/// The hash of the surface after a few frames, with further words of the command.
fn hash(seed: &str) -> String {
    let at = &place();
    std::fs::write(at.join("stones.toml"), SCENE).expect("written");
    let words = format!("run stones.toml --method lattice --frames 2 --no-cache{seed}");
    let run = done(at, &words);
    let hash = &run["metrics"]["surface_hash"];
    hash.as_str().expect("a hash").to_string()
}

#[test]
fn a_seed_takes_the_place_of_the_scenes_own() {
    let own = hash("");
    // the scene's seed is 0 where it gives none
    assert_eq!(hash(" --seed 0"), own);
    let other = hash(" --seed 5");
    assert_ne!(other, own);
    assert_eq!(hash(" --seed 5"), other);
}
