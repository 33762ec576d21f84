//! The sentence of a note with its numbers as panels write them: digits in groups, lengths with a unit of their size.

use pliant_render::numbers::{engineering_unit, grouped, number};

/// Units that get a prefix.
const UNITS: [&str; 3] = ["m", "Pa", "N"];
/// Signs that may stand around a number or a unit.
const SIGNS: [char; 8] = ['(', ')', ',', ';', ':', '.', '\n', '…'];

/// `sentence` with its numbers made readable. Names in backticks stay as they are.
pub fn readable(sentence: &str) -> String {
    let words: Vec<&str> = sentence.split(' ').collect();
    let mut told: Vec<String> = Vec::with_capacity(words.len());
    let mut k = 0;
    while let Some(&word) = words.get(k) {
        let inner = word.trim_matches(SIGNS);
        let unit = words.get(k + 1).map(|next| next.trim_end_matches(SIGNS));
        let unit = unit.filter(|unit| UNITS.contains(unit));
        let is_edge = k >= 2 && words[k - 2..k] == ["mesh.edge", "="];
        let new = match value_of(inner) {
            Some(value) if is_edge && unit.is_none() => format!("{value} m"),
            Some(value) => match unit {
                Some(unit) => {
                    let (scale, prefixed) = engineering_unit(value.abs(), unit);
                    if scale != 1.0 || inner.contains('e') {
                        // the unit is written with its number
                        told.push(word.replace(inner, &number(value * scale, 3)));
                        told.push(words[k + 1].replacen(unit, &prefixed, 1));
                        k += 2;
                        continue;
                    }
                    inner.to_string()
                }
                None => plain(inner, value),
            },
            None => inner.to_string(),
        };
        told.push(match inner {
            "" => word.to_string(),
            _ => word.replacen(inner, &new, 1),
        });
        k += 1;
    }
    told.join(" ")
}

/// The number that a word is; `None` for any other word.
fn value_of(word: &str) -> Option<f64> {
    let begins = word
        .trim_start_matches('-')
        .starts_with(|c: char| c.is_ascii_digit());
    let value = word.parse::<f64>().ok()?;
    (begins && value.is_finite()).then_some(value)
}

/// A number without a unit that has prefixes.
fn plain(word: &str, value: f64) -> String {
    if let Ok(count) = word.parse::<usize>() {
        return grouped(count);
    }
    match word.contains('e') {
        true => number(value, 3),
        false => word.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_groups_and_lengths_one_unit() {
        for (text, told) in [
            (
                "skin vertex 650 lies 0.0102 m from the finest level (mean edge 0.0119 m)",
                "skin vertex 650 lies 10.2 mm from the finest level (mean edge 11.9 mm)",
            ),
            (
                "departs 1.64e-2 m from linear motion, more than 9.63e-4 m, but 55297 to 65149 tetrahedron evaluations",
                "departs 16.4 mm from linear motion, more than 963 µm, but 55,297 to 65,149 tetrahedron evaluations",
            ),
            (
                "8788 nodes (1.7 % of 12150).",
                "8,788 nodes (1.7 % of 12,150).",
            ),
            (
                "too coarse\n  remedy: mesh.edge = 0.0045 or less",
                "too coarse\n  remedy: mesh.edge = 0.0045 m or less",
            ),
            (
                "reached: 5.0000e3 Pa with `ball 12345`",
                "reached: 5.00 kPa with `ball 12345`",
            ),
            (
                "at 2 m, level 3: 0.5 m; -1.5e-7 of it",
                "at 2 m, level 3: 0.5 m; −1.50 × 10⁻⁷ of it",
            ),
            (
                "infinity and nan m are words",
                "infinity and nan m are words",
            ),
            ("", ""),
        ] {
            assert_eq!(readable(text), told);
        }
    }
}
