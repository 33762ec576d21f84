//! `pliant inspect`: what a recording or a baked file holds.

mod baked;
mod findings;
mod recording;

use pliant_recording::Recording;
use serde_json::{Map, Value, json};
use xxhash_rust::xxh3::xxh3_128;

use crate::args::Inspect;
use crate::failure::Failure;
use crate::output::Done;
use crate::recording_file::{bytes_of, recording_in};
use crate::session::Session;

/// Runs the command.
pub fn inspect(session: &Session, args: &Inspect) -> Result<Done, Failure> {
    let bytes = bytes_of(&args.file)?;
    let findings = match Recording::is_recording(&bytes) {
        true => recording::findings(&recording_in(&args.file, &bytes)?),
        false => baked::findings(&args.file, &bytes)?,
    };
    let out = &session.output;
    let name = args.file.display().to_string();
    let hash = format!("{:032x}", xxh3_128(&bytes));
    let megabytes = bytes.len() as f64 / 1e6;
    out.line(format!("{name}: {}, {megabytes:.2} MB", findings.kind));
    for (name, value) in findings.lines {
        out.line(format!("{name:<12} {value}"));
    }
    out.line(format!("{:<12} {hash} (xxh3 of the file)", "hash"));
    let mut object = Map::new();
    object.insert("file".into(), json!(name));
    object.insert("kind".into(), json!(findings.kind));
    object.insert("bytes".into(), json!(bytes.len()));
    object.insert("hash".into(), json!(hash));
    if let Value::Object(fields) = findings.fields {
        object.extend(fields);
    }
    Ok(Done::new(Value::Object(object)))
}
