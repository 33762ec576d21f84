//! The pictures of the documents, made with the program itself.

mod book;
mod image;
mod palette;
mod scenes;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::files::{make_folder, read_folder};
use crate::step::{Outcome, cargo, expect_file, fresh_folder, program, root, step};
use crate::tools;
use image::{Image, write_animated_below};

/// Panes from left to right.
const METHODS: [&str; 3] = ["adaptive", "quasistatic", "lattice"];
/// A scene and the time of its picture, s: while its tool is deepest.
const STILL: (&str, &str) = ("poke", "03.00");
/// The scene of the animation and the time of its first picture, s, which is the only one in some programs: while its tool is deepest.
const ANIMATION: (&str, &str) = ("welcome", "02.00");
/// Display time of each picture, ms: the simulated time between two pictures.
const MILLISECONDS: u16 = 250;
/// Space between panes, pixels.
const GAP: usize = 8;
/// Largest file of a picture, bytes.
const MAX_BYTES: usize = 290_000;
/// Largest file of the animation, bytes.
const MAX_ANIMATION_BYTES: usize = 950_000;

/// Makes all pictures of the documents except those of the Python tutorial, and the pictures of the list of scenes. With `part` it makes only those of the scenes or of the book.
pub fn run(part: Option<&str>) -> Outcome {
    match part {
        Some("scenes") => {
            step("build", &mut cargo("build --release -p pliant-cli"))?;
            scenes::make()
        }
        Some(_) => book::make(),
        None => all(),
    }
}

fn all() -> Outcome {
    let docs = root().join("docs/pictures");
    make_folder(&docs)?;
    step("build", &mut cargo("build --release -p pliant-cli"))?;
    let (scene, second) = STILL;
    let file = docs.join(format!("{scene}.png"));
    let bytes = panes(&run_compare(scene, false)?, second)?.write_below(&file, MAX_BYTES)?;
    println!("{}: {} kB", file.display(), bytes / 1000);
    make_animation(&docs)?;
    scenes::make()?;
    book::make()?;
    if tools::find_for("docs/pictures/viewer.png", "xvfb-run").is_none() {
        return Ok(());
    }
    // bake first, so that the window shows all panes at the same time of the poke
    let shot = fresh_folder("viewer")?.join("viewer.png");
    let mut bake = Command::new(program());
    bake.args(["bake", "welcome", "--quiet"]);
    step("bake", &mut bake)?;
    let view = "welcome --play --exit-after 10 --size 1280x720";
    let mut window = tools::on_virtual_display(&program(), view, &shot);
    step("window", &mut window)?;
    expect_file("window", &shot)?;
    let bytes = Image::read(&shot)?.write_below(&docs.join("viewer.png"), MAX_BYTES)?;
    println!("{}: {} kB", docs.join("viewer.png").display(), bytes / 1000);
    Ok(())
}

/// Compares the methods on a scene; returns the folder of the report.
fn run_compare(scene: &str, all_pictures: bool) -> Result<PathBuf, String> {
    let folder = fresh_folder(scene)?;
    let mut pliant = Command::new(program());
    pliant.args(["compare", scene, "--quiet"]);
    if all_pictures {
        pliant.arg("--all-pictures");
    }
    step(scene, pliant.arg("--out").arg(&folder))?;
    Ok(folder)
}

/// The pictures of the three methods side by side.
fn panes(folder: &Path, second: &str) -> Result<Image, String> {
    let pane = |method| Image::read(&folder.join(format!("frames/{method}-{second}s.png")));
    let panes = METHODS
        .iter()
        .map(pane)
        .collect::<Result<Vec<_>, String>>()?;
    Ok(Image::in_rows(&panes, METHODS.len(), GAP))
}

/// Makes the animation: a whole cycle of the tool of the scene. It starts in the middle of the cycle.
fn make_animation(docs: &Path) -> Outcome {
    let (scene, first) = ANIMATION;
    let folder = run_compare(scene, true)?;
    let names = read_folder(&folder.join("frames"))?;
    let time_of = |name: String| {
        let rest = name.strip_prefix(METHODS[0])?.strip_prefix('-')?;
        rest.strip_suffix("s.png").map(str::to_string)
    };
    let mut seconds: Vec<String> = names.into_iter().filter_map(time_of).collect();
    let start = seconds.iter().position(|s| s == first);
    seconds.rotate_left(start.ok_or_else(|| format!("{scene} has no picture at {first} s"))?);
    let frames = seconds
        .iter()
        .map(|second| panes(&folder, second))
        .collect::<Result<Vec<_>, _>>()?;
    let file = docs.join(format!("{scene}.png"));
    let bytes = write_animated_below(&frames, MILLISECONDS, &file, MAX_ANIMATION_BYTES)?;
    let count = frames.len();
    println!("{}: {count} pictures, {} kB", file.display(), bytes / 1000);
    Ok(())
}
