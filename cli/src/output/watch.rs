//! Progress while a command works.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use pliant_core::asset::Progress;

/// Shows progress until it is dropped.
pub struct Watch {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    pub(super) fn start(progress: Progress, quiet: bool) -> Self {
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
        bar.set_message(format!("{stage}{}", clock.time_left(&stage, fraction)));
        bar.set_position((fraction * 1000.0) as u64);
        std::thread::park_timeout(Duration::from_millis(100));
    }
    bar.finish_and_clear();
}

fn show_lines(progress: &Progress, stop: &AtomicBool) {
    let mut last = Instant::now();
    let mut shown = String::new();
    let mut clock = StageClock::new();
    while !stop.load(Ordering::Relaxed) {
        std::thread::park_timeout(Duration::from_millis(200));
        let (stage, fraction) = progress.state();
        let left = clock.time_left(&stage, fraction);
        if last.elapsed() > Duration::from_secs(4) && !stop.load(Ordering::Relaxed) {
            let line = format!("{stage}: {:.0} %{left}", fraction * 100.0);
            if !stage.is_empty() && line != shown {
                let _ = writeln!(std::io::stderr(), "{line}");
                shown = line;
            }
            last = Instant::now();
        }
    }
}

/// Estimates the time left in a stage from when its fraction last moved.
struct StageClock {
    stage: String,
    start: Instant,
    fraction: f64,
    last_progress: Instant,
}

impl StageClock {
    fn new() -> Self {
        let now = Instant::now();
        Self {
            stage: String::new(),
            start: now,
            fraction: 0.0,
            last_progress: now,
        }
    }

    /// Text for the time left; empty if it is unknown.
    fn time_left(&mut self, stage: &str, fraction: f64) -> String {
        let now = Instant::now();
        if stage != self.stage {
            self.stage = stage.to_string();
            (self.start, self.last_progress, self.fraction) = (now, now, fraction);
        }
        if fraction > self.fraction {
            (self.last_progress, self.fraction) = (now, fraction);
        }
        if self.fraction < 0.01 {
            return String::new();
        }
        let spent = (self.last_progress - self.start).as_secs_f64();
        let left = spent * (1.0 - self.fraction) / self.fraction
            - (now - self.last_progress).as_secs_f64();
        if left < 1.0 {
            return String::new();
        }
        format!(", about {left:.0} s left")
    }
}
