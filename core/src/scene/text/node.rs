//! A key of a scene: what may stand behind it, and how a table is held against its keys.

use toml::Value;

use crate::scene::error::SceneError;

/// What stands behind a key.
pub(crate) enum Node {
    /// Any value; checked when it is read.
    Value,
    /// A table with these keys.
    Table(&'static [(&'static str, Node)]),
    /// An array of tables with these keys.
    Tables(&'static [(&'static str, Node)]),
    /// Planned; the text says what to use today.
    Later(&'static str),
}

/// Refuses the first key of a table that is unknown or not yet supported; `at` is the path of the table, empty for the scene.
///
/// # Errors
/// [`SceneError::UnknownKey`], [`SceneError::NotYetSupported`], [`SceneError::BadValue`] where a table is something else.
pub(crate) fn check_table(
    table: &toml::Table,
    known: &[(&str, Node)],
    at: &str,
) -> Result<(), SceneError> {
    for (key, value) in table {
        let path = if at.is_empty() {
            key.clone()
        } else {
            format!("{at}.{key}")
        };
        let Some((_, node)) = known.iter().find(|(name, _)| name == key) else {
            let did_you_mean = known
                .iter()
                .map(|(name, _)| (strsim::damerau_levenshtein(name, key), *name))
                .filter(|(distance, name)| *distance <= 1 + name.len() / 3)
                .min()
                .map(|(_, name)| name.to_string());
            return Err(SceneError::UnknownKey { path, did_you_mean });
        };
        match (node, value) {
            (Node::Value, _) => {}
            (Node::Later(instead), _) => {
                return Err(SceneError::NotYetSupported {
                    path,
                    instead: (*instead).to_string(),
                });
            }
            (Node::Table(inner), Value::Table(t)) => check_table(t, inner, &path)?,
            (Node::Tables(inner), Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    let path = format!("{path}[{index}]");
                    match item {
                        Value::Table(t) => check_table(t, inner, &path)?,
                        _ => return Err(wrong(path, "must be a table")),
                    }
                }
            }
            (Node::Table(_), _) => return Err(wrong(path, "must be a table")),
            (Node::Tables(_), _) => return Err(wrong(path, "must be an array of tables")),
        }
    }
    Ok(())
}

fn wrong(path: String, reason: &str) -> SceneError {
    SceneError::BadValue {
        path,
        reason: format!("{reason}\n  remedy: see the bundled scenes for an example"),
    }
}
