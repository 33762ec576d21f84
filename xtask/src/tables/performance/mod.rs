//! The table of `docs/performance.md`: what `pliant bench` measures, beside what the machine allows, what the readable code takes and what the papers print.
//!
//! Two machines are compared by ratios alone: the share of the machine's limit, and how many times faster a kernel is than its readable implementation, both of one run.
//! They are held against the table of the last release, so that a table which is written anew does not hide what it has lost.

mod papers;
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
#[derive(Default)]
struct Options {
    /// Compare, and leave the document as it is.
    check: bool,
    /// Measure nothing, and write the column of the papers anew.
    papers: bool,
    /// Kernels; all, if there is none.
    kernels: Vec<String>,
}

impl Options {
    /// From the words after `bench-table`. A table of some kernels would lose the others: naming them asks for `--check`.
    fn read(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self::default();
        for word in arguments {
            match word.as_str() {
                "--check" => options.check = true,
                "--papers" => options.papers = true,
                other if other.starts_with('-') => {
                    return Err(format!(
                        "`cargo xtask bench-table` has no option `{other}`; it has --check and --papers"
                    ));
                }
                kernel => options.kernels.push(kernel.to_string()),
            }
        }
        if options.papers && arguments.len() > 1 {
            return Err("--papers measures nothing: it stands alone".into());
        }
        if !options.kernels.is_empty() && !options.check {
            return Err(
                "the document has a table of all kernels; name some with --check alone".into(),
            );
        }
        Ok(options)
    }
}

/// Measures, warns of what has become slower since the last release, and writes the table into the document.
pub fn run(arguments: &[String]) -> Outcome {
    let options = Options::read(arguments)?;
    let document = Document::read(NAME, COMMAND)?;
    if options.papers {
        return document.write(&rows::with_papers(document.table()));
    }
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
    let now = rows::rows(&measured);
    let table = rows::table(&measured["machine"], &now);
    println!("{table}");
    let before = Document::before(&root(), NAME, COMMAND);
    let (text, of) = match &before {
        Some((before, of)) => (before.table(), of.as_str()),
        // an archive without history
        None => (document.table(), "as it stands"),
    };
    print!("{}", compared(&rows::read(text), &now, of));
    if options.check {
        return Ok(());
    }
    document.write(&table)
}

/// What has become slower than the rows `before`, a line each, and how much of the table that says.
fn compared(before: &[Row], now: &[Row], of: &str) -> String {
    let (lines, rows) = slower(before, now);
    let mut text = String::new();
    for line in &lines {
        text.push_str(&format!(
            "warning: slower than docs/{NAME} ({of}): {line}\n"
        ));
    }
    text.push_str(&format!(
        "{} ratios of {rows} rows are below those of docs/{NAME} ({of}); ratios move by a tenth from run to run\n",
        lines.len()
    ));
    match now.len() - rows {
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
    fn a_comparison_warns_and_says_with_what() {
        let [before, same, slow] = [10.0, 11.0, 20.0].map(|ns| rows::rows(&measured(ns)));
        let fine = compared(&before, &same, "at v1");
        assert!(
            fine.starts_with("0 ratios of 3 rows") && !fine.contains("warning"),
            "{fine}"
        );
        let told = compared(&before, &slow, "at v1");
        assert_eq!(told.matches("warning: ").count(), 2, "{told}");
        assert!(
            told.contains("(at v1): lattice-step-damped 57760 (1 threads): 25.0 % of the limit"),
            "{told}"
        );
        let other = compared(&before[..1], &slow, "at v1");
        assert!(other.contains("2 rows are not in that table"), "{other}");
    }

    #[test]
    fn kernels_are_named_for_a_check_alone() {
        let arguments = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        assert!(Options::read(&arguments("--check polar")).is_ok_and(|o| o.check));
        assert!(Options::read(&arguments("--papers")).is_ok_and(|o| o.papers && !o.check));
        assert!(Options::read(&arguments("polar")).is_err_and(|e| e.contains("--check")));
        assert!(Options::read(&arguments("--fast")).is_err_and(|e| e.contains("--fast")));
        assert!(Options::read(&arguments("--papers polar")).is_err_and(|e| e.contains("alone")));
        assert!(Options::read(&arguments("--papers --check")).is_err_and(|e| e.contains("alone")));
    }
}
