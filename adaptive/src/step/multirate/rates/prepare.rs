//! What a cut costs and is made of before it moves: prices, constants, steps and drag.

use std::sync::Arc;

use pliant_core::material::{Damping, MaterialLaw};

use crate::cut::Forest;
use crate::force::ElementConstants;
use crate::force::damping::LevelDamping;
use crate::hierarchy::Level;
use crate::params::{AdaptiveParams, ElementModel};
use crate::step::mass_scaling::scale_masses;
use crate::step::multirate::rates::element_steps::ElementSteps;

/// Levels whose slivers are heavier, so that they do not dictate the step of what they push.
pub(crate) struct ScaledLevels {
    /// element bounds are those with the added masses
    pub(crate) levels: Vec<Level>,
    /// what each element of all levels got at each of its corners, kg
    pub(crate) heavier: Vec<f64>,
}

/// Steps are powers of two of a part of the frame: as many more than needed, in the mean.
const ROUNDING: f64 = 1.2;

/// What every element costs a frame besides its firings, in firings: its stretch, its energy and its part in what changes.
pub(crate) const FRAME_UNITS: u32 = 20;

/// Firings a frame of every element at rest, and what it costs besides.
pub(crate) fn prices(forest: &Forest, steps: &ElementSteps, duration: f64) -> Arc<[u32]> {
    (0..forest.tet_count() as u32)
        .map(|t| FRAME_UNITS + (ROUNDING * steps.rest_rate(t) * duration).ceil().max(1.0) as u32)
        .collect()
}

/// Constants, steps and drag (1/s) of a body. The viscous constants are those that the finest level alone would have.
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
    let scaled = ScaledLevels { levels, heavier };
    let steps = ElementSteps::new(forest, &scaled, model, damping.time, params);
    (constants, steps, damping.drag)
}
