//! Bodies on cuts for the tests of groups.

use std::sync::Arc;

use pliant_adaptive::{AdaptiveModel, AdaptiveParams, LodHierarchy, Resolution};
use pliant_contact::BodyGroup;
use pliant_core::material::{Damping, Material};
use pliant_core::math::Vec3;

use crate::bodies::{baked, block};
use crate::group::levels::SIDE;

/// Enough for all levels.
pub const PLENTY: u64 = 1 << 30;

/// A cube of two levels, two and four cells a side, of 1e5 Pa; kg/m³.
pub fn cube(density: f64, zeta: f64) -> Arc<LodHierarchy> {
    let mut material = Material {
        density,
        damping: Damping::Ratio(zeta),
        ..Material::default()
    };
    material.elastic.young = 1e5;
    let cells = [[2; 3], [4; 3]];
    baked(&block(Vec3::repeat(SIDE), &cells, material, None))
}

pub fn model(asset: &Arc<LodHierarchy>, budget_units: u64) -> AdaptiveModel {
    let params = AdaptiveParams {
        resolution: Resolution::Cut,
        budget_units,
        ..AdaptiveParams::default()
    };
    AdaptiveModel::new(asset.clone(), params).expect("fits")
}

pub fn throw(group: &mut BodyGroup<AdaptiveModel>, velocities: &[Vec3]) {
    for (model, v) in group.models_mut().iter_mut().zip(velocities) {
        let cut = model.cut_mut().expect("a cut");
        let x = cut.positions().to_vec();
        cut.set_state(|n| (x[n as usize], *v));
    }
    group.touch_up();
}

pub fn momenta(model: &AdaptiveModel) -> (Vec3, Vec3) {
    let cut = model.cut().expect("a cut");
    let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
    for &n in cut.operators().active() {
        let k = n as usize;
        let p = cut.velocities()[k] * cut.masses()[k];
        linear += p;
        angular += cut.positions()[k].cross(&p);
    }
    (linear, angular)
}

pub fn center(model: &AdaptiveModel) -> Vec3 {
    let cut = model.cut().expect("a cut");
    let (mut sum, mut mass) = (Vec3::zeros(), 0.0);
    for &n in cut.operators().active() {
        sum += cut.positions()[n as usize] * cut.masses()[n as usize];
        mass += cut.masses()[n as usize];
    }
    sum / mass
}

pub fn active(model: &AdaptiveModel) -> usize {
    model.cut().map_or(0, |d| d.cut().active_count())
}

/// A bar of 0.8 × 0.1 × 0.1 m whose ends are refined where they touch and whose middle stays coarse.
pub fn bar(density: f64) -> AdaptiveModel {
    let mut material = Material {
        density,
        damping: Damping::Ratio(0.0),
        ..Material::default()
    };
    material.elastic.young = 2e5;
    let cells = [[8, 1, 1], [16, 2, 2], [32, 4, 4]];
    let asset = baked(&block(Vec3::new(0.8, 0.1, 0.1), &cells, material, None));
    let params = AdaptiveParams {
        resolution: Resolution::Cut,
        budget_units: PLENTY,
        // the criterion alone would split nothing
        gamma_max: Some(0.1),
        ..AdaptiveParams::default()
    };
    AdaptiveModel::new(asset, params).expect("fits")
}
