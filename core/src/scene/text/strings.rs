//! Strings and keys that no message could tell in one line.

use toml::{Table, Value};

use crate::scene::error::SceneError;

/// Most characters of a string: more than any path of a file has.
const LONGEST: usize = 4096;
/// Most characters of a key.
const LONGEST_KEY: usize = 100;

/// Refuses strings and keys with line breaks or other control characters, and those that are longer than any name or path.
///
/// # Errors
/// [`SceneError::BadValue`] with the place.
pub(crate) fn check_strings(table: &Table) -> Result<(), SceneError> {
    in_table("", table)
}

fn in_table(path: &str, table: &Table) -> Result<(), SceneError> {
    for (key, value) in table {
        if let Some(reason) = complaint(key, LONGEST_KEY) {
            let place = if path.is_empty() { "the scene" } else { path };
            return Err(bad(place, format!("a key of it {reason}")));
        }
        let dot = if path.is_empty() { "" } else { "." };
        in_value(&format!("{path}{dot}{key}"), value)?;
    }
    Ok(())
}

fn in_value(path: &str, value: &Value) -> Result<(), SceneError> {
    match value {
        Value::String(text) => match complaint(text, LONGEST) {
            Some(reason) => Err(bad(path, reason)),
            None => Ok(()),
        },
        Value::Table(table) => in_table(path, table),
        Value::Array(items) => {
            let mut items = items.iter().enumerate();
            items.try_for_each(|(k, item)| in_value(&format!("{path}[{k}]"), item))
        }
        _ => Ok(()),
    }
}

fn complaint(text: &str, longest: usize) -> Option<String> {
    if text.chars().any(char::is_control) {
        return Some("must not contain line breaks or other control characters".into());
    }
    let count = text.chars().count();
    (count > longest).then(|| format!("is {count} characters long; at most {longest} are allowed"))
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
        let told = |text: &str| {
            let table: Table = text.parse().expect("TOML");
            check_strings(&table).map_err(|error| error.to_string())
        };
        assert_eq!(
            told("name = 'é'\nbody = [ { mesh = { file = 'a b.obj' } } ]"),
            Ok(())
        );
        assert_eq!(
            told("body = [ { name = 'a' }, { name = \"a\\nb\" } ]"),
            Err("`body[1].name`: must not contain line breaks or other control characters".into())
        );
        let long = format!("x.y = '{}'", "z".repeat(4097));
        assert_eq!(
            told(&long),
            Err("`x.y`: is 4097 characters long; at most 4096 are allowed".into())
        );
        let key = format!("tool = [ {{ {} = 1 }} ]", "k".repeat(101));
        assert_eq!(
            told(&key),
            Err("`tool[0]`: a key of it is 101 characters long; at most 100 are allowed".into())
        );
    }
}
