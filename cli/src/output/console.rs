//! Output of results and remarks.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::math::numbers::counted;
use serde_json::{Map, Value, json};

use super::file_kind::{JSON, refuse_foreign};
use super::folder::write_whole;
use super::watch::Watch;
use crate::args::Common;
use crate::failure::{CHECK_FAILED, Failure};

/// The result of a command.
pub struct Done {
    /// Whether its checks hold.
    pub ok: bool,
    /// Fields of its JSON object; `None` without one.
    fields: Option<Value>,
    /// The command whose result it is, if that is not the one that was typed.
    command: Option<&'static str>,
}

impl Done {
    /// The result of a command without checks.
    pub fn new(fields: Value) -> Self {
        Self::checked(true, fields)
    }

    /// The result of a command whose checks hold if it is `ok`.
    pub fn checked(ok: bool, fields: Value) -> Self {
        Self {
            ok,
            fields: Some(fields),
            command: None,
        }
    }

    /// The end of a command that has no JSON object.
    pub fn without_json() -> Self {
        Self {
            ok: true,
            fields: None,
            command: None,
        }
    }

    /// The same as the result of another command than the one that was typed.
    pub fn of(self, command: &'static str) -> Self {
        Self {
            command: Some(command),
            ..self
        }
    }
}

/// Results to standard output (or one JSON object), remarks to standard error.
pub struct Output {
    json: Option<String>,
    quiet: bool,
    verbose: u8,
    /// first error of writing a line of the result
    write_error: Mutex<Option<std::io::Error>>,
}

impl Output {
    /// From the options.
    pub fn new(common: &Common) -> Self {
        Self {
            json: common.json.clone(),
            quiet: common.quiet,
            verbose: common.verbose,
            write_error: Mutex::default(),
        }
    }

    /// Prints a line of the result; nothing in JSON mode.
    pub fn line(&self, text: impl AsRef<str>) {
        if self.json.as_deref() != Some("-") {
            let written = writeln!(std::io::stdout(), "{}", text.as_ref());
            if let (Err(error), Ok(mut write_error)) = (written, self.write_error.lock()) {
                write_error.get_or_insert(error);
            }
        }
    }

    /// Says where a result was written.
    pub fn written_to(&self, place: &Path) {
        self.line(format!("written to {}", place.display()));
    }

    /// Returns an error if a line of the result could not be written. Called at the end of a command. A closed pipe is no error.
    pub fn check_written(&self) -> Result<(), Failure> {
        match self
            .write_error
            .lock()
            .ok()
            .and_then(|mut write_error| write_error.take())
        {
            Some(error) => except_broken_pipe(Err(error)),
            None => Ok(()),
        }
    }

    /// Prints a remark to standard error.
    pub fn remark(&self, text: impl AsRef<str>) {
        if !self.quiet {
            let _ = writeln!(std::io::stderr(), "{}", text.as_ref());
        }
    }

    /// Writes the JSON object of a finished command, if it has one and JSON was requested.
    pub fn json(&self, command: &str, done: Done) -> Result<(), Failure> {
        let (Some(target), Some(fields)) = (&self.json, done.fields) else {
            return Ok(());
        };
        let command = done.command.unwrap_or(command);
        let mut object = Map::new();
        object.insert("pliant".into(), json!(env!("CARGO_PKG_VERSION")));
        object.insert("command".into(), json!(command));
        object.insert("ok".into(), json!(done.ok));
        if let Value::Object(fields) = fields {
            object.extend(fields);
        }
        if !done.ok && !object.contains_key("error") {
            let error = check_failed(&object).json();
            object.insert("error".into(), error);
        }
        let text = format!("{:#}\n", Value::Object(object));
        if target == "-" {
            return except_broken_pipe(std::io::stdout().write_all(text.as_bytes()));
        }
        let path = PathBuf::from(target);
        refuse_foreign(&path, &JSON)?;
        write_whole(&path, text.as_bytes())
    }

    /// Refuses an existing file for the JSON object that has other content, before any work.
    pub fn check_target(&self) -> Result<(), Failure> {
        match self.json.as_deref() {
            None | Some("-") => Ok(()),
            Some(file) => refuse_foreign(Path::new(file), &JSON),
        }
    }

    /// Reports the failure of a command: one line with the remedy and the code, and the JSON object.
    pub fn failure(&self, command: &str, failure: &Failure) {
        let hint = if failure.hint.is_empty() {
            String::new()
        } else {
            format!(" ({})", failure.hint)
        };
        let (message, code) = (&failure.message, &failure.code);
        let _ = writeln!(std::io::stderr(), "pliant: {message}{hint} [{code}]");
        let error = json!({ "error": failure.json() });
        // the failure itself matters more than a JSON file that cannot be written either
        let _ = self.json(command, Done::checked(false, error));
    }

    /// Prints a remark in verbose mode.
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

/// Why a command that ran ends with exit code 1: the checks of its `result` that failed.
fn check_failed(result: &Map<String, Value>) -> Failure {
    let checks = result.get("checks").and_then(Value::as_array);
    let failed = checks.into_iter().flatten().filter(|c| c["pass"] == false);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let names = failed.map(|c| format!("{} of {}", text(&c["metric"]), text(&c["of"])));
    let names: Vec<String> = names.collect();
    let message = match names.len() {
        0 => "the result is outside of its limits".to_string(),
        count => format!("{} failed: {}", counted(count, "check"), names.join(", ")),
    };
    Failure {
        exit: CHECK_FAILED,
        ..Failure::bad_input(
            "CheckFailed",
            message,
            "compare values and limits in this result",
        )
    }
}

/// Three numbers for JSON. As everywhere in `serde_json`, one that is not finite is `null`.
pub fn vector(value: &Vec3) -> Value {
    json!([value.x, value.y, value.z])
}

/// An error of writing to standard output, except a broken pipe.
fn except_broken_pipe(written: std::io::Result<()>) -> Result<(), Failure> {
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
