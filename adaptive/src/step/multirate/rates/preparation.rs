//! Constants, steps and drag of a body on a cut.

use pliant_core::material::Damping;

use crate::cut::Forest;
use crate::force::ElementConstants;
use crate::force::damping::LevelDamping;
use crate::params::{AdaptiveParams, ElementModel};
use crate::step::mass_scaling::share_masses;
use crate::step::multirate::rates::element_steps::ElementSteps;
use crate::step::multirate::rates::inertia::Inertia;

/// Constants, steps and drag (1/s) of a body. The viscous constants are those of the finest level by itself.
pub(crate) fn prepare(
    forest: &Forest,
    model: ElementModel,
    damping: Damping,
    params: &AdaptiveParams,
) -> (ElementConstants, ElementSteps, f64) {
    let asset = forest.asset();
    let material = &asset.material;
    // slivers get added inertia, so that they do not limit the steps of their neighbours
    let mut levels = asset.levels.clone();
    let mut inertia = Inertia::default();
    for level in &mut levels {
        let scaled = share_masses(level, params.mass_scaling, forest.is_supported());
        inertia.push(level, &scaled);
        level.frequencies = scaled.frequencies;
    }
    let finest = &levels[levels.len() - 1];
    let damping = LevelDamping::new(
        damping,
        params.damping_rule,
        &material.lame(),
        asset.lowest_frequency,
        finest,
    );
    let constants = ElementConstants {
        lame: material.lame(),
        damping: damping.viscous,
        law: model.law_of_stress(),
        recover: params.recover,
    };
    let steps = ElementSteps::new(forest, &levels, inertia, model, damping.time, params);
    (constants, steps, damping.drag)
}
