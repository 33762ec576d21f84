//! A slab of 0.4 × 0.2 × 0.4 m on its lower face, and helpers to press it.

use std::sync::Arc;

use pliant_adaptive::{
    AdaptiveModel, AdaptiveParams, DampingRule, LevelChoice, LodHierarchy, Resolution,
};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::material::{Material, MaterialLaw};
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, FrameReport, FrameRequest, WorkBudget};
use pliant_core::scene::Selection;

use crate::bodies::{FRAME, baked, block, constrained, vertices};

pub const SIZE: Vec3 = Vec3::new(0.4, 0.2, 0.4);
pub const LEVELS: [[usize; 3]; 3] = [[4, 2, 4], [8, 4, 8], [16, 8, 16]];
/// Levels for tests that need few nodes.
pub const SMALL: [[usize; 3]; 3] = [[2, 1, 2], [4, 2, 4], [8, 4, 8]];

pub fn soft(zeta: f64) -> Material {
    Material::isotropic(2e4, 0.3)
        .with_density(1000.0)
        .with_damping_ratio(zeta)
        .with_law(MaterialLaw::Green)
}

/// The same with a law that is defined for inverted elements, and Young's modulus `young` (Pa).
pub fn inversion_resistant(young: f64, zeta: f64) -> Material {
    let mut material = soft(zeta).with_law(MaterialLaw::StableNeoHookean);
    material.elastic.young = young;
    material
}

/// A slab that stands on its lower face.
pub fn slab_of(levels: &[[usize; 3]], material: Material) -> Arc<LodHierarchy> {
    let foot = Some(Selection::Lowest(0.01));
    baked(&block(SIZE, levels, material, foot))
}

/// A soft slab that stands on its lower face.
pub fn slab(levels: &[[usize; 3]]) -> Arc<LodHierarchy> {
    slab_of(levels, soft(0.2))
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

/// Computes a frame with a budget of `units`.
pub fn step(b: &mut AdaptiveModel, boundary: &BoundaryConditions, units: u64) -> FrameReport {
    b.advance(FrameRequest::new(FRAME, boundary).within(WorkBudget(units)))
        .expect("advances")
}

/// Constraints that press the skin vertices within 0.05 m of the middle of the top down by `depth`.
pub fn press(b: &AdaptiveModel, depth: f64, speed: f64) -> BoundaryConditions {
    let skin = b.surface();
    let middle = vertices(skin, |x| x.y > 0.099 && x.x.hypot(x.z) < 0.051);
    constrained(middle.into_iter().map(|v| {
        let target = skin.positions[v as usize] - Vec3::y() * depth;
        DisplacementConstraint::held(v, target).moving(-Vec3::y() * speed)
    }))
}

/// Frame `k` of a press of a centimetre: down in 30 frames, then held.
pub fn press_and_hold(b: &AdaptiveModel, k: u32) -> BoundaryConditions {
    let depth = 0.01 * (f64::from(k) / 30.0).min(1.0);
    let speed = if k <= 30 { 0.01 / 30.0 / FRAME } else { 0.0 };
    press(b, depth, speed)
}
