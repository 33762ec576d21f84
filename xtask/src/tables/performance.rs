//! The table of `docs/performance.md`: what `pliant bench` measures, beside what the machine allows and what the readable code takes.
//!
//! Two machines are compared by ratios alone: the share of the machine's limit, and how many times faster a kernel is than its readable implementation, both of one run.

use std::process::Stdio;

use serde_json::Value;

use super::document::Document;
use crate::step::{Outcome, cargo};

/// Head of the table.
const HEAD: &str = "| kernel | size | threads | measured | limit of the machine | share of it | readable code | times faster |\n|---|---|---|---|---|---|---|---|\n";
/// A ratio this much below the one in the document is told.
const WARN_BELOW: f64 = 0.8;

/// What to measure.
#[derive(Debug, PartialEq, Eq, Default)]
pub struct Options {
    /// Compare with the document, and leave it as it is.
    check: bool,
    /// Kernels; all, if there is none.
    kernels: Vec<String>,
}

impl Options {
    /// From the words after `bench-table`. A table of some kernels would lose the others: naming them asks for `--check`.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let mut options = Self::default();
        for word in words {
            match word.as_str() {
                "--check" => options.check = true,
                other if other.starts_with('-') => {
                    return Err(format!(
                        "`cargo xtask bench-table` has no option `{other}`; it has --check"
                    ));
                }
                kernel => options.kernels.push(kernel.to_string()),
            }
        }
        if !options.kernels.is_empty() && !options.check {
            return Err(
                "the document has a table of all kernels; name some with --check alone".into(),
            );
        }
        Ok(options)
    }
}

/// One row of the table.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    /// Kernel, size and threads, which name the row.
    name: [String; 3],
    /// Figure, limit and share, readable code: as they are printed.
    cells: [String; 3],
    /// Share of the machine's limit, %.
    share: Option<f64>,
    /// Times faster than the readable code.
    faster: Option<f64>,
}

/// Measures, warns of what has become slower than the document says, and writes the table into it.
pub fn run(options: &Options) -> Outcome {
    let document = Document::read("performance.md", "bench-table")?;
    let output = cargo("run --release -q -p pliant-cli -- bench --json")
        .args(&options.kernels)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("bench-table: {e}"))?;
    if !output.status.success() {
        return Err("`pliant bench` failed".into());
    }
    let measured: Value = serde_json::from_slice(&output.stdout)
        .map_err(|e| format!("what `pliant bench --json` printed: {e}"))?;
    let rows = rows(&measured);
    let table = table(&measured["machine"], &rows);
    println!("{table}");
    let slower = slower(&read(document.table()), &rows);
    for line in &slower {
        println!("slower than docs/performance.md: {line}");
    }
    if options.check {
        println!(
            "{} of {} kernels at a size are slower than the document says; ratios move by a tenth from run to run",
            slower.len(),
            rows.len()
        );
        return Ok(());
    }
    document.write(&table)
}

/// The rows of what `pliant bench --json` printed.
fn rows(measured: &Value) -> Vec<Row> {
    let results = measured["results"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    results.iter().map(row).collect()
}

fn row(result: &Value) -> Row {
    let unit = result["unit"].as_str().unwrap_or_default();
    let value = result["value"].as_f64();
    let share = result["fraction_of_limit"].as_f64().map(|f| 100.0 * f);
    // a speed-up is its own comparison with what is readable
    let reference = result["reference_value"].as_f64().filter(|_| unit != "x");
    let with_unit =
        |value: Option<f64>| value.map_or(String::new(), |v| format!("{} {unit}", significant(v)));
    let rate = unit == "GB/s";
    let faster = match (value, reference) {
        (Some(value), Some(reference)) if rate => Some(value / reference),
        (Some(value), Some(reference)) => Some(reference / value),
        (Some(value), None) if unit == "x" => Some(value),
        _ => None,
    };
    Row {
        name: ["name", "size", "threads"].map(|key| match &result[key] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }),
        cells: [
            with_unit(value),
            with_unit(result["limit"].as_f64()),
            with_unit(reference),
        ],
        share,
        faster,
    }
}

/// Three significant digits, without an exponent.
fn significant(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let digits = (2 - value.abs().log10().floor() as i32).max(0) as usize;
    format!("{value:.digits$}")
}

