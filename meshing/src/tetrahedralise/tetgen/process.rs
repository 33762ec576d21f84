//! One run of a child process in a folder of its own, with a time limit.

use std::fs;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use pliant_core::asset::Progress;

use crate::error::MeshingError;

/// A fresh folder that is removed with its files when dropped.
pub(crate) struct TemporaryFolder {
    path: PathBuf,
}

impl TemporaryFolder {
    pub(crate) fn new() -> Result<Self, MeshingError> {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        let mut reason = String::new();
        for _ in 0..100 {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let name = format!("pliant-tetgen-{}-{number}", std::process::id());
            let path = std::env::temp_dir().join(name);
            // an existing folder belongs to another process
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self { path }),
                Err(error) => reason = error.to_string(),
            }
        }
        Err(MeshingError::TetGenUnavailable {
            reason: format!("no temporary folder can be made: {reason}"),
        })
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // a failure to remove it cannot be handled here
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A child that does not outlive its handle.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs `program` in `folder` until it ends, `limit` has passed or the job is cancelled, and returns its exit status with the last line that it
/// printed. The status is not reliable; the caller checks the files.
pub(crate) fn run(
    program: &Path,
    arguments: &[&str],
    folder: &TemporaryFolder,
    limit: Duration,
    progress: &Progress,
) -> Result<String, MeshingError> {
    let unavailable = |what: &str, error: std::io::Error| MeshingError::TetGenUnavailable {
        reason: format!("{what} `{}`: {error}", program.display()),
    };
    let printed = folder.file("printed.txt");
    // output goes to a file: a full pipe would stop the child
    let output = File::create(&printed).map_err(|e| unavailable("no file for the output of", e))?;
    let errors = output
        .try_clone()
        .map_err(|e| unavailable("no file for the output of", e))?;
    let child = Command::new(program)
        .args(arguments)
        .current_dir(&folder.path)
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(errors)
        .spawn()
        .map_err(|e| unavailable("cannot start", e))?;
    let mut running = Running(child);
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = running.0.try_wait().map_err(|e| unavailable("lost", e))? {
            let text = fs::read(&printed).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            let last = text.lines().rev().map(str::trim).find(|l| !l.is_empty());
            return Ok(match last {
                Some(line) => {
                    let short: String = line.chars().take(80).collect();
                    format!("{status}, last words: {short}")
                }
                None => status.to_string(),
            });
        }
        progress.check()?;
        if start.elapsed() > limit {
            return Err(MeshingError::TetGenFailed {
                reason: format!(
                    "stopped after {:.1} s without a result",
                    limit.as_secs_f64()
                ),
            });
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
