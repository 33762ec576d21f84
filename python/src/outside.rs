//! Work without Python's lock: other threads of Python go on, Ctrl-C ends it, and a panic becomes an exception.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use pliant::Progress;
use pyo3::prelude::*;

use crate::errors::{Failure, Kind, Outcome};

/// How often signals are looked for and progress is told.
const INTERVAL: Duration = Duration::from_millis(50);

/// The process that began to compute. Threads of the pool do not survive a fork.
static PROCESS: OnceLock<u32> = OnceLock::new();

/// Runs short work while other threads of Python go on.
pub fn outside<T: Send>(py: Python<'_>, work: impl FnOnce() -> Outcome<T> + Send) -> Outcome<T> {
    same_process()?;
    py.detach(|| caught(work))
}

/// Runs long work on a thread of its own. Ctrl-C cancels it and raises `KeyboardInterrupt`; `callback(stage, fraction)` is told about it twenty times a second, and cancels
/// it by raising.
pub fn watched<T: Send>(
    py: Python<'_>,
    callback: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Progress) -> Outcome<T> + Send,
) -> PyResult<T> {
    same_process()?;
    let progress = Progress::new();
    let watcher = progress.clone();
    let (send, receive) = channel();
    // a receiver is for one thread at a time, which Python's lock does not say
    let receive = Mutex::new(receive);
    std::thread::scope(|scope| {
        let worker = move || {
            // nobody listens any more where the wait was given up
            let _ = send.send(caught(|| work(&progress)));
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
        let mut told = None;
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
            let mut tell = || -> PyResult<()> {
                py.check_signals()?;
                let state = watcher.state();
                if let Some(callback) = callback
                    && told.as_ref() != Some(&state)
                {
                    callback.call1(state.clone())?;
                    told = Some(state);
                }
                Ok(())
            };
            if let Err(error) = tell() {
                watcher.cancel();
                // the work ends at its next check
                while matches!(py.detach(wait), Err(RecvTimeoutError::Timeout)) {}
                return Err(error);
            }
        }
    })
}

/// Work whose panic, which is a fault of ours, is an exception.
pub fn caught<T>(work: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
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
fn same_process() -> Outcome<()> {
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
