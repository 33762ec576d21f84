//! `cargo xtask python`: tests the Python bindings. No other command needs Python.

use std::process::Command;

use crate::step::files::absolute;
use crate::step::{Outcome, cargo, root, step, target};

/// Checks format and lints, and tests the bindings. The tests install them into a separate environment.
pub fn run() -> Outcome {
    let folder = root().join("python");
    step(
        "format of the Python bindings",
        cargo("fmt --all --check").current_dir(&folder),
    )?;
    step(
        "lints of the Python bindings",
        cargo("clippy --release -p pliant-python -p same-bits -- -D warnings").current_dir(&folder),
    )?;
    let mut check = Command::new(folder.join("check.sh"));
    check.arg(absolute(&target().join("python"))?);
    step("tests of the Python bindings", &mut check)
}
