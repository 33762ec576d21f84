//! Bodies on cuts for the tests of groups.

use std::sync::Arc;

use pliant_adaptive::{AdaptiveModel, AdaptiveParams, LodHierarchy, Resolution};
use pliant_core::material::Material;
use pliant_core::math::Vec3;

use crate::bodies::{self, With, baked, block};
use crate::group::levels::cube_of;

/// Enough for all levels.
pub const PLENTY: u64 = 1 << 30;

/// A cube of two levels, two and four cells a side, of 1e5 Pa, with its density in kg/m³.
pub fn cube(density: f64, zeta: f64) -> Arc<LodHierarchy> {
    cube_of(&[[2; 3], [4; 3]], density, zeta)
}

pub fn model(asset: &Arc<LodHierarchy>, budget_units: u64) -> AdaptiveModel {
    let params = AdaptiveParams::default()
        .with(|p| p.resolution = Resolution::Cut)
        .with(|p| p.budget_units = budget_units);
    bodies::model(asset, params)
}

pub fn active(model: &AdaptiveModel) -> usize {
    model.cut().map_or(0, |d| d.cut().active_count())
}

/// A bar of 0.8 × 0.1 × 0.1 m whose ends are refined where they touch and whose middle stays coarse.
pub fn bar(density: f64) -> AdaptiveModel {
    let material = Material::isotropic(2e5, 0.3)
        .with_density(density)
        .with_damping_ratio(0.0);
    let cells = [[8, 1, 1], [16, 2, 2], [32, 4, 4]];
    let asset = baked(&block(Vec3::new(0.8, 0.1, 0.1), &cells, material, None));
    let params = AdaptiveParams {
        resolution: Resolution::Cut,
        budget_units: PLENTY,
        // with this threshold the criterion alone splits nothing
        gamma_max: Some(0.1),
        ..AdaptiveParams::default()
    };
    bodies::model(&asset, params)
}
