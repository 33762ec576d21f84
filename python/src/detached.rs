//! Work without Python's lock: other threads of Python run meanwhile, Ctrl-C cancels the work, and a panic becomes an exception.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use pliant::Progress;
use pyo3::prelude::*;

use crate::errors::{Failure, Kind, Outcome};

/// Time between two checks of signals and progress.
const INTERVAL: Duration = Duration::from_millis(50);

/// The process that computed first. Threads of the pool do not survive a fork.
static PROCESS: OnceLock<u32> = OnceLock::new();

/// Runs short work while other threads of Python go on.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> Outcome<T> + Send) -> Outcome<T> {
    check_process()?;
    py.detach(|| catch_panic(work))
}

/// Runs long work on a thread of its own. Ctrl-C cancels it and raises `KeyboardInterrupt`. `callback(stage, fraction)` is called at most twenty times a second; an exception in it cancels
/// the work.
pub fn run_with_progress<T: Send>(
    py: Python<'_>,
    callback: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Progress) -> Outcome<T> + Send,
) -> PyResult<T> {
    check_process()?;
    let progress = Progress::new();
    let watcher = progress.clone();
    let (send, receive) = channel();
    // a receiver may be used by one thread at a time, which Python's lock does not guarantee
    let receive = Mutex::new(receive);
    std::thread::scope(|scope| {
        let worker = move || {
            // nobody receives it after the wait has ended with an error
            let _ = send.send(catch_panic(|| work(&progress)));
        };
        let thread = std::thread::Builder::new().name("pliant".into());
        thread.spawn_scoped(scope, worker).map_err(|error| {
            Failure::new(
                Kind::Base,
                "NoThread",
                format!("no thread can be started: {error}"),
            )
        })?;
        let wait = || match receive.lock() {
            Ok(receive) => receive.recv_timeout(INTERVAL),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        };
        let mut last_report = None;
        loop {
            match py.detach(wait) {
                Ok(result) => {
                    let result = result?;
                    if let Some(callback) = callback {
                        callback.call1(("done", 1.0))?;
                    }
                    return Ok(result);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(panicked(&"a thread was lost").into());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            let mut report = || -> PyResult<()> {
                py.check_signals()?;
                let state = watcher.state();
                if let Some(callback) = callback
                    && last_report.as_ref() != Some(&state)
                {
                    callback.call1(state.clone())?;
                    last_report = Some(state);
                }
                Ok(())
            };
            if let Err(error) = report() {
                watcher.cancel();
                // the work ends at its next check
                while matches!(py.detach(wait), Err(RecvTimeoutError::Timeout)) {}
                return Err(error);
            }
        }
    })
}

/// Runs work and turns a panic, which is a fault of Pliant, into an exception.
pub fn catch_panic<T>(work: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|cause| Err(panicked(cause.as_ref())))
}

fn panicked(cause: &(dyn Any + Send)) -> Failure {
    let words = match (cause.downcast_ref::<&str>(), cause.downcast_ref::<String>()) {
        (Some(words), _) => (*words).to_string(),
        (_, Some(words)) => words.clone(),
        _ => "no words".to_string(),
    };
    Failure::new(
        Kind::Base,
        "InternalFault",
        format!("Pliant failed inside: {words}\n  remedy: report it, with what led to it"),
    )
}

/// Refuses to compute in a forked process, where it would wait for threads that are not there.
fn check_process() -> Outcome<()> {
    let present = std::process::id();
    match *PROCESS.get_or_init(|| present) == present {
        true => Ok(()),
        false => Err(Failure::new(
            Kind::Base,
            "ForkedProcess",
            "this process was forked after Pliant began to compute, and has none of its threads\n  remedy: use multiprocessing.get_context(\"spawn\")",
        )),
    }
}
