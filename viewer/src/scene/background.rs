//! Work of seconds in the background.

use std::sync::mpsc::{Receiver, TryRecvError, channel};

use pliant_core::asset::Progress;
use pliant_simulation::compare::priority::modest_priority;

/// Work on a thread below the priority of the panes. Dropping it cancels it.
#[derive(Debug)]
pub(super) struct Background<T> {
    result: Receiver<T>,
    progress: Progress,
}

impl<T: Send + 'static> Background<T> {
    /// Starts `work` on a thread of this name. The work polls whether it was cancelled, and may end without a result.
    pub(super) fn start(
        name: &str,
        work: impl FnOnce(&Progress) -> Option<T> + Send + 'static,
    ) -> Self {
        let (sender, result) = channel();
        let progress = Progress::new();
        let watched = progress.clone();
        let work = move || {
            modest_priority();
            if let Some(result) = work(&watched) {
                // fails if another scene was opened, so that the receiver is dropped
                let _ = sender.send(result);
            }
        };
        // if no thread starts, the sender is dropped, and the receiver is disconnected
        let _ = std::thread::Builder::new().name(name.into()).spawn(work);
        Self { result, progress }
    }

    /// The result, once it is available; `Disconnected` if it was taken already, or will never come.
    pub(super) fn poll(&self) -> Result<T, TryRecvError> {
        self.result.try_recv()
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        self.progress.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waits for the end.
    fn end<T: Send + 'static>(job: &Background<T>) -> Result<T, TryRecvError> {
        loop {
            match job.poll() {
                Err(TryRecvError::Empty) => std::thread::yield_now(),
                end => return end,
            }
        }
    }

    #[test]
    fn work_gives_its_result_once_or_says_that_there_is_none() {
        let job = Background::start("seven", |_| Some(7));
        assert_eq!(end(&job), Ok(7));
        assert_eq!(end(&job), Err(TryRecvError::Disconnected));
        let none = Background::start("none", |_| None::<u32>);
        assert_eq!(end(&none), Err(TryRecvError::Disconnected));
    }

    #[test]
    fn work_that_nobody_waits_for_is_cancelled() {
        let (sender, cancelled) = channel();
        let job = Background::start("forever", move |progress| {
            while !progress.is_cancelled() {
                std::thread::yield_now();
            }
            sender.send(()).ok()
        });
        drop(job);
        assert_eq!(cancelled.recv(), Ok(()));
    }
}
