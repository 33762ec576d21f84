//! Small scenes of tests: their texts, setups, models and worlds.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::scene::{Method, Selection};

use super::{Interaction, World};
use crate::build::{BuiltMethod, build_method};
use crate::cache::AssetCache;
use crate::error::BuildError;
use crate::scenes::{ImportOptions, LoadedScene, load};
use crate::setup::{Setup, prepare};

/// A ball that a hand leads, and that pokes the body by itself.
pub(crate) const BALL: &str = r#"
[[tool]]
name = "ball"
shape = { sphere = { radius = 0.09 } }
motion = { device = "pointer", script = "$POKE" }
"#;

/// A soft pad that stands on its foot: `head` are keys of the scene, `keys` those of the body.
pub(crate) fn pad(head: &str, keys: &str) -> String {
    format!(
        r#"
schema = 1
name = "pad"
{head}
[[body]]
name = "pad"
mesh = {{ procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.05 }}
material = {{ young = 2.0e4, poisson = 0.3, density = 1000.0, zeta = 0.1 }}
support = [ {{ name = "base", select = {{ lowest = 0.01 }} }} ]
{keys}
"#
    )
}

/// The scene of a text, made concrete.
pub(crate) fn setup_of(text: impl Into<String>) -> Setup {
    let scene = LoadedScene::of_text("test", text).expect("valid");
    prepared(&scene)
}

/// A bundled scene by its name, or a mesh file in the drop-in scene, made concrete.
pub(crate) fn setup_from<S: AsRef<OsStr> + ?Sized>(source: &S) -> Setup {
    let scene = load(source, &ImportOptions::default()).expect("a scene");
    prepared(&scene)
}

/// A scene made concrete.
pub(crate) fn prepared(scene: &LoadedScene) -> Setup {
    prepare(scene, &Progress::new()).expect("prepared")
}

/// The scene of the file `scene.toml` with this text, which is written into `folder`.
pub(crate) fn scene_in(folder: &Path, text: &str) -> LoadedScene {
    let path = folder.join("scene.toml");
    std::fs::write(&path, text).expect("written");
    load(&path, &ImportOptions::default()).expect("valid")
}

/// A block with skin edges of this length (m) whose table `quasistatic` has these keys; its scene lies in `folder`.
pub(crate) fn quasistatic_block(folder: &Path, edge: f64, poisson: f64, keys: &str) -> Setup {
    let text = format!(
        r#"
schema = 1
name = "block"
methods = ["quasistatic"]
[[body]]
name = "block"
mesh = {{ procedural = "box", size = [0.2, 0.1, 0.2], edge = {edge} }}
material = {{ young = 2.0e4, poisson = {poisson}, density = 1000.0 }}
support = [ {{ name = "base", select = {{ lowest = 0.01 }}, motion = "fixed" }} ]
quasistatic = {{ {keys} }}
"#
    );
    prepared(&scene_in(folder, &text))
}

/// A method of a scene, baked anew.
pub(crate) fn built(setup: &Setup, method: Method) -> Result<BuiltMethod, BuildError> {
    build_method(setup, method, &AssetCache::disabled(), &Progress::new())
}

/// Code and words of why a method cannot run a scene; `None` where it can.
pub(crate) fn refusal(setup: &Setup, method: Method) -> Option<(String, String)> {
    let error = built(setup, method).err()?;
    Some((error.code(), error.to_string()))
}

/// A box of so many cells that stands on a floor.
pub(crate) fn box_on_floor(size: Vec3, cells: [usize; 3], material: Material) -> BodyGeometry {
    let mesh = box_tets(size, cells, CellStyle::Alternating);
    let skin = Arc::new(mesh.boundary().surface);
    BodyGeometry {
        greens_level: Some(Arc::new(mesh)),
        ..BodyGeometry::new(skin, material).held_at("floor", Selection::Lowest(0.01))
    }
}

/// The notes of a scene that have this code.
pub(crate) fn notes_with(setup: &Setup, code: &str) -> Vec<String> {
    let notes = setup.notes.iter().filter(|n| n.code() == Some(code));
    notes.map(|note| note.text.clone()).collect()
}

/// Takes so many frames without a hand.
pub(crate) fn step(world: &mut World, frames: usize) {
    for _ in 0..frames {
        world.step_frame(&Interaction::default()).expect("a frame");
    }
}

/// A world of a method of a scene, at rest.
pub(crate) fn world_of(setup: &Arc<Setup>, method: Method) -> World {
    let model = built(setup, method).expect("built").model;
    World::new(method, model, Arc::clone(setup))
}