/// The table as the document has it, below a line on the machine.
fn table(machine: &Value, rows: &[Row]) -> String {
    let mut text = String::from("Measured with ");
    let by_threads = machine["by_threads"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let limits: Vec<String> = (by_threads.iter())
        .map(|of| {
            format!(
                "{} thread(s): memory read {:.1} GB/s, {:.0} GFLOP/s in single precision",
                of["threads"],
                of["stream_gb_s"].as_f64().unwrap_or(0.0),
                of["peak_gflops_f32"].as_f64().unwrap_or(0.0)
            )
        })
        .collect();
    text.push_str(&limits.join("; "));
    text.push_str(".\n\n");
    text.push_str(HEAD);
    for row in rows {
        let share = row.share.map_or(String::new(), |s| format!("{s:.0} %"));
        let faster = row.faster.map_or(String::new(), significant);
        let [kernel, size, threads] = &row.name;
        let [value, limit, reference] = &row.cells;
        text.push_str(&format!(
            "| `{kernel}` | {size} | {threads} | {value} | {limit} | {share} | {reference} | {faster} |\n"
        ));
    }
    text
}

/// The rows of a table as [`table`] wrote it.
fn read(table: &str) -> Vec<Row> {
    (table.lines())
        .filter(|line| line.starts_with("| `"))
        .filter_map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [
                kernel,
                size,
                threads,
                value,
                limit,
                share,
                reference,
                faster,
            ] = cells[..]
            else {
                return None;
            };
            Some(Row {
                name: [kernel.trim_matches('`'), size, threads].map(String::from),
                cells: [value, limit, reference].map(String::from),
                share: share.trim_end_matches(" %").parse().ok(),
                faster: faster.parse().ok(),
            })
        })
        .collect()
}

/// A line for each ratio of `new` that is clearly below that of `old`.
fn slower(old: &[Row], new: &[Row]) -> Vec<String> {
    let mut lines = Vec::new();
    for row in new {
        let Some(before) = old.iter().find(|before| before.name == row.name) else {
            continue;
        };
        let ratios = [
            ("% of the limit", before.share, row.share),
            ("times the readable code", before.faster, row.faster),
        ];
        for (what, before, now) in ratios {
            if let (Some(before), Some(now)) = (before, now)
                && now < WARN_BELOW * before
            {
                lines.push(format!(
                    "{} {} ({} threads): {} {what}, was {}",
                    row.name[0],
                    row.name[1],
                    row.name[2],
                    significant(now),
                    significant(before)
                ));
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn measured(value: f64) -> Value {
        json!({
            "machine": { "by_threads": [{ "threads": 1, "stream_gb_s": 40.0, "peak_gflops_f32": 288.0 }] },
            "results": [
                { "name": "step", "size": 1000, "threads": 1, "unit": "ns/particle", "value": value,
                  "limit": 5.0, "fraction_of_limit": 5.0 / value, "reference_value": 100.0 },
                { "name": "sum", "size": 40, "threads": 2, "unit": "GB/s", "value": 30.0,
                  "limit": 40.0, "fraction_of_limit": 0.75, "reference_value": 1.5 },
                { "name": "poke", "size": 8000, "threads": 1, "unit": "x", "value": 4.0,
                  "limit": null, "fraction_of_limit": null, "reference_value": 1.0 },
            ]
        })
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let rows = rows(&measured(10.0));
        let text = table(&measured(10.0)["machine"], &rows);
        assert!(text.contains("| `step` | 1000 | 1 | 10.0 ns/particle | 5.00 ns/particle | 50 % | 100 ns/particle | 10.0 |"), "{text}");
        assert!(
            text.contains("| `sum` | 40 | 2 | 30.0 GB/s | 40.0 GB/s | 75 % | 1.50 GB/s | 20.0 |"),
            "{text}"
        );
        assert!(
            text.contains("| `poke` | 8000 | 1 | 4.00 x |  |  |  | 4.00 |"),
            "{text}"
        );
        assert_eq!(read(&text), rows);
    }

    #[test]
    fn what_has_become_slower_is_told_by_its_ratios() {
        let before = rows(&measured(10.0));
        assert!(slower(&before, &rows(&measured(11.0))).is_empty());
        let lines = slower(&before, &rows(&measured(20.0)));
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].contains("step 1000 (1 threads): 25.0 % of the limit, was 50.0"));
    }

    #[test]
    fn kernels_are_named_for_a_check_alone() {
        let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        assert!(Options::read(&words("--check polar")).is_ok_and(|o| o.check));
        assert!(Options::read(&words("polar")).is_err_and(|e| e.contains("--check")));
        assert!(Options::read(&words("--fast")).is_err_and(|e| e.contains("--fast")));
    }
}
