//! Runs the methods in step with each other.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::scene::{Method, ReferenceChoice};

use super::comparison::{Comparison, MethodResult, PairResult};
use super::moments::{MomentSearch, Runs};
use super::observer::{FrameObserver, ObservedMethod};
use super::recorder::Recorder;
use crate::build::build_method;
use crate::cache::AssetCache;
use crate::error::{BuildError, Fault};
use crate::reference::{
    Reference, ReferenceKind, Span, SurfaceDistance, causes, estimate, reference, surface_distance,
};
use crate::setup::Setup;

/// Options of a comparison.
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

impl<'a> CompareOptions<'a> {
    /// What the scene says, without skins for pictures.
    pub fn new(cache: &'a AssetCache) -> Self {
        Self {
            methods: None,
            duration: None,
            cache,
            keep_frames: false,
            reference: None,
        }
    }
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
    compare_observed(setup, options, progress, &mut ())
}

/// As [`compare`], and shows each frame to `observer`.
pub(crate) fn compare_observed<O: FrameObserver>(
    setup: Arc<Setup>,
    options: &CompareOptions<'_>,
    progress: &Progress,
    observer: &mut O,
) -> Result<Comparison, O::Error> {
    let methods = methods_of(&setup, options.methods.as_deref());
    let frames = setup.frames(options.duration.unwrap_or(setup.description.duration));
    let mut runs = Vec::new();
    for &method in &methods {
        let built = applicable(build_method(&setup, method, options.cache, progress))?;
        runs.push((method, built.map(|built| Recorder::new(built, &setup))));
    }
    // after the bakes: an estimate uses the adaptive method's levels, whose bake would else count as free
    let reference = requested_reference(&setup, &methods, frames, options, progress)?;
    let mut pairs = pairs_of(&runs);
    let mut kept_tools = Vec::new();
    let mut kept_times = Vec::new();
    let mut moments = MomentSearch::new(&setup);
    observer.begin(&setup, frames, &observed(&runs))?;
    progress.stage("simulating");
    for frame in 0..frames {
        progress.check().map_err(BuildError::from)?;
        progress.set_fraction(frame as f64 / frames as f64);
        let keep = options.keep_frames && setup.keeps_surface(frame, frames);
        let exact = reference.as_ref().and_then(|r| r.as_ref().ok());
        let exact = exact.and_then(|r| r.fine.surface(frame));
        let mut tools = None;
        for (_, run) in &mut runs {
            if let Ok(run) = run {
                run.step(keep);
                if let Some(exact) = exact {
                    run.compare_skin(exact, frame, &setup.areas);
                }
                if keep {
                    tools = Some(run.world().tools().to_vec());
                }
            }
        }
        observer.frame(frame, &observed(&runs))?;
        if let Some(tools) = tools {
            kept_tools.push(tools);
            kept_times.push((frame + 1) as f64 * setup.frame_duration());
        }
        let apart = compare_pairs(&mut pairs, &runs, frame, &setup.areas);
        if options.keep_frames {
            moments.add(frame, &runs, apart);
        }
    }
    let exact = reference.as_ref().and_then(|r| r.as_ref().ok());
    let methods = runs
        .into_iter()
        .map(|(method, run)| MethodResult {
            method,
            outcome: run.map(|run| run.finish(&setup, exact)),
        })
        .collect();
    Ok(Comparison {
        frame_duration: setup.frame_duration(),
        reference,
        reference_choice: options.reference.unwrap_or(setup.description.reference),
        setup,
        methods,
        pairs,
        kept_tools,
        kept_times,
        moments: moments.finish(),
    })
}

/// The reference, where the options or the scene ask for one.
fn requested_reference(
    setup: &Arc<Setup>,
    methods: &[Method],
    frames: usize,
    options: &CompareOptions<'_>,
    progress: &Progress,
) -> Result<Option<Result<Reference, Fault>>, BuildError> {
    let choice = options.reference.unwrap_or(setup.description.reference);
    if choice == ReferenceChoice::None {
        return Ok(None);
    }
    let span = Span::of_script(frames);
    let kind = ReferenceKind::of(choice);
    let computed = match choice {
        ReferenceChoice::Estimate => estimate(kind, setup, &span, options.cache, progress),
        _ => reference(kind, setup, &span, options.cache, progress),
    };
    let mut found = applicable(computed)?;
    if choice == ReferenceChoice::Explained
        && let Ok(reference) = &mut found
        && let Some(reference_force) = reference.force.clone()
    {
        let causes = causes(
            setup,
            frames,
            methods,
            &reference_force,
            options.cache,
            progress,
        );
        match applicable(causes)? {
            Ok(causes) => reference.causes = causes,
            Err(reason) => reference.notes.push(reason.reason),
        }
    }
    Ok(Some(found))
}

/// The `wanted` methods, or those that the scene names, each once and in order.
pub(super) fn methods_of(setup: &Setup, wanted: Option<&[Method]>) -> Vec<Method> {
    let mut methods = wanted.unwrap_or(&setup.description.methods).to_vec();
    methods.sort_unstable();
    methods.dedup();
    methods
}

/// Turns a failure of one method into its result; a cancellation ends the whole comparison.
pub(super) fn applicable<T>(built: Result<T, BuildError>) -> Result<Result<T, Fault>, BuildError> {
    match built {
        Ok(built) => Ok(Ok(built)),
        Err(BuildError::Cancelled) => Err(BuildError::Cancelled),
        Err(error) => Ok(Err(Fault::new(error.code(), error.reason()))),
    }
}

/// What an observer is shown.
fn observed(runs: &Runs) -> Vec<ObservedMethod<'_>> {
    let methods = runs.iter().map(|(method, run)| ObservedMethod {
        method: *method,
        world: run.as_ref().map(Recorder::world),
        computed: run.as_ref().is_ok_and(|run| !run.has_stopped()),
    });
    methods.collect()
}

/// Adds a frame to each pair. Returns the largest distance (root mean square, m) of two methods that have not stopped.
fn compare_pairs(pairs: &mut [PairResult], runs: &Runs, frame: usize, areas: &[f64]) -> f64 {
    let find = |method: Method| {
        let found = runs.iter().find(|(ran, _)| *ran == method);
        found.and_then(|(_, run)| run.as_ref().ok())
    };
    let mut apart = 0.0_f64;
    for pair in pairs {
        let (Some(a), Some(b)) = (find(pair.a), find(pair.b)) else {
            continue;
        };
        let [of_a, of_b] = [a, b].map(|run| &run.world().frame().positions);
        let distance = surface_distance(of_a, of_b, areas);
        if distance.rms > pair.distance.rms || frame == 0 {
            pair.distance = distance;
            pair.frame = frame;
        }
        if !a.has_stopped() && !b.has_stopped() {
            pair.curve.push(distance);
            apart = apart.max(distance.rms);
        }
    }
    apart
}

/// All pairs of methods that can run.
fn pairs_of(runs: &Runs) -> Vec<PairResult> {
    let ready: Vec<Method> = runs
        .iter()
        .filter(|(_, run)| run.is_ok())
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
                curve: Vec::new(),
            });
        }
    }
    pairs
}
