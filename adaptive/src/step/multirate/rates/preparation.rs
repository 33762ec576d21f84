//! What is chosen once for a body on a cut: constants, steps and drag.

use pliant_core::material::{Damping, MaterialLaw};

use crate::cut::Forest;
use crate::force::ElementConstants;
use crate::force::damping::LevelDamping;
use crate::params::{AdaptiveParams, ElementModel};
use crate::step::mass_scaling::scale_masses;
use crate::step::multirate::rates::element_steps::ElementSteps;

/// Constants, steps and drag (1/s) of a body. The viscous constants are those of the finest level by itself.
pub(crate) fn prepare(
    forest: &Forest,
    model: ElementModel,
    damping: Damping,
    params: &AdaptiveParams,
) -> (ElementConstants, ElementSteps, f64) {
    let asset = forest.asset();
    let material = &asset.material;
    // gravity on heavier corners would tear a free body apart
    let scaling = if forest.is_supported() {
        params.mass_scaling
    } else {
        0.0
    };
    // slivers are heavier, so that they do not dictate the step of what they push
    let (mut levels, mut heavier) = (asset.levels.clone(), Vec::new());
    for level in &mut levels {
        let scaled = scale_masses(level, scaling);
        level.frequencies = scaled.frequencies;
        heavier.extend(scaled.corners);
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
        law: model.law().unwrap_or(MaterialLaw::Green),
        recover: params.recover,
    };
    let steps = ElementSteps::new(forest, &levels, heavier, model, damping.time, params);
    (constants, steps, damping.drag)
}
