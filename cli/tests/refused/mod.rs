//! Commands that are refused.

use std::path::Path;

use serde_json::Value;

use crate::json_command::json;

/// The error of a command that must be refused with this code and a remedy.
#[track_caller]
pub fn refused(folder: &Path, words: &str, expected: &str) -> Value {
    let (code, value) = json(folder, words);
    assert_eq!(code, 2, "{words}: {value:#}");
    let error = &value["error"];
    assert_eq!(error["code"], expected, "{words}: {error:#}");
    let hint = error["hint"].as_str().expect("a remedy");
    assert!(!hint.is_empty(), "{words}: {error:#}");
    error.clone()
}
