//! Opening a scene in the background: the skin first, then one method after the other.

use std::ffi::{OsStr, OsString};
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, Sender, unbounded};
use pliant_core::asset::Progress;
use pliant_core::material::Material;
use pliant_core::scene::Method;

use crate::build::{BuiltMethod, build_opened, build_preview};
use crate::cache::AssetCache;
use crate::error::BuildError;
use crate::runner::snapshot::PaneFault;
use crate::scenes::{ImportOptions, load};
use crate::setup::{Setup, prepare};

/// Methods in the order in which they are baked: the quickest first, so that something moves soon.
const ORDER: [Method; 3] = [Method::Lattice, Method::Adaptive, Method::Quasistatic];

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
    progress: Progress,
    present: Arc<Mutex<Option<Method>>>,
}

impl BakeJob {
    /// Starts to open `source`, with another material of its first body if one is given.
    pub fn start(
        source: OsString,
        import: ImportOptions,
        material: Option<Material>,
        cache: AssetCache,
    ) -> Self {
        Self::spawn(move |progress, present, sender| {
            open(
                (&source, &import, material),
                &cache,
                progress,
                present,
                sender,
            );
        })
    }

    /// Runs `work` on a thread of its own; it says which method it prepares.
    pub(super) fn spawn(
        work: impl FnOnce(&Progress, &Mutex<Option<Method>>, &Sender<BakeEvent>) + Send + 'static,
    ) -> Self {
        let (sender, events) = unbounded();
        let progress = Progress::new();
        let present = Arc::new(Mutex::new(None));
        let (job_progress, job_present) = (progress.clone(), Arc::clone(&present));
        let fallback = sender.clone();
        let spawned = std::thread::Builder::new()
            .name("bake".into())
            .spawn(move || work(&job_progress, &job_present, &sender));
        if let Err(error) = spawned {
            let _ = fallback.send(BakeEvent::SceneFailed(format!(
                "no thread for baking: {error}"
            )));
        }
        Self {
            events,
            progress,
            present,
        }
    }

    /// The next event, if one is there.
    pub fn next_event(&self) -> Option<BakeEvent> {
        self.events.try_recv().ok()
    }

    /// What is being baked now: method (`None` while the skin is prepared), stage and finished share.
    pub fn present(&self) -> Option<(Option<Method>, String, f64)> {
        let method = *self.present.lock().unwrap_or_else(PoisonError::into_inner);
        let (stage, fraction) = self.progress.state();
        method.map(|m| (Some(m), stage, fraction))
    }
}

impl Drop for BakeJob {
    fn drop(&mut self) {
        self.progress.cancel();
    }
}

fn open(
    (source, import, material): (&OsStr, &ImportOptions, Option<Material>),
    cache: &AssetCache,
    progress: &Progress,
    present: &Mutex<Option<Method>>,
    events: &Sender<BakeEvent>,
) {
    let loaded = load(source, import).and_then(|mut scene| {
        if let Some(material) = material {
            scene.description.body.material = material;
        }
        prepare(&scene, progress)
    });
    let setup = match loaded {
        Ok(setup) => Arc::new(setup),
        Err(error) => {
            let _ = events.send(BakeEvent::SceneFailed(error.to_string()));
            return;
        }
    };
    // a receiver that is gone means that another scene was opened
    if events
        .send(BakeEvent::SceneReady(Arc::clone(&setup)))
        .is_err()
    {
        return;
    }
    let asked: Vec<Method> = ORDER
        .into_iter()
        .filter(|method| setup.description.methods.contains(method))
        .collect();
    // coarse levels of finite elements first, the finer ones when all methods can be touched
    let mut later = Vec::new();
    let mut first = asked.clone();
    first.retain(|&method| {
        *present.lock().unwrap_or_else(PoisonError::into_inner) = Some(method);
        let preview = build_preview(&setup, method, cache, progress);
        let has_preview = preview.is_some();
        if let Some(preview) = preview {
            later.push(method);
            let _ = events.send(BakeEvent::MethodOpened(preview));
        }
        !has_preview
    });
    for method in first.into_iter().chain(later) {
        *present.lock().unwrap_or_else(PoisonError::into_inner) = Some(method);
        let opened = |built| {
            let _ = events.send(BakeEvent::MethodOpened(built));
        };
        let event = match build_opened(&setup, method, cache, progress, Some(&opened)) {
            Ok(built) => BakeEvent::MethodReady(built),
            Err(BuildError::Cancelled) => return,
            Err(error) => BakeEvent::MethodFailed {
                method,
                fault: PaneFault {
                    code: error.code(),
                    reason: match error {
                        BuildError::NotApplicable { reason, .. } => reason,
                        other => other.to_string(),
                    },
                },
            },
        };
        *present.lock().unwrap_or_else(PoisonError::into_inner) = None;
        if events.send(event).is_err() {
            return;
        }
    }
    let _ = events.send(BakeEvent::Finished);
}
