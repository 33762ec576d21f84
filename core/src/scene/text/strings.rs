//! Refusal of strings and keys that a message could not show in one line.

use toml::{Table, Value};

use crate::scene::error::SceneError;

/// Most characters of a string, longer than any file path.
const MAX_STRING_LENGTH: usize = 4096;
/// Most characters of a key.
const MAX_KEY_LENGTH: usize = 100;

/// Refuses strings and keys with line breaks or other control characters, those that are too long for a name or path, and empty names except that of the scene.
///
/// # Errors
/// [`SceneError::BadValue`] with the place.
pub(crate) fn check_strings(table: &Table) -> Result<(), SceneError> {
    check_table("", table)
}

fn check_table(path: &str, table: &Table) -> Result<(), SceneError> {
    for (key, value) in table {
        if let Some(reason) = problem(key, MAX_KEY_LENGTH) {
            let place = if path.is_empty() { "the scene" } else { path };
            return Err(bad(place, format!("a key of it {reason}")));
        }
        let is_blank = |value: &Value| value.as_str().is_some_and(|text| text.trim().is_empty());
        if key == "name" && !path.is_empty() && is_blank(value) {
            let reason = "must not be empty\n  remedy: give a name";
            return Err(bad(&format!("{path}.name"), reason.into()));
        }
        let dot = if path.is_empty() { "" } else { "." };
        check_value(&format!("{path}{dot}{key}"), value)?;
    }
    Ok(())
}

fn check_value(path: &str, value: &Value) -> Result<(), SceneError> {
    match value {
        Value::String(text) => match problem(text, MAX_STRING_LENGTH) {
            Some(reason) => Err(bad(path, reason)),
            None => Ok(()),
        },
        Value::Table(table) => check_table(path, table),
        Value::Array(items) => {
            let mut items = items.iter().enumerate();
            items.try_for_each(|(k, item)| check_value(&format!("{path}[{k}]"), item))
        }
        _ => Ok(()),
    }
}

/// The reason to refuse a string or key, if there is one.
fn problem(text: &str, max_length: usize) -> Option<String> {
    if text.chars().any(char::is_control) {
        return Some("must not contain line breaks or other control characters".into());
    }
    let count = text.chars().count();
    (count > max_length)
        .then(|| format!("is {count} characters long; at most {max_length} are allowed"))
}

fn bad(path: &str, reason: String) -> SceneError {
    SceneError::BadValue {
        path: path.to_string(),
        reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_that_would_break_a_message_are_refused_with_their_place() {
        let check = |text: &str| {
            let table: Table = text.parse().expect("TOML");
            check_strings(&table).map_err(|error| error.to_string())
        };
        assert_eq!(
            check("name = 'é'\nbody = [ { mesh = { file = 'a b.obj' } } ]"),
            Ok(())
        );
        assert_eq!(
            check("body = [ { name = 'a' }, { name = \"a\\nb\" } ]"),
            Err("`body[1].name`: must not contain line breaks or other control characters".into())
        );
        assert_eq!(
            check("tool = [ { name = ' ' } ]"),
            Err("`tool[0].name`: must not be empty\n  remedy: give a name".into())
        );
        let long = format!("x.y = '{}'", "z".repeat(4097));
        assert_eq!(
            check(&long),
            Err("`x.y`: is 4097 characters long; at most 4096 are allowed".into())
        );
        let key = format!("tool = [ {{ {} = 1 }} ]", "k".repeat(101));
        assert_eq!(
            check(&key),
            Err("`tool[0]`: a key of it is 101 characters long; at most 100 are allowed".into())
        );
    }
}
