//! The numbers that a page prints, and whether a JSON object has them.

use std::collections::HashSet;

use serde_json::Value;

/// Words with digits of the page that `json` does not have: neither as a number, up to rounding and the prefix of the unit, nor in one of its sentences.
///
/// Plots are left out: their axes have numbers of their own, and their curves are in `curves.csv`.
pub fn missing(page: &str, json: &Value) -> Vec<String> {
    let mut known = Known::default();
    known.add(json);
    let text = text_of(page);
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut missing = Vec::new();
    for (k, word) in words.iter().enumerate() {
        let word = bare(word);
        if !word.contains(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let unit = words.get(k + 1).copied().unwrap_or_default();
        if !known.has(word, unit.trim_end_matches(['.', ',', ';', ':', ')'])) {
            missing.push(word.to_string());
        }
    }
    missing
}

/// What stands between the tags of the body, without plots.
fn text_of(page: &str) -> String {
    let (_, body) = page.split_once("<body>").expect("a body");
    let (before, rest) = body.split_once("<div class=\"curves\">").expect("plots");
    let (_, after) = rest.split_once("</div>").expect("the plots end");
    let mut text = String::new();
    for part in format!("{before}{after}").split('<') {
        let said = part.split_once('>').map_or(part, |(_, said)| said);
        text.push_str(said);
        text.push(' ');
    }
    for (entity, character) in [
        ("&#39;", "'"),
        ("&quot;", "\""),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&amp;", "&"),
    ] {
        text = text.replace(entity, character);
    }
    text
}

/// A word without signs and punctuation around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// What a JSON object says.
#[derive(Default)]
struct Known {
    numbers: Vec<f64>,
    words: HashSet<String>,
}

impl Known {
    fn add(&mut self, value: &Value) {
        match value {
            Value::Number(number) => self.numbers.extend(number.as_f64()),
            Value::String(text) => {
                let words = text.split_whitespace().map(|word| bare(word).to_string());
                self.words.extend(words);
            }
            Value::Array(items) => items.iter().for_each(|item| self.add(item)),
            Value::Object(entries) => {
                for (key, value) in entries {
                    // such as 99 of p99_ms
                    let digits = key.split(|c: char| !c.is_ascii_digit());
                    self.words.extend(digits.map(str::to_string));
                    self.add(value);
                }
            }
            Value::Bool(_) | Value::Null => {}
        }
    }

    fn has(&self, word: &str, unit: &str) -> bool {
        if self.words.contains(word) {
            return true;
        }
        let Ok(printed) = word.parse::<f64>() else {
            return false;
        };
        let scales: &[f64] = match unit {
            "%" => &[1e2],
            "nm" => &[1e9],
            "µm" | "µN" => &[1e6],
            "mm" | "mN" => &[1e3],
            // some times are in ms already
            "ms" => &[1.0, 1e3],
            "kPa" | "kN" => &[1e-3],
            "MPa" => &[1e-6],
            _ => &[1.0],
        };
        let decimals = word.split_once('.').map_or(0, |(_, d)| d.len() as i32);
        let half = 0.501 * 10.0_f64.powi(-decimals);
        let is_it = |number: &f64| {
            let rounded = |scale: &f64| (number.abs() * scale - printed).abs() <= half;
            scales.iter().any(rounded)
        };
        self.numbers.iter().any(is_it)
    }
}
