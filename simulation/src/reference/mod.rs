//! What the answer of a scene converges to, and how far each method is from it.
//!
//! The reference runs the same scene, contact and frames on fine levels of finite elements, each moving as a whole and without a budget: the material's own nonlinear law,
//! inertia and damping included. It is run twice, on the finest level and on one with a quarter of its nodes. The difference of both tells how far the finer one may still be
//! from the limit (the grid convergence index: Richardson's estimate with a factor of safety). Both runs are kept in the cache by the hash of everything they depend on, one by one, so that a reference that was cancelled goes on
//! with the second.

use std::sync::Arc;
use std::time::Instant;

use pliant_adaptive::{AdaptiveModel, AdaptiveParams, LevelChoice, LodHierarchy};
use pliant_core::asset::{AssetKey, KeyHasher, Progress};
use pliant_core::scene::Method;

use crate::build::Job;
use crate::cache::AssetCache;
use crate::error::BuildError;
use crate::parameters::adaptive_params;
use crate::setup::Setup;
use crate::world::{Interaction, World};

mod accuracy;
mod job;
mod levels;
mod recorded;
mod words;

pub use accuracy::{Accuracy, FirmForce, Ranking, ranking};
pub use job::ReferenceJob;
pub use levels::{MOST_REFERENCE_NODES, REFERENCE_NODES, reference_nodes};
pub use recorded::RecordedRun;
pub use words::{deviation, is_within_uncertainty};

/// Rises when a reference comes out otherwise for the same scene.
const REFERENCE_VERSION: u32 = 1;
/// Kind of asset in the cache.
const KIND: &str = "reference";

