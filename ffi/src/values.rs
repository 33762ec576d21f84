//! Values of keys, as a scene file writes them.

use pliant::{ParameterValue, Value};

use crate::failure::{Failure, Outcome};

/// The value that a text says: `0.02`, `16`, `true`, `"mm"`, `[0.1, 0.2]`, `{ min = [0, 0, 0], max = [1, 1, 1] }`.
pub fn value(text: &str, key: &str) -> Outcome<Value> {
    let invalid_value = || {
        Failure::argument(format!(
            "`{text}` is no value for `{key}`\n  remedy: write it as a scene file does: 0.02, true, \"mm\", [0.1, 0.2]"
        ))
    };
    let mut table: toml::Table = format!("value = {text}")
        .parse()
        .map_err(|_| invalid_value())?;
    match (table.remove("value"), table.is_empty()) {
        (Some(value), true) => Ok(value),
        _ => Err(invalid_value()),
    }
}

/// The value of a parameter of a model: a number, a flag or a word.
pub fn parameter(text: &str, name: &str) -> Outcome<ParameterValue> {
    match value(text, name)? {
        Value::Float(x) => Ok(ParameterValue::Number(x)),
        Value::Integer(x) => Ok(ParameterValue::Number(x as f64)),
        Value::Boolean(flag) => Ok(ParameterValue::Flag(flag)),
        Value::String(word) => Ok(ParameterValue::Choice(word)),
        _ => Err(Failure::argument(format!(
            "`{text}` is no value for `{name}`\n  remedy: give a number, true, false, or a word in quotes"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_one_value() {
        assert_eq!(value("16", "x").ok(), Some(Value::Integer(16)));
        assert_eq!(value(" 0.5 # half", "x").ok(), Some(Value::Float(0.5)));
        for wrong in ["", "mm", "1\nother = 2", "1 2", "[1", "= 3"] {
            assert!(value(wrong, "x").is_err(), "{wrong}");
        }
        assert!(parameter("[1]", "x").is_err());
    }
}
