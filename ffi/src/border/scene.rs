//! Scenes

use std::ffi::OsStr;

use pliant::Scene;

use super::memory::{Fixed, Out, Text};
use super::objects::{change, copy, make};
use crate::checks;
use crate::guard::entry;
use crate::handles::{Handle, PliantBody, PliantScene, PliantTool};
use crate::status::PliantStatus;
use crate::values;

/// Makes an empty scene with earth's gravity and sixty frames a second.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_scene_new(name: Text, scene: Out<PliantScene>) -> PliantStatus {
    make(&scene, "scene", || Ok(Scene::new(name.read("name")?)))
}

/// Makes a scene of the text of a scene file (TOML, docs/scenes.md). Its relative paths count from the current folder.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_scene_parse(text: Text, scene: Out<PliantScene>) -> PliantStatus {
    make(&scene, "scene", || Ok(Scene::parse(text.read("text")?)?))
}

/// Makes a scene of a scene file (.toml), of a bundled scene by name ("poke", "liver"), or of a mesh file: the body then stands on its foot, 0.3 m long, and a ball pokes it from above.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_scene_load(source: Text, scene: Out<PliantScene>) -> PliantStatus {
    make(&scene, "scene", || {
        let source: &OsStr = source.read("source")?.as_ref();
        Ok(Scene::load(source)?)
    })
}

/// Adds a copy of a body as it is now.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_scene_add_body(scene: PliantScene, body: PliantBody) -> PliantStatus {
    change(scene, |scene: Scene| Ok(scene.body(copy(body)?)))
}

/// Adds a copy of a tool as it is now.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_scene_add_tool(scene: PliantScene, tool: PliantTool) -> PliantStatus {
    change(scene, |scene: Scene| Ok(scene.tool(copy(tool)?)))
}

/// Gravity, m/s2.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_scene_set_gravity(
    scene: PliantScene,
    gravity: Fixed<f64, 3>,
) -> PliantStatus {
    change(scene, |scene: Scene| {
        Ok(scene.gravity(gravity.read("gravity")?))
    })
}

/// Frames a second; a method takes as many steps inside a frame as it needs.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_scene_set_frame_rate(scene: PliantScene, rate: f64) -> PliantStatus {
    change(scene, |scene: Scene| {
        Ok(scene.frame_rate(checks::number(rate, "rate")?))
    })
}

/// Sets any key of the scene's own tables in a scene file, with dots between tables; the value is written as there. docs/scenes.md has all keys. One that does not exist is refused when
/// the scene is built.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_scene_set(scene: PliantScene, key: Text, value: Text) -> PliantStatus {
    change(scene, |scene: Scene| {
        let key = key.read("key")?;
        Ok(scene.set(key, values::value(value.read("value")?, key)?))
    })
}

/// Keeps baked assets in a folder, so that they are baked once. Without it every build bakes anew. A folder that cannot be written is the same as none.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_scene_set_cache(scene: PliantScene, folder: Text) -> PliantStatus {
    change(scene, |scene: Scene| {
        Ok(scene.cache_in(folder.read("folder")?))
    })
}

/// Frees a scene. What was built of it stays. A null handle frees nothing.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_scene_free(scene: PliantScene) -> PliantStatus {
    entry(|| scene.free())
}
