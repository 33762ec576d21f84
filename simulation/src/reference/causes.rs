//! Why methods differ from the reference: what each simplification alone does to the force.
//!
//! The scene is run on one level of about 3,000 nodes as it is, and once more with each simplification that a method makes. The ratio of the forces says what that
//! simplification costs. It depends little on the resolution. What remains of a method's deviation is put down to resolution.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::material::MaterialLaw;
use pliant_core::scene::Method;

use super::reference_force::ReferenceForce;
use super::runs::{LevelRuns, RecordedRun, Span};
use crate::build::geometry::DEFAULT_NODES;
use crate::cache::AssetCache;
use crate::error::BuildError;
use crate::setup::Setup;

/// Share of the density that stands for a body without inertia: waves are four times as fast.
const REDUCED_DENSITY_SHARE: f64 = 1.0 / 16.0;

/// A simplification that a method makes and the reference does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Simplification {
    /// Small strains: forces grow in proportion to displacements.
    LinearStrain,
    /// Poisson's ratio is zero.
    NoPoissonRatio,
    /// The body follows the tool at once.
    NoInertia,
}

impl Simplification {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::LinearStrain, Self::NoPoissonRatio, Self::NoInertia];

    /// Name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::LinearStrain => "linear_strain",
            Self::NoPoissonRatio => "no_poisson_ratio",
            Self::NoInertia => "no_inertia",
        }
    }

    /// In a sentence.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::LinearStrain => "small (linear) strains",
            Self::NoPoissonRatio => "Poisson's ratio 0",
            Self::NoInertia => "no inertia",
        }
    }

    /// Whether `method` makes it.
    pub fn is_made_by(self, method: Method) -> bool {
        match self {
            Self::LinearStrain | Self::NoInertia => method == Method::Quasistatic,
            Self::NoPoissonRatio => method == Method::Lattice,
        }
    }

    /// The scene with this simplification.
    fn simplified(self, setup: &Setup) -> Setup {
        let mut simple = setup.clone();
        let material = &mut simple.geometry.material;
        match self {
            Self::LinearStrain => material.law = MaterialLaw::Cauchy,
            Self::NoPoissonRatio => material.elastic.poisson = 0.0,
            Self::NoInertia => material.density *= REDUCED_DENSITY_SHARE,
        }
        simple.description.body.material = *material;
        simple
    }

    /// Whether it changes anything: not where the scene makes it already.
    fn applies_to(self, setup: &Setup) -> bool {
        let material = &setup.geometry.material;
        match self {
            Self::LinearStrain => material.law != MaterialLaw::Cauchy,
            Self::NoPoissonRatio => material.elastic.poisson != 0.0,
            Self::NoInertia => true,
        }
    }
}

/// What a simplification alone does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cause {
    /// Which.
    pub simplification: Simplification,
    /// The force with it over the force without it, minus 1; `None` where the simplified body cannot be run.
    pub force_error: Option<f64>,
}

/// Runs the scene with each simplification that one of `methods` makes. `reference_force` says whose force is compared in which frames.
///
/// Cost: up to four runs, each as long as an [estimate](super::estimate()); they are kept in the cache.
///
/// # Errors
/// [`BuildError::NotApplicable`] where the scene itself cannot be run; [`BuildError::Cancelled`].
pub fn causes(
    setup: &Arc<Setup>,
    frames: usize,
    methods: &[Method],
    reference_force: &ReferenceForce,
    cache: &AssetCache,
    progress: &Progress,
) -> Result<Vec<Cause>, BuildError> {
    let span = Span::of_script(frames);
    let run = |setup: Setup| -> Result<RecordedRun, BuildError> {
        let runs = LevelRuns::new(&setup, &DEFAULT_NODES, &span, &|_| false, cache, progress);
        runs.with_estimate_mass_scaling().run(0)
    };
    let whole = run(setup.as_ref().clone())?;
    let Some(force) = reference_force
        .mean_force(&whole.forces)
        .filter(|f| *f > 0.0)
    else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for simplification in Simplification::ALL {
        let is_made = methods.iter().any(|m| simplification.is_made_by(*m));
        if !is_made || !simplification.applies_to(setup) {
            continue;
        }
        let simple = match run(simplification.simplified(setup)) {
            Ok(run) => reference_force.mean_force(&run.forces),
            Err(BuildError::Cancelled) => return Err(BuildError::Cancelled),
            Err(_) => None,
        };
        found.push(Cause {
            simplification,
            force_error: simple.map(|simple| simple / force - 1.0),
        });
    }
    Ok(found)
}
