//! The semi-implicit filter of Debunne et al. 2001 (Eq. 11), and what is right about it.
//!
//! Each node's velocity is divided by `I + Δt² K_ii/m`, with the diagonal block `K_ii` of the rest stiffness: an implicit step of the node while its neighbours
//! stand still. That allows longer steps. But a neighbour that stands still also brakes rigid motion, so that as published it is a drag on everything (a free fall
//! of half a second reaches 0.15 m/s instead of 4.9), and smaller damping parameters, which the paper advises, cannot undo it: they never act on rigid motion.
//! Dividing the elastic increment alone, by the largest eigenvalue of the block, is the same as adding mass `Δt² κ`: rigid motion and gravity stay exact, the
//! stiffest waves become slower, and so does everything else a little.

use nalgebra::SymmetricEigen;
use pliant_core::elasticity::stiffness::linear_stiffness_block;
use pliant_core::material::LameParameters;
use pliant_core::math::{Mat3, Vec3};

use crate::hierarchy::Level;
use crate::params::FilterRule;

/// A filter for the nodes of one level.
#[derive(Debug, Clone)]
pub struct NodeFilter {
    rule: FilterRule,
    /// diagonal blocks of the stiffness at rest over the mass, 1/s²
    blocks: Vec<Mat3>,
    /// their largest eigenvalues
    largest: Vec<f64>,
    step: f64,
    /// what multiplies velocities for this step
    factors: Vec<Mat3>,
}

impl NodeFilter {
    /// The filter of `rule` for `level` with `lame` (Pa) and inertial `masses` (kg); none for [`FilterRule::Off`].
    pub fn new(
        rule: FilterRule,
        level: &Level,
        lame: &LameParameters,
        masses: &[f64],
    ) -> Option<Self> {
        if rule == FilterRule::Off {
            return None;
        }
        let mut blocks = vec![Mat3::zeros(); masses.len()];
        for (tet, shape) in level.mesh.tets.iter().zip(level.force_shapes().iter()) {
            for (i, &n) in tet.iter().enumerate() {
                blocks[n as usize] += linear_stiffness_block(shape, lame, i, i);
            }
        }
        for (block, m) in blocks.iter_mut().zip(masses) {
            *block /= *m;
        }
        let largest = blocks
            .iter()
            .map(|b| SymmetricEigen::new(*b).eigenvalues.max())
            .collect();
        Some(Self {
            rule,
            blocks,
            largest,
            step: 0.0,
            factors: Vec::new(),
        })
    }

    /// Gets ready for steps of `step` seconds.
    pub fn prepare(&mut self, step: f64) {
        if step == self.step {
            return;
        }
        self.step = step;
        self.factors.clear();
        let square = step * step;
        match self.rule {
            FilterRule::Paper => self.factors.extend(self.blocks.iter().map(|b| {
                // positive definite, so that an inverse exists
                let factor = Mat3::identity() + b * square;
                factor.try_inverse().unwrap_or_else(Mat3::identity)
            })),
            _ => {
                let scalar = |k: &f64| Mat3::identity() / (1.0 + square * k);
                self.factors.extend(self.largest.iter().map(scalar));
            }
        }
    }

    /// Velocity (m/s) of node `n` from `before`, the increment by forces and the one by gravity.
    pub fn velocity(&self, n: usize, before: Vec3, by_forces: Vec3, by_gravity: Vec3) -> Vec3 {
        let factor = &self.factors[n];
        match self.rule {
            FilterRule::Paper => factor * (before + by_forces + by_gravity),
            _ => before + factor * by_forces + by_gravity,
        }
    }
}
