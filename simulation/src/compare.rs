//! Several methods on one scene, frame by frame, without a window.
//!
//! Nothing here depends on wall time but the cost figures, which are kept apart.

use std::sync::Arc;
use std::time::Instant;

use pliant_core::asset::Progress;
use pliant_core::inspect::PointState;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::StepError;
use pliant_core::scene::{Method, ReferenceChoice};
use xxhash_rust::xxh3::Xxh3;

use crate::build::{BuiltMethod, build_method};
use crate::cache::AssetCache;
use crate::distance::{SurfaceDistance, position_distance, surface_distance};
use crate::error::{BuildError, variant_name};
use crate::reference::{Accuracy, Ranking, Reference, causes, ranking, reference};
use crate::setup::Setup;
use crate::world::{Interaction, World};

/// How many pictures a second of simulated time are kept for reports.
const KEPT_A_SECOND: f64 = 4.0;
/// Vertices that are hashed at once.
const HASHED: usize = 1024;
/// Energy balance beyond which a run is told to be untrustworthy.
const BALANCE_TOLD: f64 = 0.05;

/// Everything that a comparison found.
pub struct Comparison {
    /// The scene.
    pub setup: Arc<Setup>,
    /// One entry a method asked for, in the order of [`Method::ALL`].
    pub methods: Vec<MethodResult>,
    /// One entry a pair of methods that both ran.
    pub pairs: Vec<PairResult>,
    /// What all of this is compared with, or why there is none; `None` where none was asked for.
    pub reference: Option<Result<Reference, NotApplicable>>,
    /// Frame length, s.
    pub frame_duration: f64,
    /// Tools at each kept time.
    pub kept_tools: Vec<Vec<pliant_core::contact::tool::Tool>>,
    /// Times of the kept frames, s.
    pub kept_times: Vec<f64>,
}

/// One method's run.
pub struct MethodResult {
    /// Which.
    pub method: Method,
    /// What it found, or why it could not run.
    pub outcome: Result<MethodRun, NotApplicable>,
}

/// Why a method could not run a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct NotApplicable {
    /// Error code.
    pub code: String,
    /// Sentence with a remedy.
    pub reason: String,
}

/// Figures of one method's run.
#[derive(Debug, Clone)]
pub struct MethodRun {
    /// Simulated frames.
    pub frames: usize,
    /// Wall time of each frame, ms.
    pub cost_ms: Vec<f64>,
    /// Wall time of building or loading the asset, s.
    pub bake_s: f64,
    /// Whether the asset came from the cache.
    pub from_cache: bool,
    /// Hash of the skin positions of every frame.
    pub surface_hash: u64,
    /// Most nodes, particles or columns that were computed.
    pub active_nodes_max: usize,
    /// Largest force of one tool or grab, N.
    pub force_max: f64,
    /// Largest penetration or distance from a held target, m.
    pub violation_max: f64,
    /// Worst energy balance over the largest energy; `None` for a method without energy.
    pub energy_balance: Option<f64>,
    /// Why it stopped early, if it did.
    pub diverged: Option<StepError>,
    /// Force (N) on the body at the end of the run, for each tool, grab and support by name.
    pub reactions: Vec<(String, Vec3)>,
    /// Time of each frame, s.
    pub times: Vec<f64>,
    /// Norm of the force of each tool and grab in each frame, N: `force_curves[tool or grab][frame]`.
    pub force_curves: Vec<(String, Vec<f64>)>,
    /// Probe values in each frame: `probe_curves[probe][frame]`, m.
    pub probe_curves: Vec<(String, Vec<Vec3>)>,
    /// Each named point inside, in each frame.
    pub point_curves: Vec<PointCurve>,
    /// Skin at the kept times.
    pub kept: Vec<SurfaceFrame>,
    /// How far it is from the reference, where there is one.
    pub accuracy: Option<Accuracy>,
    /// What the user should know.
    pub notes: Vec<String>,
    /// Figures of the model at the end.
    pub counters: Vec<(&'static str, f64)>,
}

/// What a named point inside the body felt.
#[derive(Debug, Clone, PartialEq)]
pub struct PointCurve {
    /// Its name.
    pub name: String,
    /// Its place at rest, m.
    pub rest: Vec3,
    /// After each frame.
    pub states: Vec<PointState>,
}

impl PointCurve {
    /// After the last frame; at rest before the first.
    pub fn last(&self) -> PointState {
        self.states.last().copied().unwrap_or_default()
    }

