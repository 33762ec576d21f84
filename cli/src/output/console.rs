//! Where results and remarks go.

use std::io::Write;
use std::path::PathBuf;

use pliant_core::asset::Progress;
use serde_json::{Map, Value, json};

use super::watch::Watch;
use crate::args::Common;
use crate::failure::Failure;

/// Results to standard output (or one JSON object), remarks to standard error.
pub struct Output {
    json: Option<String>,
    quiet: bool,
    verbose: u8,
}

impl Output {
    /// As the options say.
    pub fn new(common: &Common) -> Self {
        Self {
            json: common.json.clone(),
            quiet: common.quiet,
            verbose: common.verbose,
        }
    }

    /// A line of the result, for people; silent in JSON mode.
    pub fn line(&self, text: impl AsRef<str>) {
        if self.json.as_deref() != Some("-") {
            // a closed pipe is the reader's decision, not a fault
            let _ = writeln!(std::io::stdout(), "{}", text.as_ref());
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
            let _ = std::io::stdout().write_all(text.as_bytes());
            return Ok(());
        }
        let path = PathBuf::from(target);
        std::fs::write(&path, text).map_err(|e| Failure::unwritable(&path, &e))
    }

    /// Says why a command failed: one line with the remedy, and the JSON object.
    pub fn failure(&self, command: &str, failure: &Failure) {
        let hint = if failure.hint.is_empty() {
            String::new()
        } else {
            format!(" ({})", failure.hint)
        };
        let _ = writeln!(std::io::stderr(), "pliant: {}{hint}", failure.message);
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
