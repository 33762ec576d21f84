//! What the program answers in JSON.

use std::process::Output;

use serde_json::Value;

/// Exit code, and the only JSON object on standard output.
#[track_caller]
pub fn answer(output: &Output) -> (i32, Value) {
    let value: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| {
        let [out, errors] = [&output.stdout, &output.stderr].map(|b| String::from_utf8_lossy(b));
        panic!("standard output is not one JSON object ({e}): {out}{errors}")
    });
    assert_eq!(value["pliant"], env!("CARGO_PKG_VERSION"), "{value}");
    (output.status.code().expect("it ends by itself"), value)
}
