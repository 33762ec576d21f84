//! The table of every method against the reference, for `docs/accuracy.md` or for meshes of one's own.

use std::process::Stdio;

use super::chart;
use super::document::Document;
use crate::step::{Outcome, cargo, root};

/// Where the chart of the table goes, from the root.
const CHART: &str = "docs/pictures/choosing.svg";

/// Measures the bodies and scenes of the document, puts the table into it and draws its chart; with `words` (seconds, meshes) prints one of these instead. `chart` alone draws the table as it stands.
pub fn run(words: &[String]) -> Outcome {
    if let [word] = words
        && word == "chart"
    {
        return draw();
    }
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
    draw()
}

/// Draws the table of the document as it stands.
pub fn draw() -> Outcome {
    let svg = chart::svg(Document::read("accuracy.md", "accuracy")?.table())?;
    std::fs::write(root().join(CHART), svg).map_err(|e| format!("{CHART}: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chart_is_of_the_table_that_stands_in_the_document() {
        let document = Document::read("accuracy.md", "accuracy").expect("the table");
        let stands = std::fs::read_to_string(root().join(CHART)).expect("the chart");
        let drawn = chart::svg(document.table()).expect("points");
        assert!(
            drawn == stands,
            "{CHART} is of another table: `cargo xtask accuracy chart` draws it anew"
        );
    }
}
