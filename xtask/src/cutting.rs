//! What frames of bodies cost that blades cut, and whether their surfaces are closed: prints a table.

use std::process::Stdio;

use crate::step::{Outcome, cargo};

/// Measures the bundled scenes with blades, or what `words` name: a method, scenes.
pub fn run(words: &[String]) -> Outcome {
    let mut command = cargo("run --release -p pliant-simulation --example cutting --");
    command.args(words).stderr(Stdio::inherit());
    let status = command.status().map_err(|e| format!("cutting: {e}"))?;
    status
        .success()
        .then_some(())
        .ok_or("a scene failed".into())
}
