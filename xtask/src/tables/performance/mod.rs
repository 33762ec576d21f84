//! The table of `docs/performance.md`: the measurements of `pliant bench`, next to the limits of the machine, the times of the reference code and the numbers of the papers.
//!
//! Two machines are compared only by ratios of one run: the share of the machine's limit, and the speed-up over the readable reference implementation of a kernel.
//! The ratios are compared with the table of the last release, so that a new table does not hide a loss.

mod rows;

use std::process::Stdio;

use serde_json::Value;

use super::document::Document;
use crate::step::{Outcome, cargo, root};
use rows::{Row, slower};

/// The document, and the command that makes its table.
const NAME: &str = "performance.md";
const COMMAND: &str = "bench-table";

/// What to measure.
#[derive(clap::Args)]
pub struct Options {
    /// Only compare, without writing the document
    #[arg(long)]
    check: bool,
    /// Kernels to measure; all without one. A table of some would lose the others, so that it is only compared
    #[arg(value_name = "KERNEL", requires = "check")]
    kernels: Vec<String>,
}

/// Measures, warns about kernels that have become slower since the last release, and writes the table into the document.
pub fn run(options: &Options) -> Outcome {
    let document = Document::read(NAME, COMMAND)?;
    let output = cargo("run --release -q -p pliant-cli -- bench --json")
        .args(&options.kernels)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("{COMMAND}: {e}"))?;
    if !output.status.success() {
        return Err("`pliant bench` failed".into());
    }
    let measured: Value = serde_json::from_slice(&output.stdout)
        .map_err(|e| format!("what `pliant bench --json` printed: {e}"))?;
    let current = rows::rows(&measured, &rows::read(document.table()));
    let table = rows::table(&measured["machine"], &current);
    println!("{table}");
    let previous = Document::previous(&root(), NAME, COMMAND);
    let (text, origin) = match &previous {
        Some((previous, origin)) => (previous.table(), origin.as_str()),
        // an archive without history
        None => (document.table(), "as it stands"),
    };
    print!("{}", comparison(&rows::read(text), &current, origin));
    if options.check {
        return Ok(());
    }
    document.write(&table)
}

/// A warning for each ratio below that of the rows `before`, and a summary. `origin` says where these rows are from.
fn comparison(before: &[Row], current: &[Row], origin: &str) -> String {
    let (lines, rows) = slower(before, current);
    let mut text = String::new();
    for line in &lines {
        text.push_str(&format!(
            "warning: slower than docs/{NAME} ({origin}): {line}\n"
        ));
    }
    text.push_str(&format!(
        "{} ratios of {rows} rows are below those of docs/{NAME} ({origin}); ratios move by a tenth from run to run\n",
        lines.len()
    ));
    match current.len() - rows {
        0 => {}
        new => text.push_str(&format!("{new} rows are not in that table\n")),
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use rows::tests::measured;

    #[test]
    fn a_comparison_warns_and_names_the_origin() {
        let [before, same, slow] = [10.0, 11.0, 20.0].map(|ns| rows::rows(&measured(ns), &[]));
        let fine = comparison(&before, &same, "at v1");
        assert!(
            fine.starts_with("0 ratios of 3 rows") && !fine.contains("warning"),
            "{fine}"
        );
        let warnings = comparison(&before, &slow, "at v1");
        assert_eq!(warnings.matches("warning: ").count(), 2, "{warnings}");
        assert!(
            warnings
                .contains("(at v1): lattice-step-damped 57760 (1 threads): 25.0 % of the limit"),
            "{warnings}"
        );
        let other = comparison(&before[..1], &slow, "at v1");
        assert!(other.contains("2 rows are not in that table"), "{other}");
    }
}
