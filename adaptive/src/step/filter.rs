//! The semi-implicit filter of Debunne et al. 2001 (Eq. 11), as published.
//!
//! Each node's velocity is divided by `I + Δt² K_ii/m`, with the diagonal block `K_ii` of the rest stiffness: an implicit step of the node while its neighbours
//! stand still. That allows longer steps. But a neighbour that stands still also brakes rigid motion, so that as published it is a drag on everything (a free fall
//! of half a second reaches 0.15 m/s instead of 4.9), and smaller damping parameters, which the paper advises, cannot undo it: they never act on rigid motion.

use pliant_core::elasticity::stiffness::linear_stiffness_block;
use pliant_core::material::LameParameters;
use pliant_core::math::{Mat3, Vec3};

use crate::hierarchy::Level;

/// A filter for the nodes of one level.
#[derive(Debug, Clone)]
pub struct NodeFilter {
    /// diagonal blocks of the stiffness at rest over the mass, 1/s²
    blocks: Vec<Mat3>,
    step: f64,
    /// factors on velocities for this step
    factors: Vec<Mat3>,
}

impl NodeFilter {
    /// For `level` with `lame` (Pa) and inertial `masses` (kg).
    pub fn new(level: &Level, lame: &LameParameters, masses: &[f64]) -> Self {
        let mut blocks = vec![Mat3::zeros(); masses.len()];
        for (tet, shape) in level.mesh.tets.iter().zip(level.force_shapes().iter()) {
            for (i, &n) in tet.iter().enumerate() {
                blocks[n as usize] += linear_stiffness_block(shape, lame, i, i);
            }
        }
        for (block, m) in blocks.iter_mut().zip(masses) {
            *block /= *m;
        }
        Self {
            blocks,
            step: 0.0,
            factors: Vec::new(),
        }
    }

    /// Computes the factors for steps of `step` seconds.
    pub fn prepare(&mut self, step: f64) {
        if step == self.step {
            return;
        }
        self.step = step;
        self.factors.clear();
        let square = step * step;
        self.factors.extend(self.blocks.iter().map(|b| {
            // positive definite, so that an inverse exists
            let factor = Mat3::identity() + b * square;
            factor.try_inverse().unwrap_or_else(Mat3::identity)
        }));
    }

    /// The filtered velocity (m/s) of node `n` after a kick to `kicked`.
    pub fn velocity(&self, n: usize, kicked: Vec3) -> Vec3 {
        self.factors[n] * kicked
    }
}
