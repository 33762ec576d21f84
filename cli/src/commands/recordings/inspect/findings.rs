//! Description of a file.

use serde_json::Value;

/// Description of a file.
pub(super) struct Findings {
    pub kind: &'static str,
    /// for people: name and value
    pub lines: Vec<(&'static str, String)>,
    /// for the JSON object
    pub fields: Value,
}

/// A list for people.
pub(super) fn comma_list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match names.is_empty() {
        true => "none".to_string(),
        false => names.join(", "),
    }
}
