//! The table of every method against the reference, for `docs/accuracy.md` or for meshes of one's own.

use std::process::Stdio;

use super::document::Document;
use crate::step::{Outcome, cargo};

/// Measures the bodies and scenes of the document and puts the table into it; with `words` (seconds, meshes) prints one of these instead.
pub fn run(words: &[String]) -> Outcome {
    let mut command = cargo("run --release -p pliant-simulation --example accuracy --");
    command.args(words).stderr(Stdio::inherit());
    if !words.is_empty() {
        let status = command.status().map_err(|e| format!("accuracy: {e}"))?;
        return status.success().then_some(()).ok_or("a body failed".into());
    }
    let document = Document::read("accuracy.md", "accuracy")?;
    let output = command.output().map_err(|e| format!("accuracy: {e}"))?;
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        return Err(format!("a body failed:\n{table}"));
    }
    document.write(&table)?;
    print!("{table}");
    Ok(())
}
