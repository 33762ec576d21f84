//! Opening a scene: the skin first, then one method after the other.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::sync::Arc;

use pliant_core::material::Material;
use pliant_core::scene::{BoundaryChoice, GreensGenerator, Method};

use super::bake_event::BakeEvent;
use super::reports::Reports;
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
    /// another material of its first body
    pub material: Option<Material>,
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
                if self.method(&setup, method, reports) {
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
            if let Some(material) = self.material {
                scene.description.body.material = material;
            }
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

    /// Makes coarse models on one thread. On another one it bakes the quasistatic method, which has no coarse model, unless its columns may take minutes.
    fn open_coarsely(&self, setup: Arc<Setup>, reports: &Reports) -> Stage {
        let mut remaining = bake_order(&setup, &[]);
        let opens_beside = remaining.contains(&Method::Quasistatic) && !has_many_columns(&setup);
        let progress = reports.progress.beside();
        let preview = |method: &Method| match build_preview(&setup, *method, &self.cache, &progress)
        {
            Some(preview) => {
                reports.send(BakeEvent::PreviewReady(preview));
                None
            }
            None => Some(*method),
        };
        let (urgent, goes_on): (Vec<Method>, bool) = rayon::join(
            || remaining.iter().filter_map(preview).collect(),
            || !opens_beside || self.method(&setup, Method::Quasistatic, reports),
        );
        if !goes_on {
            return Stage::Done;
        }
        remaining = bake_order(&setup, &urgent);
        remaining.retain(|&method| method != Method::Quasistatic || !opens_beside);
        reports.prepare(remaining.front().copied());
        Stage::Methods {
            setup,
            remaining,
            urgent,
        }
    }

    /// Bakes a method; returns whether to go on with the next one.
    fn method(&self, setup: &Arc<Setup>, method: Method, reports: &Reports) -> bool {
        reports.prepare(Some(method));
        let opened = |built| {
            reports.send(BakeEvent::MethodOpened(built));
            // the last method that somebody waits for
            go_below_panes();
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
