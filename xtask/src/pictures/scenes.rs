//! The pictures in the window's list of bundled scenes.

use std::process::{Command, Stdio};

use serde_json::Value;

use super::image::Image;
use crate::step::files::write;
use crate::step::{Outcome, fresh_folder, program, root};

/// Width of a picture, pixels: twice what a card of the list has in points.
const WIDTH: usize = 224;
/// Rows of a picture, which shows the middle.
const HEIGHT: usize = 168;
/// Scenes that are not shown by their first method at two fifths of their time: method and second.
const MOMENTS: &[(&str, &str, f64)] = &[
    ("penguins", "lattice", 2.5),
    ("heap", "lattice", 2.0),
    ("shatter", "lattice", 1.0),
    ("toy", "adaptive", 2.75),
    ("torso", "adaptive", 1.5),
];

/// Pictures in a row, as `viewer/src/panels/bars/scene_cards.rs` reads them.
const COLUMNS: usize = 7;

/// Makes `viewer/pictures/scenes.png`: a picture of each scene, in rows.
pub fn make() -> Outcome {
    let mut pliant = Command::new(program());
    let listed = pliant.args(["scenes", "--json"]).output();
    let listed = listed.map_err(|e| format!("scenes: {e}"))?;
    let listed: Value = serde_json::from_slice(&listed.stdout).map_err(|e| e.to_string())?;
    let scenes = listed["scenes"].as_array().ok_or("no scenes are listed")?;
    let pictures = scenes.iter().map(picture);
    let pictures = pictures.collect::<Result<Vec<_>, _>>()?;
    let sheet = Image::in_rows(&pictures, COLUMNS).small_png()?;
    let file = root().join("viewer/pictures/scenes.png");
    write(&file, &sheet)?;
    println!("{}: {} kB", file.display(), sheet.len() / 1000);
    Ok(())
}

/// One scene at its moment.
fn picture(scene: &Value) -> Result<Image, String> {
    let name = scene["name"].as_str().ok_or("a scene without a name")?;
    let method = scene["methods"][0].as_str().unwrap_or("lattice");
    let duration = scene["duration"].as_f64().unwrap_or(1.0);
    let usual = (name, method, 0.4 * duration);
    let (_, method, second) = MOMENTS
        .iter()
        .find(|m| m.0 == name)
        .copied()
        .unwrap_or(usual);
    // four pictures a second
    let second = (4.0 * second).round().max(1.0) / 4.0;
    let folder = fresh_folder(name)?;
    let mut compare = Command::new(program());
    compare.args(["compare", name, "--quiet", "--all-pictures", "--methods"]);
    compare.args([method, "--duration", &(second + 0.1).to_string(), "--out"]);
    // a check may fail before the scene is over; what counts is the picture
    println!("\n== {name}");
    let done = compare.arg(&folder).stdout(Stdio::null()).status();
    done.map_err(|e| format!("{name}: {e}"))?;
    let file = folder.join(format!("frames/{method}-{second:05.2}s.png"));
    Ok(Image::read(&file)?.shrunk(WIDTH).cropped(HEIGHT))
}
