//! Where results and remarks go.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use pliant_core::asset::Progress;
use serde_json::{Map, Value, json};

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

/// Shows progress while it lives.
pub struct Watch {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    fn start(progress: Progress, quiet: bool) -> Self {
        let stop = Arc::new(AtomicBool::new(quiet));
        if quiet {
            return Self { stop, thread: None };
        }
        let flag = Arc::clone(&stop);
        let thread = std::thread::Builder::new()
            .name("progress".into())
            .spawn(move || {
                if std::io::stderr().is_terminal() {
                    show_bar(&progress, &flag);
                } else {
                    show_lines(&progress, &flag);
                }
            })
            .ok();
        Self { stop, thread }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

fn show_bar(progress: &Progress, stop: &AtomicBool) {
    let bar = ProgressBar::new(1000);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}") {
        bar.set_style(style);
    }
    let mut clock = StageClock::new();
    while !stop.load(Ordering::Relaxed) {
        let (stage, fraction) = progress.state();
        bar.set_message(format!("{stage}{}", clock.left(&stage, fraction)));
        bar.set_position((fraction * 1000.0) as u64);
        std::thread::park_timeout(Duration::from_millis(100));
    }
    bar.finish_and_clear();
}

fn show_lines(progress: &Progress, stop: &AtomicBool) {
    let mut last = Instant::now();
    let mut clock = StageClock::new();
    while !stop.load(Ordering::Relaxed) {
        std::thread::park_timeout(Duration::from_millis(200));
        let (stage, fraction) = progress.state();
        let left = clock.left(&stage, fraction);
        if last.elapsed() > Duration::from_secs(4) && !stop.load(Ordering::Relaxed) {
            if !stage.is_empty() {
                let _ = writeln!(
                    std::io::stderr(),
                    "{stage}: {:.0} %{left}",
                    fraction * 100.0
                );
            }
            last = Instant::now();
        }
    }
}

/// Estimates the time left in a stage from when its fraction last moved.
struct StageClock {
    stage: String,
    began: Instant,
    fraction: f64,
    moved: Instant,
}

impl StageClock {
    fn new() -> Self {
        let now = Instant::now();
        Self {
            stage: String::new(),
            began: now,
            fraction: 0.0,
            moved: now,
        }
    }

    /// Text for the time left; empty when nothing is known.
    fn left(&mut self, stage: &str, fraction: f64) -> String {
        let now = Instant::now();
        if stage != self.stage {
            self.stage = stage.to_string();
            (self.began, self.moved, self.fraction) = (now, now, fraction);
        }
        if fraction > self.fraction {
            (self.moved, self.fraction) = (now, fraction);
        }
        if self.fraction < 0.01 {
            return String::new();
        }
        let spent = (self.moved - self.began).as_secs_f64();
        let left = spent * (1.0 - self.fraction) / self.fraction - (now - self.moved).as_secs_f64();
        if left < 1.0 {
            return String::new();
        }
        format!(", about {left:.0} s left")
    }
}

/// A number for JSON; `null` where it is not finite.
pub fn number(value: f64) -> Value {
    if value.is_finite() {
        json!(value)
    } else {
        Value::Null
    }
}

/// Three numbers for JSON.
pub fn vector(value: &pliant_core::math::Vec3) -> Value {
    Value::Array(value.iter().map(|x| number(*x)).collect())
}
