//! Runs of a scene on single levels of finite elements, kept in the cache one by one.

use std::sync::Arc;

use pliant_adaptive::{AdaptiveModel, AdaptiveParams, DampingRule, LevelChoice, LodHierarchy};
use pliant_core::asset::{AssetKey, KeyHasher, Progress};
use pliant_core::math::numbers::grouped;
use pliant_core::model::DeformableModel;
use pliant_core::scene::Method;
use web_time::Instant;

use super::levels::reference_description;
use super::recorded::RecordedRun;
use super::refusals::refused;
use super::span::Span;
use crate::build::Job;
use crate::build::geometry::geometry_recipe;
use crate::cache::AssetCache;
use crate::error::BuildError;
use crate::parameters::adaptive_params;
use crate::reference::equilibrium::{LinearBody, RelaxedBody};
use crate::reference::kind::ReferenceKind;
use crate::setup::Setup;
use crate::world::{Interaction, World};

/// Increased when the result of a run changes for the same scene.
const VERSION: u32 = 2;
/// Share of the mass of a body that its worst slivers get, which would dictate the step of all others: five times as long a step in thin walls, and modes that are
/// slower by half of the share at most.
const MASS_SCALING: f64 = 0.001;
/// The same for an estimate, which only needs a force, and soon.
const ESTIMATE_MASS_SCALING: f64 = 0.01;
/// The same for a static reference, whose result does not depend on inertia: as much as the adaptive method may add.
const STATIC_MASS_SCALING: f64 = 0.04;

/// Kind of asset in the cache.
const KIND: &str = "reference";

/// A scene on levels of finite elements, each of which can be run. The levels are baked when the first run asks for them.
pub(in crate::reference) struct LevelRuns<'a> {
    /// What the runs take into account.
    pub(in crate::reference) kind: ReferenceKind,
    setup: Arc<Setup>,
    span: &'a Span,
    keeps_surface: &'a dyn Fn(usize) -> bool,
    cache: &'a AssetCache,
    progress: &'a Progress,
    mass_scaling: f64,
    hierarchy: Option<Arc<LodHierarchy>>,
    /// What was remarked when levels were baked.
    pub(in crate::reference) notes: Vec<String>,
}

impl<'a> LevelRuns<'a> {
    /// Runs of this kind of the frames of `span` on levels with so many `nodes`, coarse to fine. Skins are kept in the frames of the span (from 0) for which `keeps_surface` holds.
    pub(in crate::reference) fn new(
        kind: ReferenceKind,
        setup: &Setup,
        nodes: &[usize],
        span: &'a Span,
        keeps_surface: &'a dyn Fn(usize) -> bool,
        cache: &'a AssetCache,
        progress: &'a Progress,
    ) -> Self {
        let description = reference_description(setup, nodes);
        Self {
            kind,
            setup: Arc::new(Setup {
                description,
                // parameters belong to the methods, and the reference is none of them
                hand: (setup.hand.as_ref())
                    .and_then(|hand| hand.without_parameters())
                    .map(Arc::new),
                ..setup.clone()
            }),
            span,
            keeps_surface,
            cache,
            progress,
            mass_scaling: MASS_SCALING,
            hierarchy: None,
            notes: Vec::new(),
        }
    }

    /// The same, sooner and with slightly slower waves.
    pub(in crate::reference) fn with_estimate_mass_scaling(self) -> Self {
        Self {
            mass_scaling: ESTIMATE_MASS_SCALING,
            ..self
        }
    }

    /// A run that is in the cache.
    pub(in crate::reference) fn stored(&self, from_finest: usize) -> Option<RecordedRun> {
        let bytes = self.cache.load(KIND, self.key(from_finest))?;
        RecordedRun::from_bytes(&bytes)
    }

    /// The run on the finest level (`from_finest` 0) or a coarser one: from the cache, else computed and kept.
    pub(in crate::reference) fn run(
        &mut self,
        from_finest: usize,
    ) -> Result<RecordedRun, BuildError> {
        if let Some(run) = self.stored(from_finest) {
            return Ok(run);
        }
        let hierarchy = self.hierarchy()?;
        let level = hierarchy.levels.len().checked_sub(from_finest + 1);
        let level = level.ok_or_else(|| {
            refused(
                "ReferenceNeedsTwoLevels",
                "the body has only one level of finite elements, but the uncertainty of a reference needs two\n  remedy: compare without a reference",
            )
        })?;
        let run = self.compute(&hierarchy, level)?;
        self.cache
            .store(KIND, self.key(from_finest), &[&run.to_bytes()]);
        Ok(run)
    }

    fn hierarchy(&mut self) -> Result<Arc<LodHierarchy>, BuildError> {
        if let Some(hierarchy) = &self.hierarchy {
            return Ok(Arc::clone(hierarchy));
        }
        self.progress.stage("reference: levels");
        let job = Job::new(&self.setup, Method::Adaptive, self.cache, self.progress);
        let (hierarchy, _) = job.adaptive(&mut self.notes)?;
        let hierarchy = Arc::new(hierarchy);
        self.hierarchy = Some(Arc::clone(&hierarchy));
        Ok(hierarchy)
    }

