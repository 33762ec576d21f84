//! A job in the background.

use std::ffi::OsString;

use crossbeam_channel::{Receiver, unbounded};
use pliant_core::scene::Method;

use super::bake_event::BakeEvent;
use super::opening::{Opening, Stage};
use super::reports::{Reports, Threads};
use super::scene_changes::SceneChanges;
use crate::cache::AssetCache;
use crate::scenes::ImportOptions;
use crate::threads::priority::in_own_pool;

/// Work that reports by events. Each call does a stage, and says whether there is another one.
type Work = Box<dyn FnMut(&Reports) -> bool + Send>;

/// A job in the background. Dropping it cancels it.
pub struct BakeJob {
    events: Receiver<BakeEvent>,
    reports: Reports,
    /// what is done between frames, where there are no threads
    work: Option<Work>,
}

impl BakeJob {
    /// Starts to open `source` with `changes`.
    pub fn start(
        source: OsString,
        import: ImportOptions,
        changes: SceneChanges,
        cache: AssetCache,
        threads: Threads,
    ) -> Self {
        let mut opening = Opening {
            source,
            import,
            changes,
            cache,
            // a window that waits for the bake gains nothing by what is replaced at its end
            has_previews: threads == Threads::Own,
            stage: Stage::Skin,
        };
        let work = move |reports: &Reports| opening.advance(reports);
        Self::start_work(Box::new(work), threads)
    }

    /// Does `work`, on a thread of its own if it has one.
    pub(super) fn start_work(work: Work, threads: Threads) -> Self {
        let (sender, events) = unbounded();
        let reports = Reports::new(sender);
        let mut job = Self {
            events,
            reports: reports.clone(),
            work: None,
        };
        if threads == Threads::Shared {
            job.work = Some(work);
            return job;
        }
        let spawned = std::thread::Builder::new()
            .name("bake".into())
            .spawn(move || bake(work, &reports));
        if let Err(error) = spawned {
            let reason = format!("no thread for baking: {error}");
            job.reports.send(BakeEvent::SceneFailed(reason));
        }
        job
    }

    /// Does the next stage, where the job has no thread of its own.
    pub(in crate::runner) fn advance(&mut self) {
        let reports = &self.reports;
        self.work.take_if(|work| !work(reports));
    }

    /// The next event, if one is there.
    pub fn next_event(&self) -> Option<BakeEvent> {
        self.events.try_recv().ok()
    }

    /// What is being baked now: method, stage and finished share; `None` while the skin is prepared.
    pub fn current(&self) -> Option<(Method, String, f64)> {
        let (stage, fraction) = self.reports.progress.state();
        Some((self.reports.current()?, stage, fraction))
    }
}

/// Does all of `work` with as many threads as were asked for: with the priority of the panes, until the work calls [`go_below_panes`](crate::threads::priority::go_below_panes).
fn bake(mut work: Work, reports: &Reports) {
    let threads = rayon::current_num_threads();
    in_own_pool("bake", threads, || {}, || while work(reports) {});
}

impl Drop for BakeJob {
    fn drop(&mut self) {
        self.reports.progress.cancel();
    }
}
