//! Description of a file.

use std::borrow::Borrow;

use serde_json::Value;

/// For people: name and value.
pub(super) type Line = (&'static str, String);

/// Description of a file.
pub(super) struct Findings {
    pub kind: &'static str,
    pub lines: Vec<Line>,
    /// for the JSON object
    pub fields: Value,
}

/// A list for people.
pub(super) fn comma_list<S: Borrow<str>>(names: &[S]) -> String {
    match names.is_empty() {
        true => "none".to_string(),
        false => names.join(", "),
    }
}