    /// Largest displacement of the run, m.
    pub fn displacement_max(&self) -> f64 {
        let sizes = self.states.iter().map(|s| s.displacement.norm());
        sizes.fold(0.0, f64::max)
    }

    /// Largest stress of von Mises of the run, Pa.
    pub fn von_mises_max(&self) -> f64 {
        let sizes = self.states.iter().map(PointState::von_mises);
        sizes.fold(0.0, f64::max)
    }
}

/// Two methods in the frame in which they differ most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairResult {
    /// First method.
    pub a: Method,
    /// Second method.
    pub b: Method,
    /// Distance in that frame.
    pub distance: SurfaceDistance,
    /// The frame.
    pub frame: usize,
}

impl Comparison {
    /// The reference, where one was computed.
    pub fn reference(&self) -> Option<&Reference> {
        self.reference.as_ref()?.as_ref().ok()
    }

    /// Which method is nearest to the reference and which costs least; `None` without a reference.
    pub fn ranking(&self) -> Option<Ranking> {
        let runs = self.methods.iter().filter_map(|m| {
            let run = m.outcome.as_ref().ok().filter(|r| r.diverged.is_none())?;
            Some((m.method, run.accuracy.as_ref()?, run.cost_quantile(0.5)))
        });
        ranking(runs)
    }
}

impl MethodRun {
    /// Largest displacement of a probe over the run and its final value, m.
    pub fn probe_summary(&self, probe: usize) -> (Vec3, f64) {
        let curve = &self.probe_curves[probe].1;
        let last = curve.last().copied().unwrap_or_else(Vec3::zeros);
        (last, curve.iter().map(|v| v.norm()).fold(0.0, f64::max))
    }

    /// Cost at a quantile of the frames, ms.
    pub fn cost_quantile(&self, quantile: f64) -> f64 {
        let mut sorted = self.cost_ms.clone();
        sorted.sort_by(f64::total_cmp);
        let at = ((sorted.len() as f64 - 1.0) * quantile).round() as usize;
        sorted.get(at).copied().unwrap_or(0.0)
    }
}

/// What a comparison is to do.
pub struct CompareOptions<'a> {
    /// Methods, or those that the scene names.
    pub methods: Option<Vec<Method>>,
    /// Length of the run, s, or that of the scene.
    pub duration: Option<f64>,
    /// Where assets are kept.
    pub cache: &'a AssetCache,
    /// Whether skins are kept for pictures.
    pub keep_frames: bool,
    /// What results are compared with, or what the scene says.
    pub reference: Option<ReferenceChoice>,
}

/// Whether skins are kept in frame `frame` (from 0): four times a second.
pub fn keeps_surface(setup: &Setup, frame: usize) -> bool {
    let every = ((setup.description.frame_rate / KEPT_A_SECOND).round() as usize).max(1);
    (frame + 1).is_multiple_of(every)
}

/// Runs the methods in step with each other.
///
/// # Errors
/// [`BuildError`] only for what concerns all methods, and for cancellation; what one method cannot do stands in its result.
pub fn compare(
    setup: Arc<Setup>,
    options: &CompareOptions<'_>,
    progress: &Progress,
) -> Result<Comparison, BuildError> {
    let mut methods = options
        .methods
        .clone()
        .unwrap_or_else(|| setup.description.methods.clone());
    methods.sort_unstable();
    methods.dedup();
    let frames = setup.frames(options.duration.unwrap_or(setup.description.duration));
    let is_kept = |frame: usize| keeps_surface(&setup, frame);
    let reference = wanted_reference(&setup, &methods, frames, options, progress)?;
    let mut lanes = Vec::new();
    for method in methods {
        let built = applicable(build_method(&setup, method, options.cache, progress))?;
        lanes.push((method, built.map(|built| Lane::new(built, &setup))));
    }
    let mut pairs = first_pairs(&lanes);
    let mut kept_tools = Vec::new();
    let mut kept_times = Vec::new();
    progress.stage("simulating");
    for frame in 0..frames {
        progress.check()?;
        progress.set_fraction(frame as f64 / frames as f64);
        let keep = options.keep_frames && is_kept(frame);
        let exact = reference.as_ref().and_then(|r| r.as_ref().ok());
        let exact = exact.and_then(|r| r.fine.surface(frame));
        let mut tools = None;
        for (_, lane) in &mut lanes {
            if let Ok(lane) = lane {
                lane.step(keep);
                if let Some(exact) = exact {
                    lane.compare_skin(exact, frame, &setup.areas);
                }
                if keep {
                    tools = Some(lane.world.tools().to_vec());
                }
            }
        }
        if let Some(tools) = tools {
            kept_tools.push(tools);
            kept_times.push((frame + 1) as f64 * setup.frame_duration());
        }
        for pair in &mut pairs {
            let find = |m: Method| {
                lanes
                    .iter()
                    .find(|(method, _)| *method == m)
                    .and_then(|(_, lane)| lane.as_ref().ok())
            };
            if let (Some(a), Some(b)) = (find(pair.a), find(pair.b)) {
                let d = surface_distance(a.world.frame(), b.world.frame(), &setup.areas);
                if d.rms > pair.distance.rms || frame == 0 {
                    pair.distance = d;
                    pair.frame = frame;
                }
            }
        }
    }
    let methods = lanes
        .into_iter()
        .map(|(method, lane)| MethodResult {
            method,
            outcome: lane.map(|lane| lane.finish(&setup, reference.as_ref())),
        })
        .collect();
    Ok(Comparison {
        frame_duration: setup.frame_duration(),
        reference,
        setup,
        methods,
        pairs,
        kept_tools,
        kept_times,
    })
}

