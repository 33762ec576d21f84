//! Work on a thread of its own.

use std::task::Poll;

use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};
use pliant_core::asset::Progress;

use crate::error::BuildError;

/// Work of seconds or minutes that finds one or several `T`. Dropping it cancels it.
#[derive(Debug)]
pub struct Background<T> {
    results: Receiver<T>,
    progress: Progress,
}

impl<T: Send + 'static> Background<T> {
    /// Starts `work` on a thread of this name. The work polls whether it was cancelled, and sends what it finds; sending fails if nobody waits any more.
    pub fn start(name: &str, work: impl FnOnce(&Progress, &Sender<T>) + Send + 'static) -> Self {
        let (sender, results) = unbounded();
        let progress = Progress::new();
        let watched = progress.clone();
        // if no thread starts, the sender is dropped, and there is no result
        let _ = std::thread::Builder::new()
            .name(name.into())
            .spawn(move || work(&watched, &sender));
        Self { results, progress }
    }

    /// The next result, once it is available; `None` if there is no further one.
    pub fn poll(&self) -> Poll<Option<T>> {
        match self.results.try_recv() {
            Ok(result) => Poll::Ready(Some(result)),
            Err(TryRecvError::Empty) => Poll::Pending,
            Err(TryRecvError::Disconnected) => Poll::Ready(None),
        }
    }

    /// What it is doing, and the finished share of that.
    pub fn state(&self) -> (String, f64) {
        self.progress.state()
    }
}

impl<T: Send + 'static, E: From<BuildError> + Send + 'static> Background<Result<T, E>> {
    /// The next result if it is there. Work that ended without one counts as cancelled.
    pub(crate) fn take(&self) -> Option<Result<T, E>> {
        match self.poll() {
            Poll::Pending => None,
            Poll::Ready(found) => Some(found.unwrap_or(Err(BuildError::Cancelled.into()))),
        }
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

    /// Waits for the next result.
    fn end<T: Send + 'static>(job: &Background<T>) -> Option<T> {
        loop {
            match job.poll() {
                Poll::Pending => std::thread::yield_now(),
                Poll::Ready(end) => return end,
            }
        }
    }

    #[test]
    fn work_gives_its_result_once_or_says_that_there_is_none() {
        let job = Background::start("seven", |_, results| results.send(7).expect("awaited"));
        assert_eq!(end(&job), Some(7));
        assert_eq!(end(&job), None);
        let none = Background::<u32>::start("none", |_, _| {});
        assert_eq!(end(&none), None);
    }

    #[test]
    fn work_that_nobody_waits_for_is_cancelled() {
        let (sender, cancelled) = unbounded();
        let job = Background::<u32>::start("forever", move |progress, _| {
            while !progress.is_cancelled() {
                std::thread::yield_now();
            }
            sender.send(()).expect("awaited");
        });
        drop(job);
        assert_eq!(cancelled.recv(), Ok(()));
    }
}
