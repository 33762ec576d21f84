//! A small scene in a folder of its own.

use crate::program::{Place, place};

/// A small body that every method runs in a moment.
pub const SCENE: &str = r#"
schema = 1
name = "small"
duration = 0.2
gravity = [0.0, -9.81, 0.0]
[[body]]
name = "block"
mesh = { procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.05 }
material = { young = 2.0e4, poisson = 0.3, density = 1000.0, zeta = 0.3 }
support = [ { name = "base", select = { lowest = 0.01 } } ]
adaptive = { target_edges = [0.05] }
lattice = { cell = 0.05, half_width = 1 }
"#;

/// A folder with the scene `small.toml`, where the program runs.
pub fn folder() -> Place {
    let at = place();
    std::fs::write(at.join("small.toml"), SCENE).expect("written");
    at
}
