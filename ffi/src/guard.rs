//! The frame of every call: it catches panics, and reports the progress of long work.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pliant::Progress;

use crate::failure::{Failure, Outcome};
use crate::status::PliantStatus;

/// Time between two calls of the progress callback.
const INTERVAL: Duration = Duration::from_millis(50);

/// The process that computed first. Threads of the pool do not survive a fork.
static PROCESS: OnceLock<u32> = OnceLock::new();

/// Runs one call and returns its status. Stores the error if the call fails.
pub fn entry(work: impl FnOnce() -> Outcome<()>) -> PliantStatus {
    match catch_panic(work) {
        Ok(()) => PliantStatus::Ok,
        Err(failure) => failure.record(),
    }
}

/// Runs long work. With a callback, the work runs on a thread of its own, and the calling thread calls `report(stage, fraction)` before, after, and at most twenty times a second when the
/// progress has changed. When the callback returns false, the work is cancelled.
pub fn run_with_progress<T: Send>(
    report: Option<impl FnMut(&str, f64) -> bool>,
    work: impl FnOnce(&Progress) -> Outcome<T> + Send,
) -> Outcome<T> {
    check_process()?;
    let progress = Progress::new();
    let Some(mut report) = report else {
        return work(&progress);
    };
    if !report("begin", 0.0) {
        return Err(cancelled());
    }
    let worker = progress.clone();
    let (send, receive) = channel();
    std::thread::scope(|scope| {
        // cancels also if the callback panics, because the scope waits for the thread
        let _cancel = CancelAtEnd(&progress);
        let thread = std::thread::Builder::new().name("pliant".into());
        let run = move || {
            // nobody receives it if the callback panicked
            let _ = send.send(catch_panic(|| work(&worker)));
        };
        thread.spawn_scoped(scope, run).map_err(|error| {
            let words = format!("no thread can be started: {error}\n  remedy: end some");
            Failure::new(PliantStatus::Internal, "NoThread", words)
        })?;
        let mut last_report = None;
        loop {
            match receive.recv_timeout(INTERVAL) {
                Ok(result) => {
                    // a cancel during the last part of the work counts, too
                    let result = result?;
                    return match progress.is_cancelled() || !report("done", 1.0) {
                        true => Err(cancelled()),
                        false => Ok(result),
                    };
                }
                Err(RecvTimeoutError::Disconnected) => return Err(panicked(&"a thread was lost")),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let state = progress.state();
            if last_report.as_ref() != Some(&state) && !progress.is_cancelled() {
                if !report(&state.0, state.1) {
                    progress.cancel();
                }
                last_report = Some(state);
            }
        }
    })
}

struct CancelAtEnd<'a>(&'a Progress);

impl Drop for CancelAtEnd<'_> {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

fn cancelled() -> Failure {
    Failure::new(PliantStatus::Cancelled, "Cancelled", "cancelled")
}

/// Runs work and turns a panic, which is a fault of Pliant, into an error.
fn catch_panic<T>(work: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|cause| {
        let failure = panicked(cause.as_ref());
        // a panic payload may panic when it is dropped, and so may that panic's payload; strings do not
        if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(cause)))
            && !(again.is::<&str>() || again.is::<String>())
        {
            std::mem::forget(again);
        }
        Err(failure)
    })
}

fn panicked(cause: &(dyn Any + Send)) -> Failure {
    let words = match (cause.downcast_ref::<&str>(), cause.downcast_ref::<String>()) {
        (Some(words), _) => (*words).to_string(),
        (_, Some(words)) => words.clone(),
        _ => "no words".to_string(),
    };
    let words = format!("Pliant failed inside: {words}\n  remedy: report it, with what led to it");
    Failure::new(PliantStatus::Internal, "InternalFault", words)
}

/// Refuses to compute in a forked process, where it would wait for threads that are not there.
pub fn check_process() -> Outcome<()> {
    let present = std::process::id();
    match *PROCESS.get_or_init(|| present) == present {
        true => Ok(()),
        false => Err(Failure::new(
            PliantStatus::Internal,
            "ForkedProcess",
            "this process was forked after Pliant began to compute, and has none of its threads\n  remedy: fork first, or start a new program",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type ProgressCallback = fn(&str, f64) -> bool;

    /// Panics when it is dropped.
    struct PanicOnDrop;

    impl Drop for PanicOnDrop {
        fn drop(&mut self) {
            if !std::thread::panicking() {
                panic!("again");
            }
        }
    }

    #[test]
    fn a_panic_is_an_error_with_its_words() {
        assert_eq!(entry(|| panic!("a fault, {}", 7)), PliantStatus::Internal);
        assert_eq!(
            entry(|| std::panic::panic_any(PanicOnDrop)),
            PliantStatus::Internal
        );
        let message = crate::failure::last_message();
        assert!(!message.is_null());
        let outcome = run_with_progress(None::<ProgressCallback>, |_| Ok(3));
        assert_eq!(outcome.ok(), Some(3));
        let outcome: Outcome<()> =
            run_with_progress(Some(|_: &str, _| true), |_| panic!("on the thread"));
        assert_eq!(
            outcome.err().map(Failure::record),
            Some(PliantStatus::Internal)
        );
    }

    #[test]
    fn a_callback_that_returns_false_or_panics_cancels() {
        let wait_for_cancel = |progress: &Progress| -> Outcome<()> {
            progress.stage("waiting");
            while !progress.is_cancelled() {
                std::thread::yield_now();
            }
            Err(cancelled())
        };
        for stage in ["begin", "waiting"] {
            let report = |reported: &str, _| reported != stage;
            let failure = run_with_progress(Some(report), wait_for_cancel).err();
            assert_eq!(failure.map(Failure::record), Some(PliantStatus::Cancelled));
        }
        let report = |reported: &str, _| match reported {
            "begin" => true,
            _ => panic!("in the callback"),
        };
        let status = entry(|| run_with_progress(Some(report), wait_for_cancel));
        assert_eq!(status, PliantStatus::Internal);
    }

    #[test]
    fn a_callback_that_returns_false_at_the_end_cancels() {
        let outcome = run_with_progress(Some(|stage: &str, _| stage != "done"), |_| Ok(()));
        assert_eq!(
            outcome.err().map(Failure::record),
            Some(PliantStatus::Cancelled)
        );
    }
}
