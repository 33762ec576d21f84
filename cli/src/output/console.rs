//! Where results and remarks go.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use serde_json::{Map, Value, json};

use super::ours::{JSON, refuse_foreign};
use super::watch::Watch;
use crate::args::Common;
use crate::failure::Failure;

/// Results to standard output (or one JSON object), remarks to standard error.
pub struct Output {
    json: Option<String>,
    quiet: bool,
    verbose: u8,
    /// why a line of the result did not arrive
    lost: Mutex<Option<std::io::Error>>,
}

impl Output {
    /// As the options say.
    pub fn new(common: &Common) -> Self {
        Self {
            json: common.json.clone(),
            quiet: common.quiet,
            verbose: common.verbose,
            lost: Mutex::default(),
        }
    }

    /// A line of the result, for people; silent in JSON mode.
    pub fn line(&self, text: impl AsRef<str>) {
        if self.json.as_deref() != Some("-") {
            let written = writeln!(std::io::stdout(), "{}", text.as_ref());
            if let (Err(error), Ok(mut lost)) = (written, self.lost.lock()) {
                lost.get_or_insert(error);
            }
        }
    }

    /// An error where a line of the result was lost; called when a command is done. A closed pipe is the reader's decision, not a fault.
    pub fn delivered(&self) -> Result<(), Failure> {
        match self.lost.lock().ok().and_then(|mut lost| lost.take()) {
            Some(error) => arrived(Err(error)),
            None => Ok(()),
        }
    }

    /// A remark, to standard error.
    pub fn remark(&self, text: impl AsRef<str>) {
        if !self.quiet {
            let _ = writeln!(std::io::stderr(), "{}", text.as_ref());
        }
    }

    /// Writes the JSON object of a finished command, where JSON was asked for.
    pub fn json(&self, command: &str, ok: bool, fields: Value) -> Result<(), Failure> {
        let Some(target) = &self.json else {
            return Ok(());
        };
        let mut object = Map::new();
        object.insert("pliant".into(), json!(env!("CARGO_PKG_VERSION")));
        object.insert("command".into(), json!(command));
        object.insert("ok".into(), json!(ok));
        if let Value::Object(fields) = fields {
            object.extend(fields);
        }
        let text = format!("{:#}\n", Value::Object(object));
        if target == "-" {
            return arrived(std::io::stdout().write_all(text.as_bytes()));
        }
        let path = PathBuf::from(target);
        refuse_foreign(&path, &JSON)?;
        std::fs::write(&path, text).map_err(|e| Failure::unwritable(&path, &e))
    }

    /// Refuses a file for the JSON object that holds something else, before any work.
    ///
    /// # Errors
    /// `FileNotOurs`.
    pub fn check_target(&self) -> Result<(), Failure> {
        match self.json.as_deref() {
            None | Some("-") => Ok(()),
            Some(file) => refuse_foreign(Path::new(file), &JSON),
        }
    }

    /// Says why a command failed: one line with the remedy and the code, and the JSON object.
    pub fn failure(&self, command: &str, failure: &Failure) {
        let hint = if failure.hint.is_empty() {
            String::new()
        } else {
            format!(" ({})", failure.hint)
        };
        let (message, code) = (&failure.message, &failure.code);
        let _ = writeln!(std::io::stderr(), "pliant: {message}{hint} [{code}]");
        let error = json!({ "error": {
            "code": failure.code, "message": failure.message, "hint": failure.hint, "where": failure.place,
        }});
        // the failure itself matters more than a JSON file that cannot be written either
        let _ = self.json(command, false, error);
    }

    /// A remark for those who asked for more detail.
    pub fn detail(&self, text: impl AsRef<str>) {
        if self.verbose > 0 {
            self.remark(text);
        }
    }

    /// Watches `progress` until the guard is dropped: a bar on a terminal, a line every few seconds otherwise.
    pub fn watch(&self, progress: &Progress) -> Watch {
        Watch::start(progress.clone(), self.quiet)
    }
}

/// Three numbers for JSON. As everywhere in `serde_json`, one that is not finite is `null`.
pub fn vector(value: &Vec3) -> Value {
    json!([value.x, value.y, value.z])
}

/// What was written to standard output has arrived, or nobody wanted it.
fn arrived(written: std::io::Result<()>) -> Result<(), Failure> {
    const PLACE: &str = "standard output";
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::bad_input(
            "Unwritable",
            format!("{PLACE} cannot be written: {error}"),
            "send it somewhere else, or free some space",
        )
        .at(PLACE)),
        _ => Ok(()),
    }
}
