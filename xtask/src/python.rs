//! `cargo xtask python`: the tests of the Python bindings. No other command here needs Python.

use std::process::Command;

use crate::step::{Outcome, root, step, target};

/// Installs the bindings into an environment of their own and runs their tests.
pub fn run() -> Outcome {
    let mut check = Command::new(root().join("python/check.sh"));
    let environment = std::path::absolute(target().join("python"));
    check.arg(environment.map_err(|e| format!("the target folder has no path: {e}"))?);
    step("Python bindings", &mut check)
}