/// The reference, where the options or the scene ask for one.
fn wanted_reference(
    setup: &Arc<Setup>,
    methods: &[Method],
    frames: usize,
    options: &CompareOptions<'_>,
    progress: &Progress,
) -> Result<Option<Result<Reference, NotApplicable>>, BuildError> {
    let choice = options.reference.unwrap_or(setup.description.reference);
    if choice == ReferenceChoice::None {
        return Ok(None);
    }
    let is_kept = |frame: usize| keeps_surface(setup, frame);
    let mut found = applicable(reference(setup, frames, &is_kept, options.cache, progress))?;
    if choice == ReferenceChoice::Explained
        && let Ok(reference) = &mut found
        && let Some(firm) = reference.firm.clone()
    {
        let causes = causes(setup, frames, methods, &firm, options.cache, progress);
        match applicable(causes)? {
            Ok(causes) => reference.causes = causes,
            Err(reason) => reference.notes.push(reason.reason),
        }
    }
    Ok(Some(found))
}

/// What concerns one part of a comparison stands in its result; a cancellation ends all of it.
fn applicable<T>(built: Result<T, BuildError>) -> Result<Result<T, NotApplicable>, BuildError> {
    match built {
        Ok(built) => Ok(Ok(built)),
        Err(BuildError::Cancelled) => Err(BuildError::Cancelled),
        Err(error) => Ok(Err(NotApplicable {
            code: error.code(),
            reason: match error {
                BuildError::NotApplicable { reason, .. } => reason,
                other => other.to_string(),
            },
        })),
    }
}

type Lanes = [(Method, Result<Lane, NotApplicable>)];

fn first_pairs(lanes: &Lanes) -> Vec<PairResult> {
    let ready: Vec<Method> = lanes
        .iter()
        .filter(|(_, lane)| lane.is_ok())
        .map(|(method, _)| *method)
        .collect();
    let mut pairs = Vec::new();
    for (k, &a) in ready.iter().enumerate() {
        for &b in &ready[k + 1..] {
            pairs.push(PairResult {
                a,
                b,
                distance: SurfaceDistance::default(),
                frame: 0,
            });
        }
    }
    pairs
}

/// A world and what is collected from it.
struct Lane {
    world: World,
    run: MethodRun,
    hash: Xxh3,
    /// positions on their way into the hash
    bytes: Vec<u8>,
    balance: (f64, f64),
    has_energy: bool,
    /// the largest distance from the skin of the reference so far
    skin: Accuracy,
}

impl Lane {
    fn new(built: BuiltMethod, setup: &Arc<Setup>) -> Self {
        let names = setup
            .tools
            .iter()
            .map(|t| &t.name)
            .chain(setup.grabs.iter().map(|g| &g.name));
        let mut point_curves = Vec::new();
        built.model.visit_points(&mut |point| {
            point_curves.push(PointCurve {
                name: point.name.to_string(),
                rest: point.rest,
                states: Vec::new(),
            });
        });
        Self {
            run: MethodRun {
                frames: 0,
                cost_ms: Vec::new(),
                bake_s: built.seconds,
                from_cache: built.from_cache,
                surface_hash: 0,
                active_nodes_max: 0,
                force_max: 0.0,
                violation_max: 0.0,
                energy_balance: None,
                diverged: None,
                reactions: Vec::new(),
                times: Vec::new(),
                force_curves: names.map(|n| (n.clone(), Vec::new())).collect(),
                probe_curves: setup
                    .probes
                    .iter()
                    .map(|p| (p.name.clone(), Vec::new()))
                    .collect(),
                point_curves,
                kept: Vec::new(),
                accuracy: None,
                notes: built.notes,
                counters: Vec::new(),
            },
            skin: Accuracy::default(),
            world: World::new(built.method, built.model, Arc::clone(setup)),
            hash: Xxh3::new(),
            bytes: Vec::new(),
            balance: (0.0, 0.0),
            has_energy: false,
        }
    }

