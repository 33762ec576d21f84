//! Values of parameters as text.

use pliant_core::inspect::{ParameterInfo, ParameterValue};

use super::wording;

/// A value in words.
pub fn text(value: &ParameterValue, info: &ParameterInfo) -> String {
    match value {
        ParameterValue::Number(x) => match wording::special(info.name, *x) {
            Some(word) => word.to_string(),
            None => format!("{}{}", number_text(info.name, *x, 3), suffix(info)),
        },
        ParameterValue::Flag(on) => if *on { "yes" } else { "no" }.to_string(),
        ParameterValue::Choice(word) => word.clone(),
    }
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

/// A value that can be edited; whole numbers without decimals.
pub fn number_text(name: &str, value: f64, decimals: usize) -> String {
    match wording::special(name, value) {
        Some(word) => word.to_string(),
        None if value.fract() == 0.0 => format!("{value:.0}"),
        None => format!("{value:.decimals$}"),
    }
}
