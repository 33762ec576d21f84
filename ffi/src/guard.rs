//! What stands around every call: no panic gets out, and long work is watched.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pliant::Progress;

use crate::failure::{Failure, Outcome};
use crate::status::PliantStatus;

/// How often the callback is told.
const INTERVAL: Duration = Duration::from_millis(50);

/// The process that began to compute. Threads of the pool do not survive a fork.
static PROCESS: OnceLock<u32> = OnceLock::new();

/// One call: its status, with the words kept where it fails.
pub fn entry(work: impl FnOnce() -> Outcome<()>) -> PliantStatus {
    match caught(work) {
        Ok(()) => PliantStatus::Ok,
        Err(failure) => failure.tell(),
    }
}

/// Long work. Where somebody watches, it runs on a thread of its own, and `tell(stage, fraction)` is called on the present thread: before, after, and twenty times a second where something
/// is new; once it says false, the work is cancelled.
pub fn watched<T: Send>(
    tell: Option<impl FnMut(&str, f64) -> bool>,
    work: impl FnOnce(&Progress) -> Outcome<T> + Send,
) -> Outcome<T> {
    same_process()?;
    let progress = Progress::new();
    let Some(mut tell) = tell else {
        return work(&progress);
    };
    if !tell("begin", 0.0) {
        return Err(cancelled());
    }
    let worker = progress.clone();
    let (send, receive) = channel();
    std::thread::scope(|scope| {
        // also where the callback panics: the scope waits for the thread
        let _cancel = CancelAtEnd(&progress);
        let thread = std::thread::Builder::new().name("pliant".into());
        let run = move || {
            // nobody listens any more where the callback panicked
            let _ = send.send(caught(|| work(&worker)));
        };
        thread.spawn_scoped(scope, run).map_err(|error| {
            let words = format!("no thread can be started: {error}\n  remedy: end some");
            Failure::new(PliantStatus::Internal, "NoThread", words)
        })?;
        let mut told = None;
        loop {
            match receive.recv_timeout(INTERVAL) {
                Ok(result) => {
                    // a cancel that comes with the last of the work counts, too: what was asked for is what is told
                    let result = result?;
                    return match progress.is_cancelled() || !tell("done", 1.0) {
                        true => Err(cancelled()),
                        false => Ok(result),
                    };
                }
                Err(RecvTimeoutError::Disconnected) => return Err(panicked(&"a thread was lost")),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let state = progress.state();
            if told.as_ref() != Some(&state) && !progress.is_cancelled() {
                if !tell(&state.0, state.1) {
                    progress.cancel();
                }
                told = Some(state);
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

/// Work whose panic, which is a fault of ours, is an error.
fn caught<T>(work: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|cause| {
        let failure = panicked(cause.as_ref());
        // what was thrown may throw again while it is dropped, and so on without end; words do not
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
pub fn same_process() -> Outcome<()> {
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

    type Tell = fn(&str, f64) -> bool;

    /// Throws again when it is dropped.
    struct Grenade;

    impl Drop for Grenade {
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
            entry(|| std::panic::panic_any(Grenade)),
            PliantStatus::Internal
        );
        let told = crate::failure::last_message();
        assert!(!told.is_null());
        let outcome = watched(None::<Tell>, |_| Ok(3));
        assert_eq!(outcome.ok(), Some(3));
        let outcome: Outcome<()> = watched(Some(|_: &str, _| true), |_| panic!("on the thread"));
        assert_eq!(
            outcome.err().map(Failure::tell),
            Some(PliantStatus::Internal)
        );
    }

    #[test]
    fn a_callback_that_says_no_cancels_and_one_that_panics_does_so_too() {
        let waits = |progress: &Progress| -> Outcome<()> {
            progress.stage("waiting");
            while !progress.is_cancelled() {
                std::thread::yield_now();
            }
            Err(cancelled())
        };
        for stage in ["begin", "waiting"] {
            let tell = |told: &str, _| told != stage;
            let failure = watched(Some(tell), waits).err();
            assert_eq!(failure.map(Failure::tell), Some(PliantStatus::Cancelled));
        }
        let tell = |told: &str, _| match told {
            "begin" => true,
            _ => panic!("in the callback"),
        };
        let status = entry(|| watched(Some(tell), waits));
        assert_eq!(status, PliantStatus::Internal);
    }

    #[test]
    fn saying_no_to_what_is_done_cancels_it() {
        let outcome = watched(Some(|stage: &str, _| stage != "done"), |_| Ok(()));
        assert_eq!(
            outcome.err().map(Failure::tell),
            Some(PliantStatus::Cancelled)
        );
    }
}
