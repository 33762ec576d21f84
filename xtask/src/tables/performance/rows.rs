//! Rows of the table: from measurements to text, and back.

use serde_json::Value;

/// Header of the table.
const HEADER: &str = "| kernel | size | threads | measured | limit of the machine | share of it | readable code | times faster | papers |\n|---|---|---|---|---|---|---|---|---|\n";
/// A warning is given if a ratio is below this fraction of the one in the document.
const WARNING_RATIO: f64 = 0.8;

/// One row of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Kernel, size and threads, which identify the row.
    pub name: [String; 3],
    /// Measured value, limit, and value of the reference code, as printed.
    cells: [String; 3],
    /// Share of the machine's limit, %.
    share: Option<f64>,
    /// Speed-up over the reference code.
    faster: Option<f64>,
    /// Results of the papers, with their places. They are written by hand.
    papers: String,
}

/// A number in the format of the table: three significant digits, no exponent.
fn significant(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let digits = (2 - value.abs().log10().floor() as i32).max(0) as usize;
    format!("{value:.digits$}")
}

/// The rows of the output of `pliant bench --json`, with the results of the papers in the rows of the same names of the table `before`.
pub fn rows(measured: &Value, before: &[Row]) -> Vec<Row> {
    let results = measured["results"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    results.iter().map(|result| row(result, before)).collect()
}

fn row(result: &Value, before: &[Row]) -> Row {
    let unit = result["unit"].as_str().unwrap_or_default();
    let value = result["value"].as_f64();
    let share = result["fraction_of_limit"].as_f64().map(|f| 100.0 * f);
    // a speed-up is itself the comparison with the reference code
    let reference = result["reference_value"].as_f64().filter(|_| unit != "x");
    let with_unit =
        |value: Option<f64>| value.map_or(String::new(), |v| format!("{} {unit}", significant(v)));
    let is_rate = unit == "GB/s";
    let faster = match (value, reference) {
        (Some(value), Some(reference)) if is_rate => Some(value / reference),
        (Some(value), Some(reference)) => Some(reference / value),
        (Some(value), None) if unit == "x" => Some(value),
        _ => None,
    };
    let name = ["name", "size", "threads"].map(|key| match &result[key] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    let same = before.iter().find(|row| row.name == name);
    Row {
        papers: same.map_or(String::new(), |row| row.papers.clone()),
        name,
        cells: [
            with_unit(value),
            with_unit(result["limit"].as_f64()),
            with_unit(reference),
        ],
        share,
        faster,
    }
}

/// The table of the document, below a line about the machine.
pub fn table(machine: &Value, rows: &[Row]) -> String {
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
    let mut text = format!("Measured with {}.\n\n{HEADER}", limits.join("; "));
    for row in rows {
        let share = row.share.map_or(String::new(), |s| format!("{s:.0} %"));
        let faster = row.faster.map_or(String::new(), significant);
        let [kernel, size, threads] = &row.name;
        let [value, limit, reference] = &row.cells;
        let papers = &row.papers;
        text.push_str(&format!(
            "| `{kernel}` | {size} | {threads} | {value} | {limit} | {share} | {reference} | {faster} | {papers} |\n"
        ));
    }
    text
}

/// The rows of a table in the format of [`table`].
pub fn read(table: &str) -> Vec<Row> {
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
                papers,
            ]: [&str; 9] = cells.try_into().ok()?;
            Some(Row {
                name: [kernel.trim_matches('`'), size, threads].map(String::from),
                cells: [value, limit, reference].map(|cell| cell.to_string()),
                share: share.trim_end_matches(" %").parse().ok(),
                faster: faster.parse().ok(),
                papers: papers.to_string(),
            })
        })
        .collect()
}

/// A line for each ratio of `new` that is clearly below that of `old`, and the number of compared rows.
pub fn slower(old: &[Row], new: &[Row]) -> (Vec<String>, usize) {
    let (mut lines, mut compared) = (Vec::new(), 0);
    for row in new {
        let Some(before) = old.iter().find(|before| before.name == row.name) else {
            continue;
        };
        compared += 1;
        let ratios = [
            ("% of the limit", before.share, row.share),
            ("times the readable code", before.faster, row.faster),
        ];
        for (what, before, now) in ratios {
            if let (Some(before), Some(now)) = (before, now)
                && now < WARNING_RATIO * before
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
    (lines, compared)
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use serde_json::json;

    /// An output of `pliant bench --json` with a step of `value` nanoseconds per particle.
    pub fn measured(value: f64) -> Value {
        json!({
            "machine": { "by_threads": [{ "threads": 1, "stream_gb_s": 40.0, "peak_gflops_f32": 288.0 }] },
            "results": [
                { "name": "lattice-step-damped", "size": 57760, "threads": 1, "unit": "ns/particle", "value": value,
                  "limit": 5.0, "fraction_of_limit": 5.0 / value, "reference_value": 100.0 },
                { "name": "sum", "size": 40, "threads": 2, "unit": "GB/s", "value": 30.0,
                  "limit": 40.0, "fraction_of_limit": 0.75, "reference_value": 1.5 },
                { "name": "poke", "size": 8000, "threads": 1, "unit": "x", "value": 4.0,
                  "limit": null, "fraction_of_limit": null, "reference_value": 1.0 },
            ]
        })
    }

    #[test]
    fn a_written_table_is_read_back_and_keeps_the_results_of_papers() {
        let mut before = rows(&measured(20.0), &[]);
        before[0].papers = "2912 ns/particle (RJ 2007, table 1)".into();
        let rows = rows(&measured(10.0), &before);
        let text = table(&measured(10.0)["machine"], &rows);
        for line in [
            "| `lattice-step-damped` | 57760 | 1 | 10.0 ns/particle | 5.00 ns/particle | 50 % | 100 ns/particle | 10.0 | 2912 ns/particle (RJ 2007, table 1) |",
            "| `sum` | 40 | 2 | 30.0 GB/s | 40.0 GB/s | 75 % | 1.50 GB/s | 20.0 |  |",
            "| `poke` | 8000 | 1 | 4.00 x |  |  |  | 4.00 |  |",
        ] {
            assert!(text.contains(line), "{line} is not in\n{text}");
        }
        assert_eq!(read(&text), rows);
    }

    #[test]
    fn slower_kernels_are_found_by_their_ratios() {
        let before = rows(&measured(10.0), &[]);
        assert_eq!(
            slower(&before, &rows(&measured(11.0), &[])),
            (Vec::new(), 3)
        );
        let (lines, compared) = slower(&before, &rows(&measured(20.0), &[]));
        assert_eq!((lines.len(), compared), (2, 3), "{lines:?}");
        assert!(lines[0].contains("57760 (1 threads): 25.0 % of the limit, was 50.0"));
        assert_eq!(slower(&before[1..], &before), (Vec::new(), 2));
    }
}