/// Both runs of a reference.
#[derive(Debug, Clone)]
pub struct Reference {
    /// On the finest level: the reference itself.
    pub fine: RecordedRun,
    /// On a level with about a quarter of the nodes.
    pub coarse: RecordedRun,
    /// For each tool, then for each grab, whether it moves: what stands still feels weight and supports, not the touch that is judged.
    pub moving: Vec<bool>,
    /// Wall time that it took now, s.
    pub seconds: f64,
    /// Whether both runs came from the cache.
    pub from_cache: bool,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// Computes the reference of `frames` frames of a scene, or takes it from the cache. Skins are kept in the frames for which `keeps_surface` holds.
///
/// Cost: with 12,000 nodes some ten to sixty seconds for four simulated ones, on two cores; the time grows with the power 4/3 of the nodes.
///
/// # Errors
/// [`BuildError::NotApplicable`] for several bodies and for bodies that touch themselves, and where finite elements cannot run the scene or fail in it;
/// [`BuildError::Cancelled`].
pub fn reference(
    setup: &Arc<Setup>,
    frames: usize,
    keeps_surface: &dyn Fn(usize) -> bool,
    cache: &AssetCache,
    progress: &Progress,
) -> Result<Reference, BuildError> {
    let nodes = reference_nodes(setup);
    reference_on(setup, &nodes, frames, keeps_surface, cache, progress)
}

/// As [`reference`], on levels with so many nodes, coarse to fine; the last two are run.
///
/// # Errors
/// As [`reference`].
pub fn reference_on(
    setup: &Arc<Setup>,
    nodes: &[usize],
    frames: usize,
    keeps_surface: &dyn Fn(usize) -> bool,
    cache: &AssetCache,
    progress: &Progress,
) -> Result<Reference, BuildError> {
    let started = Instant::now();
    if setup.is_group() {
        return Err(refused(
            "ReferenceOfSeveralBodies",
            "a reference is computed for a lone body that does not touch itself\n  remedy: compare without a reference",
        ));
    }
    let mut fine_setup = setup.as_ref().clone();
    fine_setup.description = levels::reference_description(setup, nodes);
    let fine_setup = Arc::new(fine_setup);
    let key = |from_finest: usize| content_key(&fine_setup, frames, from_finest, keeps_surface);
    let stored = |from_finest: usize| {
        let bytes = cache.load(KIND, key(from_finest))?;
        RecordedRun::from_bytes(&bytes)
    };
    let (coarse, fine) = (stored(1), stored(0));
    let mut notes = remarks(setup);
    if let (Some(coarse), Some(fine)) = (&coarse, &fine) {
        return Ok(Reference {
            fine: fine.clone(),
            coarse: coarse.clone(),
            moving: moving(setup),
            seconds: started.elapsed().as_secs_f64(),
            from_cache: true,
            notes,
        });
    }
    progress.stage("reference: levels");
    let job = Job::new(&fine_setup, Method::Adaptive, cache, progress);
    let (hierarchy, _) = job.adaptive(&mut notes)?;
    if hierarchy.levels.len() < 2 {
        return Err(refused(
            "ReferenceNeedsTwoLevels",
            "the body has only one level of finite elements, which is no sequence that converges\n  remedy: compare without a reference",
        ));
    }
    let hierarchy = Arc::new(hierarchy);
    let run = |stored: Option<RecordedRun>, from_finest: usize| -> Result<_, BuildError> {
        match stored {
        Some(run) => Ok(run),
        None => {
            let level = hierarchy.levels.len() - 1 - from_finest;
            let run = run_level(
                &fine_setup,
                &hierarchy,
                level,
                frames,
                keeps_surface,
                progress,
            )?;
            cache.store(KIND, key(from_finest), &run.to_bytes());
            Ok(run)
        }
        }
    };
    Ok(Reference {
        coarse: run(coarse, 1)?,
        fine: run(fine, 0)?,
        moving: moving(setup),
        seconds: started.elapsed().as_secs_f64(),
        from_cache: false,
        notes,
    })
}

/// For each tool, then for each grab, whether it moves.
fn moving(setup: &Setup) -> Vec<bool> {
    let paths = setup.tools.iter().map(|t| &t.path);
    let paths = paths.chain(setup.grabs.iter().map(|g| &g.path));
    paths.map(|path| path.duration() > 0.0).collect()
}

/// One level through all frames.
fn run_level(
    setup: &Arc<Setup>,
    hierarchy: &Arc<LodHierarchy>,
    level: usize,
    frames: usize,
    keeps_surface: &dyn Fn(usize) -> bool,
    progress: &Progress,
) -> Result<RecordedRun, BuildError> {
    let started = Instant::now();
    let nodes = hierarchy.levels[level].node_count();
    progress.stage(&format!("reference: {nodes} nodes"));
    let params = AdaptiveParams {
        level: LevelChoice::Index(level),
        ..reference_params(setup)
    };
    let model = AdaptiveModel::new(Arc::clone(hierarchy), params)
        .map_err(|e| refused("Reference", &e.to_string()))?;
    let mut world = World::new(Method::Adaptive, Box::new(model), Arc::clone(setup));
    let curves = setup.tools.len() + setup.grabs.len();
    let mut run = RecordedRun::new(nodes, curves, setup.probes.len());
    for frame in 0..frames {
        progress.check()?;
        progress.set_fraction(frame as f64 / frames as f64);
        if let Err(error) = world.step_frame(&Interaction::default()) {
            return Err(refused("ReferenceFailed", &error.to_string()));
        }
        run.record(&world, keeps_surface(frame));
    }
    run.seconds = started.elapsed().as_secs_f64();
    Ok(run)
}

/// Parameters of the levels: nothing that is there for speed alone.
fn reference_params(setup: &Setup) -> AdaptiveParams {
    AdaptiveParams {
        mass_scaling: 0.0,
        ..adaptive_params(setup)
    }
}

/// Everything that a run depends on.
fn content_key(
    setup: &Setup,
    frames: usize,
    from_finest: usize,
    keeps_surface: &dyn Fn(usize) -> bool,
) -> AssetKey {
    let params = reference_params(setup);
    let mut hasher = KeyHasher::new(KIND, REFERENCE_VERSION);
    let body = pliant_adaptive::key(&setup.geometry, &params);
    hasher.bytes("body", &body.0.to_le_bytes());
    let recipe = crate::geometry::geometry_recipe(setup, Method::Adaptive);
    hasher.bytes("recipe", recipe.as_bytes());
    hasher.bytes("parameters", format!("{params:?}").as_bytes());
    hasher.bytes("tools", format!("{:?}", setup.tools).as_bytes());
    hasher.bytes("grabs", format!("{:?}", setup.grabs).as_bytes());
    hasher.bytes("probes", format!("{:?}", setup.probes).as_bytes());
    let description = &setup.description;
    let gravity = description.gravity;
    let frame_rate = description.frame_rate;
    hasher.numbers("world", &[gravity.x, gravity.y, gravity.z, frame_rate]);
    let kept = (0..frames as u32).filter(|f| keeps_surface(*f as usize));
    hasher.indices("surfaces", kept);
    hasher.indices("run", [frames as u32, from_finest as u32]);
    hasher.bytes("program", env!("CARGO_PKG_VERSION").as_bytes());
    hasher.finish()
}

/// What the scene has that the reference does not know.
fn remarks(setup: &Setup) -> Vec<String> {
    let body = &setup.description.body;
    let (lattice, quasistatic) = (&body.lattice, &body.quasistatic);
    let unknown = [
        (!lattice.stiffness.is_empty(), "lattice.stiffness"),
        (!lattice.bones.is_empty(), "lattice.bones"),
        (lattice.toughness.is_some(), "lattice.toughness"),
        (!quasistatic.stiffness.is_empty(), "quasistatic.stiffness"),
        (quasistatic.fibres.is_some(), "quasistatic.fibres"),
    ];
    let told = unknown.iter().filter(|(is_set, _)| *is_set);
    told.map(|(_, key)| {
        format!("the reference is a whole body of one material: it does not know {key}")
    })
    .collect()
}

fn refused(code: &str, reason: &str) -> BuildError {
    BuildError::NotApplicable {
        method: Method::Adaptive,
        code: code.into(),
        reason: reason.into(),
    }
}
