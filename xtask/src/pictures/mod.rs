//! The pictures of the documents, made by the program itself.

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
/// A scene and the second at which it is shown: while its tool is held deepest.
const STILL: (&str, &str) = ("poke", "03.00");
/// The scene that moves, with its first picture, for programs that show no other: while its tool is held deepest.
const MOVING: (&str, &str) = ("welcome", "02.00");
/// How long each picture is shown: as long as the simulation takes to the next.
const MILLISECONDS: u16 = 250;
/// Largest file, bytes.
const LIMIT: usize = 290_000;
const MOVING_LIMIT: usize = 950_000;

/// Makes all pictures of the documents, but for those of the Python tutorial, and the pictures of the list of scenes; with a word the scenes or the book alone.
pub fn run(arguments: &[String]) -> Outcome {
    match arguments {
        [] => all(),
        [of] if of == "scenes" => {
            step("build", &mut cargo("build --release -p pliant-cli"))?;
            scenes::make()
        }
        [of] if of == "book" => book::make(),
        _ => Err("`cargo xtask pictures` has `scenes` or `book` alone".into()),
    }
}

fn all() -> Outcome {
    let docs = root().join("docs/pictures");
    make_folder(&docs)?;
    step("build", &mut cargo("build --release -p pliant-cli"))?;
    let (scene, second) = STILL;
    let file = docs.join(format!("{scene}.png"));
    let bytes = panes(&compared(scene, false)?, second)?.write_below(&file, LIMIT)?;
    println!("{}: {} kB", file.display(), bytes / 1000);
    moving(&docs)?;
    scenes::make()?;
    book::make()?;
    if tools::find("xvfb-run").is_none() {
        println!("\n== left out: docs/pictures/viewer.png (no `xvfb-run` on the search path)");
        return Ok(());
    }
    // the first opening only fills the cache, so that the second shows all panes at the same moment of the poke
    let shot = fresh_folder("viewer")?.join("viewer.png");
    let mut bake = Command::new(program());
    bake.args(["bake", "welcome", "--quiet"]);
    step("bake", &mut bake)?;
    let view = [
        "welcome",
        "--play",
        "--exit-after",
        "10",
        "--size",
        "1280x720",
    ];
    step(
        "window",
        &mut tools::on_virtual_display(&program(), &view, &shot),
    )?;
    expect_file("window", &shot)?;
    let bytes = Image::read(&shot)?.write_below(&docs.join("viewer.png"), LIMIT)?;
    println!("{}: {} kB", docs.join("viewer.png").display(), bytes / 1000);
    Ok(())
}

/// The folder of the report on a scene.
fn compared(scene: &str, all_pictures: bool) -> Result<PathBuf, String> {
    let folder = fresh_folder(scene)?;
    let mut pliant = Command::new(program());
    pliant.args(["compare", scene, "--quiet"]);
    if all_pictures {
        pliant.arg("--all-pictures");
    }
    step(scene, pliant.arg("--out").arg(&folder))?;
    Ok(folder)
}

/// The three methods beside each other.
fn panes(folder: &Path, second: &str) -> Result<Image, String> {
    let pane = |method| Image::read(&folder.join(format!("frames/{method}-{second}s.png")));
    let panes = METHODS
        .iter()
        .map(pane)
        .collect::<Result<Vec<_>, String>>()?;
    Ok(Image::side_by_side(&panes))
}

/// The moving picture: a whole round of the scene's tool, which begins in the middle.
fn moving(docs: &Path) -> Outcome {
    let (scene, first) = MOVING;
    let folder = compared(scene, true)?;
    let names = read_folder(&folder.join("frames"))?;
    let of_one = |name: String| {
        let rest = name.strip_prefix(METHODS[0])?.strip_prefix('-')?;
        rest.strip_suffix("s.png").map(str::to_string)
    };
    let mut seconds: Vec<String> = names.into_iter().filter_map(of_one).collect();
    let start = seconds.iter().position(|s| s == first);
    seconds.rotate_left(start.ok_or_else(|| format!("{scene} has no picture at {first} s"))?);
    let frames = seconds
        .iter()
        .map(|second| panes(&folder, second))
        .collect::<Result<Vec<_>, _>>()?;
    let file = docs.join(format!("{scene}.png"));
    let bytes = write_animated_below(&frames, MILLISECONDS, &file, MOVING_LIMIT)?;
    let count = frames.len();
    println!("{}: {count} pictures, {} kB", file.display(), bytes / 1000);
    Ok(())
}
