//! The pictures in the list of bundled scenes of the window.

use std::process::{Command, Stdio};

use serde_json::Value;

use super::image::Image;
use crate::step::files::write;
use crate::step::{Outcome, fresh_folder, program, root};

/// Width of a picture, pixels: twice the width of a card of the list in points.
const WIDTH: usize = 224;
/// Rows of a picture. It is cropped around the middle.
const HEIGHT: usize = 168;
/// Exceptions: scenes with their method and time, s. All others are shown with their first method at two fifths of their duration.
const MOMENTS: &[(&str, &str, f64)] = &[
    ("penguins", "lattice", 2.5),
    ("heap", "lattice", 2.0),
    ("shatter", "lattice", 1.0),
    ("toy", "adaptive", 2.75),
    ("torso", "adaptive", 1.5),
];

/// Pictures in a row, which has to match `viewer/src/panels/bars/scene_cards.rs` reads them.
const COLUMNS: usize = 7;

/// Makes `viewer/pictures/scenes.png`: a picture of each scene, in rows.
pub fn make() -> Outcome {
    let mut pliant = Command::new(program());
    let output = pliant.args(["scenes", "--json"]).output();
    let output = output.map_err(|e| format!("scenes: {e}"))?;
    let list: Value = serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())?;
    let scenes = list["scenes"].as_array().ok_or("no scenes are listed")?;
    let pictures = scenes.iter().map(picture);
    let pictures = pictures.collect::<Result<Vec<_>, _>>()?;
    let sheet = Image::in_rows(&pictures, COLUMNS, 0).small_png()?;
    let file = root().join("viewer/pictures/scenes.png");
    write(&file, &sheet)?;
    println!("{}: {} kB", file.display(), sheet.len() / 1000);
    Ok(())
}

/// The picture of one scene.
fn picture(scene: &Value) -> Result<Image, String> {
    let name = scene["name"].as_str().ok_or("a scene without a name")?;
    let method = scene["methods"][0].as_str().unwrap_or("lattice");
    let duration = scene["duration"].as_f64().unwrap_or(1.0);
    let default = (name, method, 0.4 * duration);
    let (_, method, second) = MOMENTS
        .iter()
        .find(|m| m.0 == name)
        .copied()
        .unwrap_or(default);
    // four pictures a second
    let second = (4.0 * second).round().max(1.0) / 4.0;
    let folder = fresh_folder(name)?;
    let mut compare = Command::new(program());
    compare.args(["compare", name, "--quiet", "--all-pictures", "--methods"]);
    compare.args([method, "--duration", &(second + 0.1).to_string(), "--out"]);
    // the exit status is ignored: a check may fail before the scene ends, but the picture is written
    println!("\n== {name}");
    let status = compare.arg(&folder).stdout(Stdio::null()).status();
    status.map_err(|e| format!("{name}: {e}"))?;
    let file = folder.join(format!("frames/{method}-{second:05.2}s.png"));
    Ok(Image::read(&file)?.shrunk(WIDTH).cropped(HEIGHT))
}
