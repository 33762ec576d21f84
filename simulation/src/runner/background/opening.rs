//! Opening a scene: the skin first, then one method after the other.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pliant_core::scene::{BoundaryChoice, GreensGenerator, Method};

use super::bake_event::BakeEvent;
use super::reports::Reports;
use super::scene_changes::SceneChanges;
use crate::build::{build_opened, build_preview};
use crate::cache::AssetCache;
use crate::error::{BuildError, Fault};
use crate::scenes::{ImportOptions, load};
use crate::setup::{Setup, prepare};
use crate::threads::priority::go_below_panes;

/// Methods in the order of their bakes: the quickest first, so that something moves soon.
const BAKE_ORDER: [Method; 3] = [Method::Lattice, Method::Adaptive, Method::Quasistatic];

/// Most boundary nodes whose columns take only some seconds.
const MAX_QUICK_NODES: usize = 1500;

/// A scene that is being opened.
pub(super) struct Opening {
    pub source: OsString,
    pub import: ImportOptions,
    /// what is not as in its text
    pub changes: SceneChanges,
    pub cache: AssetCache,
    /// whether methods may run coarsely while they are baked
    pub has_previews: bool,
    pub stage: Stage,
}

/// What is done next.
pub(super) enum Stage {
    /// the skin is read and prepared
    Skin,
    /// coarse models, and beside them the method that has none
    Previews(Arc<Setup>),
    Methods {
        setup: Arc<Setup>,
        remaining: VecDeque<Method>,
        /// methods that nobody can touch before they are baked
        urgent: Vec<Method>,
    },
    Done,
}

impl Opening {
    /// Does the next stage; whether there is another one.
    pub(super) fn advance(&mut self, reports: &Reports) -> bool {
        self.stage = match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Skin => self.skin(reports),
            Stage::Previews(setup) => self.open_coarsely(setup, reports),
            Stage::Methods {
                setup,
                mut remaining,
                urgent,
            } => {
                let Some(method) = remaining.pop_front() else {
                    reports.send(BakeEvent::Finished);
                    return false;
                };
                let may_take_minutes = method == Method::Quasistatic && has_many_columns(&setup);
                if may_take_minutes || !urgent.contains(&method) {
                    go_below_panes();
                }
                // what opens before its columns are there is the last method that somebody waits for
                if self.method(&setup, method, reports, &go_below_panes) {
                    reports.prepare(remaining.front().copied());
                    Stage::Methods {
                        setup,
                        remaining,
                        urgent,
                    }
                } else {
                    Stage::Done
                }
            }
            Stage::Done => Stage::Done,
        };
        !matches!(self.stage, Stage::Done)
    }

    fn skin(&self, reports: &Reports) -> Stage {
        let loaded = load(&self.source, &self.import).and_then(|mut scene| {
            self.changes.apply(&mut scene.description);
            prepare(&scene, &reports.progress)
        });
        let setup = match loaded {
            Ok(setup) => Arc::new(setup),
            Err(error) => {
                reports.send(BakeEvent::SceneFailed(error.to_string()));
                return Stage::Done;
            }
        };
        if !reports.send(BakeEvent::SceneReady(Arc::clone(&setup))) {
            return Stage::Done;
        }
        if self.has_previews {
            return Stage::Previews(setup);
        }
        let remaining = bake_order(&setup, &[]);
        Stage::Methods {
            setup,
            urgent: remaining.iter().copied().collect(),
            remaining,
        }
    }

    /// Makes coarse models on one thread. On another one it bakes the quasistatic method, which has no coarse model, unless its columns may take minutes. Other methods without a coarse
    /// model (they are in the cache, or quick to bake) open meanwhile, too.
    fn open_coarsely(&self, setup: Arc<Setup>, reports: &Reports) -> Stage {
        let order = bake_order(&setup, &[]);
        let opens_beside = order.contains(&Method::Quasistatic) && !has_many_columns(&setup);
        let beside = reports.beside();
        let preview =
            |method: &Method| match build_preview(&setup, *method, &self.cache, &beside.progress) {
                Some(preview) => {
                    reports.send(BakeEvent::PreviewReady(preview));
                    None
                }
                None => Some(*method),
            };
        // somebody waits for what either thread opens
        let threads_awaited = AtomicUsize::new(2);
        let opened = || {
            if threads_awaited.fetch_sub(1, Ordering::Relaxed) == 1 {
                go_below_panes();
            }
        };
        let open_others = || {
            let urgent: Vec<Method> = order.iter().filter_map(preview).collect();
            let mut others = urgent.iter().filter(|m| **m != Method::Quasistatic);
            let goes_on = !opens_beside || others.all(|m| self.method(&setup, *m, &beside, &|| {}));
            opened();
            (urgent, goes_on)
        };
        let ((urgent, others_go_on), goes_on) = rayon::join(open_others, || {
            !opens_beside || self.method(&setup, Method::Quasistatic, reports, &opened)
        });
        if !(goes_on && others_go_on) {
            return Stage::Done;
        }
        let mut remaining = bake_order(&setup, &urgent);
        if opens_beside {
            remaining.retain(|method| !urgent.contains(method));
        }
        reports.prepare(remaining.front().copied());
        Stage::Methods {
            setup,
            remaining,
            urgent,
        }
    }

    /// Bakes a method; returns whether to go on with the next one. Calls `when_opened` as soon as it can be touched, if that is before its end.
    fn method(
        &self,
        setup: &Arc<Setup>,
        method: Method,
        reports: &Reports,
        when_opened: &(dyn Fn() + Sync),
    ) -> bool {
        reports.prepare(Some(method));
        let opened = |built| {
            reports.send(BakeEvent::MethodOpened(built));
            when_opened();
        };
        let built = build_opened(setup, method, &self.cache, &reports.progress, Some(&opened));
        let event = match built {
            Ok(built) => BakeEvent::MethodReady(built),
            Err(BuildError::Cancelled) => return false,
            Err(error) => BakeEvent::MethodFailed {
                method,
                fault: Fault::new(error.code(), error.reason()),
            },
        };
        reports.prepare(None);
        reports.send(event)
    }
}

/// The methods that a scene asks for in the order in which they are baked: those of `first` before the others, unless their bake would keep quick ones waiting for minutes.
fn bake_order(setup: &Setup, first: &[Method]) -> VecDeque<Method> {
    let is_requested = |m: &Method| setup.description.methods.contains(m);
    let mut order: Vec<Method> = BAKE_ORDER.into_iter().filter(is_requested).collect();
    if !has_many_columns(setup) {
        order.sort_by_key(|m| !first.contains(m));
    }
    order.into()
}

/// Whether the columns of the quasistatic method may take minutes.
fn has_many_columns(setup: &Setup) -> bool {
    let quasistatic = &setup.description.body.quasistatic;
    let nodes = match quasistatic.boundary {
        BoundaryChoice::Auto => 0,
        BoundaryChoice::Skin => setup.geometry.skin.vertex_count(),
        BoundaryChoice::Nodes(nodes) => nodes,
    };
    let is_quick = matches!(
        quasistatic.generator,
        GreensGenerator::Fem | GreensGenerator::Asset
    );
    !is_quick || quasistatic.wavelet.is_some() || nodes > MAX_QUICK_NODES
}
