//! Preparation of a level: forces, steps and masses for an element model and parameters.

use pliant_core::material::Damping;

use crate::asset::LodHierarchy;
use crate::force::ForceField;
use crate::force::damping::LevelDamping;
use crate::hierarchy::Level;
use crate::params::{AdaptiveParams, ElementModel, FilterRule};
use crate::step::filter::NodeFilter;
use crate::step::mass_scaling::share_masses;
use crate::step::time_step::StepControl;

/// The parts of a moving level that depend on element model, damping and parameters.
pub(crate) struct Prepared {
    pub(crate) field: ForceField,
    pub(crate) steps: StepControl,
    pub(crate) drag: f64,
    pub(crate) masses: Vec<f64>,
    /// inertia of each element at each of its corners, kg
    pub(crate) corners: Vec<f64>,
    pub(crate) added_mass: f64,
    pub(crate) filter: Option<NodeFilter>,
}

/// Prepares `level`.
pub(crate) fn prepare(
    asset: &LodHierarchy,
    level: &Level,
    model: ElementModel,
    damping: Damping,
    params: &AdaptiveParams,
) -> Prepared {
    let material = &match model {
        // the stiffness factor was calibrated for tetrahedra
        ElementModel::Spring => asset.material,
        _ => level.material(&asset.material),
    };
    let is_supported = level.is_supported();
    let max_added_share = if params.may_break_apart() {
        0.0
    } else {
        params.mass_scaling
    };
    let scaled = share_masses(level, max_added_share, is_supported);
    let corners = scaled.corner_inertia(level).collect();
    // frequencies are those of the scaled masses; a free body has only the scaled masses
    let mut level = level.clone();
    level.frequencies = scaled.frequencies;
    if !is_supported {
        level.masses.clone_from(&scaled.masses);
    }
    let level = &level;
    let damping = LevelDamping::new(
        damping,
        params.damping_rule,
        &material.lame(),
        asset.lowest_frequency,
        level,
    );
    Prepared {
        field: ForceField::new(level, model, material.elastic, &damping, params),
        steps: StepControl::new(level, material, model, damping.time, params),
        drag: damping.drag,
        filter: (params.filter == FilterRule::Paper)
            .then(|| NodeFilter::new(level, &material.lame(), &scaled.masses)),
        masses: scaled.masses,
        corners,
        added_mass: scaled.added_share,
    }
}
