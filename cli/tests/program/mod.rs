//! The program itself, in a folder of its own.

use std::ops::Deref;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// A folder that is gone after the test.
pub struct Place(TempDir);

impl Deref for Place {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.0.path()
    }
}

/// An empty folder.
pub fn place() -> Place {
    Place(tempfile::tempdir().expect("temporary folder"))
}

/// The program without a display, with a cache in the folder.
pub fn program(folder: &Path) -> Command {
    inside(folder, env!("CARGO_BIN_EXE_pliant"))
}

/// The same for a program that starts it.
pub fn inside(folder: &Path, program: &str) -> Command {
    let mut command = Command::new(program);
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(name);
    }
    command
        .current_dir(folder)
        .env("PLIANT_CACHE", folder.join("cache"));
    command
}
