//! Commands that answer in JSON.

use std::path::Path;

use serde_json::Value;

use crate::answer::answer;
use crate::program::program;

/// Exit code and JSON object of a command whose words stand between spaces.
#[track_caller]
pub fn json(folder: &Path, words: &str) -> (i32, Value) {
    let mut command = program(folder);
    let output = command.arg("--json").args(words.split(' ')).output();
    answer(&output.expect("the program starts"))
}

/// JSON object of a command that must succeed.
#[track_caller]
pub fn done(folder: &Path, words: &str) -> Value {
    let (code, value) = json(folder, words);
    assert_eq!(code, 0, "{words}: {value:#}");
    value
}