    /// One level through all frames.
    fn compute(
        &self,
        hierarchy: &Arc<LodHierarchy>,
        level: usize,
    ) -> Result<RecordedRun, BuildError> {
        let started = Instant::now();
        let (setup, progress) = (&self.setup, self.progress);
        let nodes = hierarchy.levels[level].node_count();
        progress.stage(&format!("reference: {} nodes", grouped(nodes)));
        let body = self.body(hierarchy, level)?;
        let mut world = World::new(Method::Adaptive, body, Arc::clone(setup));
        world.reset_to(self.span.first);
        let curves = self.span.curves(setup);
        let mut run = RecordedRun::new(nodes, curves, setup.probes.len());
        let idle = Interaction::default();
        for frame in 0..self.span.frames {
            progress.check()?;
            progress.set_fraction(frame as f64 / self.span.frames as f64);
            let hand = self.span.hand.get(frame).unwrap_or(&idle);
            if let Err(error) = world.step_frame(hand) {
                // a frame without inertia may take so long that it looks whether it was cancelled
                progress.check()?;
                let other = match self.kind {
                    ReferenceKind::Dynamic => "",
                    _ => ", or compare with a dynamic reference",
                };
                return Err(refused("ReferenceFailed", &format!("{error}{other}")));
            }
            run.record(&world, (self.keeps_surface)(frame));
        }
        run.seconds = started.elapsed().as_secs_f64();
        Ok(run)
    }

    /// The body that runs on a level, at rest.
    fn body(
        &self,
        hierarchy: &Arc<LodHierarchy>,
        level: usize,
    ) -> Result<Box<dyn DeformableModel>, BuildError> {
        if self.kind == ReferenceKind::Linear {
            let body = LinearBody::new(Arc::clone(hierarchy), level, self.progress)?;
            return match body {
                Some(body) => Ok(Box::new(body)),
                None => Err(refused(
                    "ReferenceNotFactorised",
                    "the stiffness of the fine elements cannot be factorised: a part of the body has no support, or there are too many nodes\n  remedy: hold every part of the body, give the adaptive method a coarser finest level, or compare with a dynamic reference",
                )),
            };
        }
        let params = AdaptiveParams {
            level: LevelChoice::Index(level),
            ..self.params()
        };
        let model = AdaptiveModel::new(Arc::clone(hierarchy), params)
            .map_err(|e| refused("Reference", &e.to_string()))?;
        if self.kind == ReferenceKind::Dynamic {
            return Ok(Box::new(model));
        }
        let relaxed = RelaxedBody::new(model, self.progress.clone());
        let relaxed = relaxed.map_err(|e| refused("Reference", &e.to_string()))?;
        Ok(Box::new(relaxed))
    }

    /// Parameters of the levels: next to nothing that is there for speed alone.
    fn params(&self) -> AdaptiveParams {
        let params = adaptive_params(&self.setup);
        match self.kind {
            ReferenceKind::Dynamic | ReferenceKind::Linear => AdaptiveParams {
                mass_scaling: self.mass_scaling,
                ..params
            },
            ReferenceKind::Static => AdaptiveParams {
                mass_scaling: STATIC_MASS_SCALING,
                damping_rule: DampingRule::Rayleigh,
                ..params
            },
        }
    }

    /// Everything that a run depends on.
    fn key(&self, from_finest: usize) -> AssetKey {
        let (setup, params) = (&self.setup, self.params());
        let mut hasher = KeyHasher::new(KIND, VERSION);
        let body = pliant_adaptive::key(&setup.geometry, &params);
        hasher.bytes("body", &body.0.to_le_bytes());
        let recipe = geometry_recipe(setup, Method::Adaptive);
        hasher.bytes("recipe", recipe.as_bytes());
        hasher.bytes("parameters", format!("{params:?}").as_bytes());
        hasher.bytes("tools", format!("{:?}", setup.tools).as_bytes());
        hasher.bytes("grabs", format!("{:?}", setup.grabs).as_bytes());
        if let Some(hand) = &setup.hand {
            hasher.bytes("hand", format!("{hand:?}").as_bytes());
        }
        hasher.bytes("probes", format!("{:?}", setup.probes).as_bytes());
        let description = &setup.description;
        let gravity = description.gravity;
        let frame_rate = description.frame_rate;
        hasher.numbers("world", &[gravity.x, gravity.y, gravity.z, frame_rate]);
        let frames = self.span.frames;
        let kept = (0..frames as u32).filter(|f| (self.keeps_surface)(*f as usize));
        hasher.indices("surfaces", kept);
        hasher.indices("run", [frames as u32, from_finest as u32]);
        if self.span.is_touched() {
            let touch = (self.span.first, &self.span.hand);
            hasher.bytes("touch", format!("{touch:?}").as_bytes());
        }
        if self.kind != ReferenceKind::Dynamic {
            hasher.bytes("kind", self.kind.name().as_bytes());
        }
        hasher.bytes("program", env!("CARGO_PKG_VERSION").as_bytes());
        hasher.finish()
    }
}
