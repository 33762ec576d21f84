//! Checks that need a tool of this machine. A check is left out, with a message, if its tool is missing.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::{Outcome, expect_file, fresh_folder, program, step};

/// Runs every check whose tool is found.
pub fn run() -> Outcome {
    if find_for("tetrahedra by tetgen", "tetgen").is_some() {
        tetgen()?;
    }
    if find_for("the window on a virtual display", "xvfb-run").is_some() {
        window()?;
    }
    Ok(())
}

/// The program of this name on the search path.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// The program of this name on the search path. Without it a line says that `title` is left out.
pub fn find_for(title: &str, name: &str) -> Option<PathBuf> {
    let found = find(name);
    if found.is_none() {
        println!("\n== left out: {title} (no `{name}` on the search path)");
    }
    found
}

/// The command that opens the window of a program on a virtual display, with these arguments (split at spaces), and writes a screenshot.
pub fn on_virtual_display(program: &Path, arguments: &str, screenshot: &Path) -> Command {
    let mut command = Command::new("xvfb-run");
    command
        .args(["-a", "-s", "-screen 0 1920x1080x24"])
        .arg(program)
        .arg("view")
        .args(arguments.split(' '))
        .arg("--screenshot")
        .arg(screenshot);
    command
}

fn tetgen() -> Outcome {
    let title = "tetgen";
    let folder = fresh_folder(title)?;
    let mut pliant = Command::new(program());
    let words = "mesh kidney --mesher tetgen --nodes 60,300 --quiet --out";
    pliant.args(words.split(' ')).arg(&folder);
    step(title, &mut pliant)?;
    expect_file(title, &folder.join("level-1.vtu"))
}

fn window() -> Outcome {
    let title = "window";
    let folder = fresh_folder(title)?;
    let (picture, stats) = (folder.join("window.png"), folder.join("stats.json"));
    let words = "welcome --play --exit-after 15 --size 1280x800";
    let mut command = on_virtual_display(&program(), words, &picture);
    command.current_dir(&folder).arg("--stats").arg(&stats);
    step(title, &mut command)?;
    expect_file(title, &picture)?;
    expect_file(title, &stats)
}
