//! The table of advice that was confirmed, for `docs/accuracy.md`.

use std::process::Stdio;

use serde_json::Value;

use super::document::Document;
use crate::step::{Outcome, cargo, fresh_folder};

/// The document, and the command that makes its table.
const NAME: &str = "accuracy.md";
const COMMAND: &str = "advice";
/// Bundled scenes with one body on which all methods run; `drop-in` has a penguin.
const SCENES: [&str; 5] = ["poke", "kidney", "liver", "drop-in", "rabbit"];
/// Simulated seconds: the press and some of the hold, also of the first poke of the liver.
const SECONDS: &str = "2.5";
/// Header of the table.
const HEADER: &str = "| body | advised | time advised | run again | within 20 % | error advised | run again | on another poke | its reference |\n|---|---|---|---|---|---|---|---|---|\n";

/// Asks for advice on each body, with `--confirm`, and writes the table into the document.
pub fn run() -> Outcome {
    let document = Document::read(NAME, COMMAND)?;
    let folder = fresh_folder(COMMAND)?;
    let mut table = HEADER.to_string();
    for scene in SCENES {
        let words =
            format!("run --release -q -p pliant-cli -- advise {scene} --duration {SECONDS}");
        let output = cargo(&words)
            .args(["--confirm", "--json", "--out"])
            .arg(folder.join(scene))
            .stderr(Stdio::inherit())
            .output()
            .map_err(|e| format!("{COMMAND}: {e}"))?;
        let advice: Value = serde_json::from_slice(&output.stdout)
            .map_err(|e| format!("what `pliant advise {scene} --json` printed: {e}"))?;
        if !output.status.success() {
            return Err(format!("no advice on {scene}: {advice}"));
        }
        table.push_str(&row(scene, &advice));
    }
    print!("{table}");
    document.write(&table)
}

/// A row of the table, from the JSON of `pliant advise --confirm`.
fn row(scene: &str, advice: &Value) -> String {
    let number = advice["advised"].as_u64().and_then(|n| n.try_into().ok());
    let advised = &advice["candidates"][number.unwrap_or(usize::MAX)];
    let confirmation = &advice["confirmation"];
    let other_poke = &confirmation["other_poke"];
    let text = |value: &Value| value.as_str().unwrap_or("—").to_string();
    let cells = [
        format!("`{scene}`"),
        format!("{}: {}", text(&advised["method"]), text(&advised["label"])),
        milliseconds(&advised["median_ms"]),
        milliseconds(&confirmation["median_ms"]),
        verdict(
            &confirmation["cost_within_20_percent"],
            &confirmation["cost_difference"],
        ),
        percent(&advised["force_error"]),
        percent(&confirmation["force_error"]),
        percent(&other_poke["force_error"]),
        uncertainty(&other_poke["uncertainty"]),
    ];
    format!("| {} |\n", cells.join(" | "))
}

fn milliseconds(value: &Value) -> String {
    let number = value.as_f64();
    number.map_or("—".into(), |ms| format!("{ms:.2} ms"))
}

fn percent(value: &Value) -> String {
    let number = value.as_f64();
    number.map_or("—".into(), |share| format!("{:+.1} %", 100.0 * share))
}

fn uncertainty(value: &Value) -> String {
    let number = value.as_f64();
    number.map_or("—".into(), |share| format!("± {:.0} %", 100.0 * share))
}

/// "yes (+4 %)", "no (-26 %)" or "undecided (-26 %)"; a dash where nothing was compared.
fn verdict(holds: &Value, difference: &Value) -> String {
    let Some(difference) = difference.as_f64() else {
        return "—".into();
    };
    let word = match holds.as_bool() {
        Some(true) => "yes",
        Some(false) => "no",
        None => "undecided",
    };
    format!("{word} ({:+.0} %)", 100.0 * difference)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_row_has_what_was_advised_and_what_was_found() {
        let mut advice = json!({
            "advised": 1,
            "candidates": [
                {},
                { "method": "quasistatic", "label": "loads = \"faces\"", "median_ms": 0.54, "force_error": 0.054 },
            ],
            "confirmation": {
                "median_ms": 0.4,
                "force_error": 0.054,
                "cost_difference": -0.26,
                "cost_within_20_percent": null,
                "other_poke": { "force_error": 0.05, "uncertainty": 0.09 },
            },
        });
        assert_eq!(
            row("drop-in", &advice),
            "| `drop-in` | quasistatic: loads = \"faces\" | 0.54 ms | 0.40 ms | undecided (-26 %) | +5.4 % | +5.4 % | +5.0 % | ± 9 % |\n"
        );
        let confirmation = &mut advice["confirmation"];
        confirmation["cost_within_20_percent"] = json!(false);
        confirmation["other_poke"] = Value::Null;
        assert_eq!(
            row("poke", &advice),
            "| `poke` | quasistatic: loads = \"faces\" | 0.54 ms | 0.40 ms | no (-26 %) | +5.4 % | +5.4 % | — | — |\n"
        );
    }

    #[test]
    fn the_document_has_a_place_for_the_table() {
        let document = Document::read(NAME, COMMAND).expect("a place");
        let table = document.table();
        let rows = table.lines().filter(|line| line.starts_with("| `")).count();
        assert!(table.is_empty() || rows == SCENES.len(), "{table}");
    }
}
