//! Values of parameters as text.

use egui::DragValue;
use pliant_core::inspect::{ParameterInfo, ParameterValue};
use pliant_render::numbers::{engineering_unit, grouped, number, quantity};

use super::wording;

/// Decimals of a value that can be edited: always as many, so that a field is as wide on every screen.
const DECIMALS: usize = 3;

/// Text in place of a value that does not exist yet.
pub const MISSING_VALUE: &str = "—";

/// A value in words.
pub fn text(value: &ParameterValue, info: &ParameterInfo) -> String {
    match value {
        ParameterValue::Number(x) => match wording::special(info.name, *x) {
            Some(word) => word.to_string(),
            None => format!("{}{}", number_text(info.name, *x), suffix(info)),
        },
        ParameterValue::Flag(on) => yes_or_no(*on).to_string(),
        ParameterValue::Choice(word) => wording::of_choice(word).to_string(),
    }
}

/// A flag in a word.
pub fn yes_or_no(on: bool) -> &'static str {
    if on { "yes" } else { "no" }
}

/// The unit as it is printed.
pub fn unit(info: &ParameterInfo) -> String {
    info.unit.replace("m^3", "m³").replace("m3", "m³")
}

/// The unit behind a number, with a blank before it.
pub fn suffix(info: &ParameterInfo) -> String {
    match info.unit {
        "" => String::new(),
        _ => format!(" {}", unit(info)),
    }
}

/// A value that can be edited; whole numbers without decimals, small ones with three digits.
pub fn number_text(name: &str, value: f64) -> String {
    match wording::special(name, value) {
        Some(word) => word.to_string(),
        None if value.fract() == 0.0 => group_digits(value),
        None => {
            let first = value.abs().log10().floor();
            let decimals = if first < -2.0 {
                (2.0 - first).min(12.0) as usize
            } else {
                DECIMALS
            };
            format!("{value:.decimals$}")
        }
    }
}

/// A measured value with three digits and a unit of its size. What is far below every other value of a frame is only bounded.
pub fn measured(value: f64, unit: &str) -> String {
    match value.abs() {
        size if size == 0.0 || size >= 1e-9 || !size.is_finite() => quantity(value, unit),
        size if size < 1e-12 => format!("under 1 p{unit}"),
        _ => format!("{} p{unit}", number(value * 1e12, 3)),
    }
}

/// A text whose words stay in one line.
pub fn in_one_line(text: &str) -> String {
    text.replace(' ', "\u{a0}")
}

/// A field for a number, which shows and reads it as [`number_text`] writes it.
pub fn field<'v>(name: &'v str, value: &'v mut f64) -> DragValue<'v> {
    DragValue::new(value)
        .custom_formatter(move |x, _| number_text(name, x))
        .custom_parser(parsed)
}

/// One end of a range with its unit.
pub fn end(value: f64, unit: &str) -> String {
    let (scale, prefixed) = engineering_unit(value.abs(), unit);
    let scaled = value * scale;
    // the scale is rounded
    let is_whole = (scaled - scaled.round()).abs() <= 1e-9 * scaled.abs();
    let text = match is_whole && scaled.abs() < 1e7 {
        true => group_digits(scaled.round()),
        false => number(scaled, 3),
    };
    format!("{text} {prefixed}").trim_end().to_string()
}

/// A whole number with its digits in groups.
fn group_digits(value: f64) -> String {
    if value.abs() >= 1e15 {
        return number(value, 3);
    }
    let sign = if value < 0.0 { "−" } else { "" };
    format!("{sign}{}", grouped(value.abs() as usize))
}

/// A number as it is typed. A comma is taken where it stands between groups of three digits, and nowhere else: elsewhere it may mean a decimal point.
fn parsed(text: &str) -> Option<f64> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let text = text.replace('−', "-");
    if !text.contains(',') {
        return text.parse().ok();
    }
    let (digits, decimals) = text.split_once('.').unwrap_or((&text, ""));
    let mut groups = digits.trim_start_matches('-').split(',');
    let is_number = |group: &str| group.chars().all(|c| c.is_ascii_digit());
    let first = groups.next()?;
    let begins = (1..=3).contains(&first.len()) && is_number(first) && first != "0";
    let goes_on = groups.all(|group| group.len() == 3 && is_number(group));
    let whole = digits.replace(',', "");
    (begins && goes_on && is_number(decimals))
        .then(|| format!("{whole}.{decimals}0").parse().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_can_be_typed_again_and_a_decimal_comma_is_not_taken_for_a_group() {
        for value in [
            0.0,
            -3.0,
            0.08,
            0.5,
            15_000.0,
            1_234_567.0,
            20_000.5,
            0.00125,
        ] {
            assert_eq!(parsed(&number_text("young", value)), Some(value), "{value}");
        }
        assert_eq!(number_text("young", 20_000.0), "20,000");
        assert_eq!(number_text("zeta", 0.1), "0.100");
        assert_eq!(number_text("zeta", 0.00125), "0.00125");
        assert_eq!(parsed("20 000"), Some(20_000.0));
        for text in [
            "0,5", "1,5", "0,500", "1,0000", ",500", "1,,000", "none", "",
        ] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }

    #[test]
    fn tiny_values_have_no_more_digits_than_others() {
        for (value, text) in [
            (0.0, "0 m"),
            (6e-18, "under 1 pm"),
            (-9.92e-12, "−9.92 pm"),
            (1.5e-9, "1.50 nm"),
            (0.002, "2.00 mm"),
            (f64::NAN, "— m"),
        ] {
            assert_eq!(measured(value, "m"), text);
        }
        assert_eq!(in_one_line("1.50 mm"), "1.50\u{a0}mm");
    }

    #[test]
    fn ends_of_ranges_have_units_of_their_size() {
        assert_eq!(end(1e12, "Pa"), "1,000 GPa");
        assert_eq!(end(1.0, "Pa"), "1 Pa");
        assert_eq!(end(1e5, "kg/m³"), "100,000 kg/m³");
        assert_eq!(end(-0.9, ""), "−0.900");
    }
}