    fn step(&mut self, keep: bool) {
        if self.run.diverged.is_none() {
            let started = Instant::now();
            match self.world.step_frame(&Interaction::default()) {
                Ok(_) => self.record(started.elapsed().as_secs_f64() * 1e3),
                Err(error) => self.run.diverged = Some(error),
            }
        }
        // many numbers at once: one by one, hashing takes a fifth of a run of 200,000 vertices
        for positions in self.world.frame().positions.chunks(HASHED) {
            self.bytes.clear();
            let numbers = positions.iter().flatten();
            self.bytes
                .extend(numbers.flat_map(|x| x.to_bits().to_le_bytes()));
            self.hash.update(&self.bytes);
        }
        if keep {
            self.run.kept.push(self.world.frame().clone());
        }
    }

    fn compare_skin(&mut self, exact: &[[f32; 3]], frame: usize, areas: &[f64]) {
        if self.run.diverged.is_none() {
            let mine = &self.world.frame().positions;
            self.skin
                .add_surface(&position_distance(mine, exact, areas), frame);
        }
    }

    fn record(&mut self, cost_ms: f64) {
        let run = &mut self.run;
        let out = self.world.output();
        run.frames += 1;
        run.cost_ms.push(cost_ms);
        run.times.push(out.time);
        let forces = out
            .wrenches
            .iter()
            .map(|w| w.force.norm())
            .chain(out.grab_forces.iter().map(|f| f.norm()));
        for (curve, force) in run.force_curves.iter_mut().zip(forces) {
            curve.1.push(force);
            run.force_max = run.force_max.max(force);
        }
        for (curve, value) in run.probe_curves.iter_mut().zip(&out.probes) {
            curve.1.push(*value);
        }
        for (curve, state) in run.point_curves.iter_mut().zip(&out.points) {
            curve.states.push(*state);
        }
        run.violation_max = run.violation_max.max(out.report.max_violation);
        run.active_nodes_max = run
            .active_nodes_max
            .max(self.world.model().stats().active_nodes);
        if let Some(energy) = &out.report.energy {
            self.has_energy = true;
            self.balance.0 = self.balance.0.max(energy.balance().abs());
            self.balance.1 = self.balance.1.max(energy.scale());
        }
    }

    fn finish(
        mut self,
        setup: &Setup,
        reference: Option<&Result<Reference, NotApplicable>>,
    ) -> MethodRun {
        let out = self.world.output();
        let tools = setup
            .tools
            .iter()
            .zip(&out.wrenches)
            .map(|(t, w)| (t.name.clone(), -w.force));
        let grabs = setup
            .grabs
            .iter()
            .zip(&out.grab_forces)
            .map(|(g, f)| (g.name.clone(), *f));
        let supports = setup
            .geometry
            .supports
            .iter()
            .zip(&out.support_forces)
            .map(|(s, f)| (s.name.clone(), *f));
        self.run.reactions = tools.chain(grabs).chain(supports).collect();
        self.run.surface_hash = self.hash.digest();
        if self.has_energy {
            let (worst, scale) = self.balance;
            let balance = if scale > 0.0 { worst / scale } else { 0.0 };
            self.run.energy_balance = Some(balance);
            if balance > BALANCE_TOLD {
                self.run.notes.push(format!(
                    "the energy balance is off by {:.0} % at its worst: energy was made or lost beside what forces, supports and damping account for",
                    balance * 100.0
                ));
            }
        }
        if let Some(Ok(reference)) = reference {
            let run = &self.run;
            let forces: Vec<&[f64]> = run.force_curves.iter().map(|c| c.1.as_slice()).collect();
            let probes: Vec<&[Vec3]> = run.probe_curves.iter().map(|c| c.1.as_slice()).collect();
            self.run.accuracy = Some(reference.judge(&forces, &probes, self.skin));
        }
        let stats = self.world.model().stats();
        self.run.notes.extend(stats.notes);
        self.run.notes.dedup();
        self.run.counters = stats.counters;
        if let Some(error) = &self.run.diverged {
            self.run
                .notes
                .push(format!("{}: {error}", variant_name(error)));
        }
        self.run
    }
}
