//! A job in the background, and what it reports.

use std::ffi::OsString;
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, unbounded};
use pliant_core::material::Material;
use pliant_core::scene::Method;

use super::opening::{Opening, Stage};
use super::stages::{Reports, Stages, Threads};
use crate::build::BuiltMethod;
use crate::cache::AssetCache;
use crate::runner::snapshot::PaneFault;
use crate::scenes::ImportOptions;
use crate::setup::Setup;

/// What a job reports.
pub enum BakeEvent {
    /// The skin is there.
    SceneReady(Arc<Setup>),
    /// The scene cannot be opened at all.
    SceneFailed(String),
    /// A method runs while it is still being baked and cannot answer everything yet. [`BakeEvent::MethodReady`] follows; by then this model is complete too.
    MethodOpened(BuiltMethod),
    /// A method can run.
    MethodReady(BuiltMethod),
    /// A method cannot run this scene.
    MethodFailed {
        /// Which.
        method: Method,
        /// Why.
        fault: PaneFault,
    },
    /// A method was prepared again with other settings, which the scene has from now on.
    MethodReplaced {
        /// The scene with the settings.
        setup: Arc<Setup>,
        /// The method.
        built: BuiltMethod,
    },
    /// A method could not be prepared with other settings; the one before runs on.
    ReplacementFailed {
        /// Which.
        method: Method,
        /// Why.
        fault: PaneFault,
    },
    /// All methods are there, as far as they can run.
    Finished,
}

/// A job in the background. Dropping it cancels it.
pub struct BakeJob {
    events: Receiver<BakeEvent>,
    reports: Reports,
    /// what is done between frames, where there are no threads
    work: Mutex<Option<Box<dyn Stages>>>,
}

impl BakeJob {
    /// Starts to open `source`, with another material of its first body if one is given.
    pub fn start(
        source: OsString,
        import: ImportOptions,
        material: Option<Material>,
        cache: AssetCache,
        threads: Threads,
    ) -> Self {
        let opening = Opening {
            source,
            import,
            material,
            cache,
            // a window that waits for the bake gains nothing by what is replaced at its end
            has_previews: threads == Threads::Own,
            stage: Stage::Skin,
        };
        Self::begin(opening, threads)
    }

    /// Does `work`, on a thread of its own if it has one.
    pub(super) fn begin(mut work: impl Stages + 'static, threads: Threads) -> Self {
        let (sender, events) = unbounded();
        let reports = Reports::new(sender);
        let mut job = Self {
            events,
            reports: reports.clone(),
            work: Mutex::default(),
        };
        if threads == Threads::Shared {
            job.work = Mutex::new(Some(Box::new(work)));
            return job;
        }
        let spawned = std::thread::Builder::new()
            .name("bake".into())
            .spawn(move || while work.advance(&reports) {});
        if let Err(error) = spawned {
            let reason = format!("no thread for baking: {error}");
            job.reports.send(BakeEvent::SceneFailed(reason));
        }
        job
    }

    /// Does the next stage, where the job has no thread of its own.
    pub(in crate::runner) fn advance(&self) {
        let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        if work.as_mut().is_some_and(|w| !w.advance(&self.reports)) {
            *work = None;
        }
    }

    /// The next event, if one is there.
    pub fn next_event(&self) -> Option<BakeEvent> {
        self.events.try_recv().ok()
    }

    /// What is being baked now: method (`None` while the skin is prepared), stage and finished share.
    pub fn present(&self) -> Option<(Option<Method>, String, f64)> {
        let (stage, fraction) = self.reports.progress.state();
        self.reports.present().map(|m| (Some(m), stage, fraction))
    }
}

impl Drop for BakeJob {
    fn drop(&mut self) {
        self.reports.progress.cancel();
    }
}
