//! The small-strain stiffness of a level as a sparse matrix of 3×3 blocks, and conjugate gradients with it.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::elasticity::stiffness::linear_stiffness_block;
use pliant_core::material::LameParameters;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::Csr;
use pliant_core::mesh::adjacency::node_neighbours;

use crate::hierarchy::Level;

/// Iterations between two checks of the cancel flag.
const STEPS_BETWEEN_CHECKS: usize = 32;

/// Rows of blocks; held nodes have a row and a column of zeros.
pub(super) struct StiffnessMatrix {
    /// neighbours of each node, itself not among them
    neighbours: Csr,
    /// off-diagonal blocks, one for each neighbour in their order
    off_diagonal: Vec<Mat3>,
    diagonal: Vec<Mat3>,
    /// zero for held nodes
    inverse_diagonal: Vec<Mat3>,
}

impl StiffnessMatrix {
    pub(super) fn new(level: &Level, lame: &LameParameters, held: &[bool]) -> Self {
        let count = level.node_count();
        let neighbours = node_neighbours(count, &level.mesh.tets);
        let mut off_diagonal = vec![Mat3::zeros(); neighbours.items().len()];
        let mut diagonal = vec![Mat3::zeros(); count];
        for (tet, shape) in level.mesh.tets.iter().zip(level.force_shapes().iter()) {
            for (a, &i) in tet.iter().enumerate() {
                for (b, &j) in tet.iter().enumerate() {
                    if held[i as usize] || held[j as usize] {
                        continue;
                    }
                    let block = linear_stiffness_block(shape, lame, a, b);
                    if a == b {
                        diagonal[i as usize] += block;
                    } else if let Ok(k) = neighbours.row(i as usize).binary_search(&j) {
                        off_diagonal[neighbours.start(i as usize) + k] += block;
                    }
                }
            }
        }
        let inverse_diagonal = diagonal
            .iter()
            .map(|block| block.try_inverse().unwrap_or_else(Mat3::zeros))
            .collect();
        Self {
            neighbours,
            off_diagonal,
            diagonal,
            inverse_diagonal,
        }
    }

    /// `out = K u`.
    pub(super) fn apply(&self, u: &[Vec3], out: &mut [Vec3]) {
        for (i, value) in out.iter_mut().enumerate() {
            let mut sum = self.diagonal[i] * u[i];
            let start = self.neighbours.start(i);
            for (k, &j) in self.neighbours.row(i).iter().enumerate() {
                sum += self.off_diagonal[start + k] * u[j as usize];
            }
            *value = sum;
        }
    }

    /// Conjugate gradients from the guess in `x`, with the inverse of the diagonal blocks as preconditioner, until the residual has shrunk to
    /// `reduction` of what it was, or after `max_steps` steps.
    pub(super) fn solve(
        &self,
        right: &[Vec3],
        x: &mut [Vec3],
        reduction: f64,
        max_steps: usize,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        let mut product = vec![Vec3::zeros(); x.len()];
        self.apply(x, &mut product);
        let mut residual: Vec<Vec3> = right.iter().zip(&product).map(|(b, p)| b - p).collect();
        let mut scaled = self.precondition(&residual);
        let mut direction = scaled.clone();
        let mut rho = dot(&residual, &scaled);
        let goal = rho * reduction * reduction;
        for step in 0..max_steps {
            if rho <= goal || rho <= 0.0 {
                break;
            }
            if step % STEPS_BETWEEN_CHECKS == 0 {
                progress.check()?;
            }
            self.apply(&direction, &mut product);
            let curvature = dot(&direction, &product);
            if curvature.is_nan() || curvature <= 0.0 {
                break;
            }
            let alpha = rho / curvature;
            for (i, d) in direction.iter().enumerate() {
                x[i] += d * alpha;
                residual[i] -= product[i] * alpha;
            }
            scaled = self.precondition(&residual);
            let next = dot(&residual, &scaled);
            let beta = next / rho;
            rho = next;
            for (d, z) in direction.iter_mut().zip(&scaled) {
                *d = z + *d * beta;
            }
        }
        Ok(())
    }

    fn precondition(&self, residual: &[Vec3]) -> Vec<Vec3> {
        let scale = |(r, inverse): (&Vec3, &Mat3)| inverse * r;
        residual
            .iter()
            .zip(&self.inverse_diagonal)
            .map(scale)
            .collect()
    }
}

/// `Σ a·b`.
pub(super) fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
}
