//! `cargo xtask python`: the tests of the Python bindings. No other command here needs Python.

use std::process::Command;

use crate::step::files::absolute;
use crate::step::{Outcome, cargo, root, step, target};

/// Formats, lints and tests the bindings; the tests install them into an environment of their own.
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
