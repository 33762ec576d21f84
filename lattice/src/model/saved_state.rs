//! The last state of a body that was good.

use pliant_core::math::Vec3;

/// The last state that was good.
#[derive(Default)]
pub(crate) struct State {
    pub x: Vec<Vec3>,
    pub v: Vec<Vec3>,
    pub q: Vec<[f64; 4]>,
    pub rotations: Vec<f32>,
    pub bones: Vec<f64>,
}
