//! The comparison viewer as a web page: `cargo xtask web` builds it. The crate is empty on all other targets.
//!
//! The page (`page/index.html`) has a canvas `pliant` and an element `message`. It opens the scene that its address names (`?scene=poke`), else
//! `welcome`. Users drop meshes and scenes on it; no file leaves the computer.

#![cfg(target_family = "wasm")]

use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{HtmlCanvasElement, UrlSearchParams};

/// The scene that is shown when the address names none.
const DEFAULT_SCENE: &str = "welcome";

/// Starts drawing. The page calls it when the program is loaded.
///
/// # Errors
/// A sentence for the page, where the browser has no WebGL 2.
#[wasm_bindgen]
pub async fn start() -> Result<(), JsValue> {
    console_error_panic_hook::set_once();
    let window = web_sys::window().ok_or("no window")?;
    let document = window.document().ok_or("no document")?;
    let canvas = document.get_element_by_id("pliant");
    let canvas: HtmlCanvasElement = canvas
        .ok_or("the page has no canvas `pliant`")?
        .dyn_into()?;
    let search = window.location().search()?;
    let scene_parameter = UrlSearchParams::new_with_str(&search)?.get("scene");
    let scene = scene_parameter.unwrap_or_else(|| DEFAULT_SCENE.to_string());
    let started = pliant_viewer::window::browser::start(canvas, &scene).await;
    started.map_err(|error| JsValue::from_str(&error.to_string()))
}
