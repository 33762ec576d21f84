//! Why methods differ from the reference: what each simplification alone does to the force.
//!
//! The scene is run on one level of about 3,000 nodes as it is, and once more with each simplification that a method makes. The ratio of the forces says what that
//! simplification costs. It depends little on the resolution. What remains of a method's deviation is put down to resolution.
//!
//! Inertia is switched off by a static run. Small strains come on top of that where the body has an equilibrium: a linear run is compared with the static one, so that both
//! ratios together are that of linear elasticity to the whole.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::material::MaterialLaw;
use pliant_core::scene::Method;

use super::kind::ReferenceKind;
use super::reference_force::ReferenceForce;
use super::runs::{LevelRuns, RecordedRun, Span, check};
use crate::build::geometry::DEFAULT_NODES;
use crate::cache::AssetCache;
use crate::error::BuildError;
use crate::setup::Setup;

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

pliant_core::named!(Simplification {
    LinearStrain => "linear_strain",
    NoPoissonRatio => "no_poisson_ratio",
    NoInertia => "no_inertia",
});

impl Simplification {
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

    /// The scene with this simplification of its material. Inertia is left out by the kind of the run instead.
    fn simplified(self, setup: &Setup) -> Setup {
        let mut simple = setup.clone();
        let material = &mut simple.geometry.material;
        match self {
            Self::LinearStrain => material.law = MaterialLaw::Cauchy,
            Self::NoPoissonRatio => material.elastic.poisson = 0.0,
            Self::NoInertia => {}
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
    /// The force with it over the force without it, minus 1. For small strains both are forces without inertia, where there are such. `None` where the simplified body cannot be run.
    pub force_error: Option<f64>,
}

/// Runs the scene with each simplification that one of `methods` makes. `reference_force` says whose force is compared in which frames.
///
/// Cost: up to four runs, each as long as an [estimate](super::estimate()) but the static one, which takes longer; they are kept in the cache.
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
    let run = |kind: ReferenceKind, setup: &Setup| -> Result<RecordedRun, BuildError> {
        check(kind, setup, &span)?;
        let nodes = &DEFAULT_NODES;
        let runs = LevelRuns::new(kind, setup, nodes, &span, &|_| false, cache, progress);
        runs.with_estimate_mass_scaling().run(0)
    };
    let whole = run(ReferenceKind::Dynamic, setup)?;
    let Some(force) = reference_force
        .mean_force(&whole.forces)
        .filter(|f| *f > 0.0)
    else {
        return Ok(Vec::new());
    };
    // the force of a body that can be run
    let force_of = |kind: ReferenceKind, setup: &Setup| match run(kind, setup) {
        Ok(run) => Ok(reference_force.mean_force(&run.forces)),
        Err(BuildError::Cancelled) => Err(BuildError::Cancelled),
        Err(_) => Ok(None),
    };
    let applies = |simplification: Simplification| {
        let is_made = methods.iter().any(|m| simplification.is_made_by(*m));
        is_made && simplification.applies_to(setup)
    };
    let at_rest = match applies(Simplification::NoInertia) {
        true => force_of(ReferenceKind::Static, setup)?.filter(|f| *f > 0.0),
        false => None,
    };
    let linear = match (at_rest, applies(Simplification::LinearStrain)) {
        (Some(at_rest), true) => {
            let linear = force_of(ReferenceKind::Linear, setup)?;
            linear.map(|linear| linear / at_rest)
        }
        _ => None,
    };
    let mut found = Vec::new();
    for simplification in Simplification::ALL.into_iter().filter(|s| applies(*s)) {
        let ratio = match (simplification, linear) {
            (Simplification::NoInertia, _) => at_rest.map(|at_rest| at_rest / force),
            (Simplification::LinearStrain, Some(linear)) => Some(linear),
            _ => {
                let simple = simplification.simplified(setup);
                force_of(ReferenceKind::Dynamic, &simple)?.map(|simple| simple / force)
            }
        };
        found.push(Cause {
            simplification,
            force_error: ratio.map(|ratio| ratio - 1.0),
        });
    }
    Ok(found)
}
