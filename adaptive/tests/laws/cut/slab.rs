//! A slab of 0.4 × 0.2 × 0.4 m on its lower face, and what the tests do with it.

use std::sync::Arc;

use pliant_adaptive::{
    AdaptiveModel, AdaptiveParams, DampingRule, LevelChoice, LodHierarchy, Resolution,
};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::material::{Material, MaterialLaw};
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, FrameReport, FrameRequest, WorkBudget};
use pliant_core::scene::Selection;

use crate::bodies::{FRAME, baked, block};

pub const LEVELS: [[usize; 3]; 3] = [[4, 2, 4], [8, 4, 8], [16, 8, 16]];

pub fn soft(zeta: f64) -> Material {
    Material::isotropic(2e4, 0.3)
        .with_density(1000.0)
        .with_damping_ratio(zeta)
        .with_law(MaterialLaw::Green)
}

/// A slab of 0.4 × 0.2 × 0.4 m that stands on its lower face.
pub fn slab(levels: &[[usize; 3]]) -> Arc<LodHierarchy> {
    let size = Vec3::new(0.4, 0.2, 0.4);
    baked(&block(
        size,
        levels,
        soft(0.2),
        Some(Selection::Lowest(0.01)),
    ))
}

pub fn params(resolution: Resolution) -> AdaptiveParams {
    AdaptiveParams {
        resolution,
        level: LevelChoice::Index(2),
        damping_rule: DampingRule::Rayleigh,
        budget_units: u64::MAX,
        ..AdaptiveParams::default()
    }
}

pub fn model(asset: &Arc<LodHierarchy>, params: AdaptiveParams) -> AdaptiveModel {
    AdaptiveModel::new(asset.clone(), params).expect("fits")
}

/// A frame with so much work allowed.
pub fn step(b: &mut AdaptiveModel, boundary: &BoundaryConditions, units: u64) -> FrameReport {
    b.advance(FrameRequest::new(FRAME, boundary).within(WorkBudget(units)))
        .expect("advances")
}

/// The skin's vertices within 0.05 m of the middle of the top, pressed to `depth` below it.
pub fn press(b: &AdaptiveModel, depth: f64, speed: f64) -> BoundaryConditions {
    let skin = b.surface();
    let held = (0..skin.vertex_count() as u32).filter_map(|v| {
        let x = skin.positions[v as usize];
        (x.y > 0.099 && x.x.hypot(x.z) < 0.051).then(|| {
            DisplacementConstraint::held(v, x - Vec3::y() * depth).moving(-Vec3::y() * speed)
        })
    });
    let mut boundary = BoundaryConditions::default();
    boundary.set_displacements(held).expect("valid");
    boundary
}
