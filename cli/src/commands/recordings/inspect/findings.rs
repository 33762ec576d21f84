//! What there is to be said about a file.

use serde_json::Value;

/// What there is to be said about a file.
pub(super) struct Findings {
    pub kind: &'static str,
    /// for people: a name and what it is
    pub lines: Vec<(&'static str, String)>,
    /// for scripts
    pub fields: Value,
}

/// A list for people.
pub(super) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match names.is_empty() {
        true => "none".to_string(),
        false => names.join(", "),
    }
}
