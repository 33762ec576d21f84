//! Opening a scene: the skin first, then one method after the other.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::sync::Arc;

use pliant_core::material::Material;
use pliant_core::scene::{BoundaryChoice, GreensGenerator, Method};

use super::bake_event::BakeEvent;
use super::stages::{Reports, Stages};
use crate::build::{build_opened, build_preview};
use crate::cache::AssetCache;
use crate::error::BuildError;
use crate::runner::snapshot::PaneFault;
use crate::scenes::{ImportOptions, load};
use crate::setup::{Setup, prepare};

/// Methods in the order in which they are baked: the quickest first, so that something moves soon.
const ORDER: [Method; 3] = [Method::Lattice, Method::Adaptive, Method::Quasistatic];

/// Boundary nodes whose columns take more than some seconds.
const MANY_COLUMNS: usize = 1500;

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
    /// coarse models, so that all methods can be touched soon
    Previews {
        setup: Arc<Setup>,
        left: VecDeque<Method>,
        /// methods without a preview, which are baked first
        first: Vec<Method>,
    },
    Methods {
        setup: Arc<Setup>,
        left: VecDeque<Method>,
    },
    Done,
}

impl Stages for Opening {
    fn advance(&mut self, reports: &Reports) -> bool {
        self.stage = match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Skin => self.skin(reports),
            Stage::Previews {
                setup,
                mut left,
                mut first,
            } => {
                let Some(method) = left.pop_front() else {
                    let left = bake_order(&setup, &first);
                    reports.prepare(left.front().copied());
                    self.stage = Stage::Methods { setup, left };
                    return true;
                };
                reports.prepare(Some(method));
                match build_preview(&setup, method, &self.cache, &reports.progress) {
                    Some(preview) => {
                        reports.send(BakeEvent::PreviewReady(preview));
                    }
                    None => first.push(method),
                }
                Stage::Previews { setup, left, first }
            }
            Stage::Methods { setup, mut left } => {
                let Some(method) = left.pop_front() else {
                    reports.send(BakeEvent::Finished);
                    return false;
                };
                if self.method(&setup, method, reports) {
                    reports.prepare(left.front().copied());
                    Stage::Methods { setup, left }
                } else {
                    Stage::Done
                }
            }
            Stage::Done => Stage::Done,
        };
        !matches!(self.stage, Stage::Done)
    }
}

impl Opening {
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
        let left = bake_order(&setup, &[]);
        if !self.has_previews {
            return Stage::Methods { setup, left };
        }
        Stage::Previews {
            left,
            setup,
            first: Vec::new(),
        }
    }

    /// Bakes a method; whether the next one is wanted.
    fn method(&self, setup: &Arc<Setup>, method: Method, reports: &Reports) -> bool {
        reports.prepare(Some(method));
        let opened = |built| {
            reports.send(BakeEvent::MethodOpened(built));
        };
        let built = build_opened(setup, method, &self.cache, &reports.progress, Some(&opened));
        let event = match built {
            Ok(built) => BakeEvent::MethodReady(built),
            Err(BuildError::Cancelled) => return false,
            Err(error) => BakeEvent::MethodFailed {
                method,
                fault: PaneFault {
                    code: error.code(),
                    reason: error.reason(),
                },
            },
        };
        reports.prepare(None);
        reports.send(event)
    }
}

/// The methods that a scene asks for in the order in which they are baked: those of `first` before the others, unless their bake would keep quick ones waiting for minutes.
fn bake_order(setup: &Setup, first: &[Method]) -> VecDeque<Method> {
    let asked = |m: &Method| setup.description.methods.contains(m);
    let mut order: Vec<Method> = ORDER.into_iter().filter(asked).collect();
    if !has_many_columns(setup) {
        order.sort_by_key(|m| !first.contains(m));
    }
    order.into()
}

/// Whether the columns of the quasistatic method may take minutes.
fn has_many_columns(setup: &Setup) -> bool {
    let wanted = &setup.description.body.quasistatic;
    let nodes = match wanted.boundary {
        BoundaryChoice::Auto => 0,
        BoundaryChoice::Skin => setup.geometry.skin.vertex_count(),
        BoundaryChoice::Nodes(nodes) => nodes,
    };
    let is_quick = matches!(
        wanted.generator,
        GreensGenerator::Fem | GreensGenerator::Asset
    );
    !is_quick || wanted.wavelet.is_some() || nodes > MANY_COLUMNS
}
