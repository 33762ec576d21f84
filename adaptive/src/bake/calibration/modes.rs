//! The lowest elastic modes of a level at rest, by inverse iteration on a block of vectors.

use nalgebra::DMatrix;
use pliant_core::asset::{Cancelled, Progress};
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use rayon::prelude::*;

use crate::bake::calibration::matrix::{StiffnessMatrix, dot};
use crate::bake::calibration::rigid_modes::{mass_dot, project_out, rigid_modes};
use crate::hierarchy::Level;

/// Vectors that are iterated in addition to the required modes. They speed up convergence, and represent modes whose order changes between levels.
const EXTRA_VECTORS: usize = 5;
/// Largest number of inverse iterations.
const MAX_ITERATIONS: usize = 30;
/// Relative change of the required squared frequencies at which the iteration stops; the remaining error is smaller.
const TOLERANCE: f64 = 1e-4;
/// Factor by which a solve reduces the residual: the guess is good, and the eigenvalues need no more.
const REDUCTION: f64 = 0.01;
/// Largest number of steps of conjugate gradients.
const MAX_STEPS: usize = 600;
/// A vector is linearly dependent on the others if orthogonalisation leaves less than this share of its length.
const DEPENDENCE_TOLERANCE: f64 = 1e-6;

/// Frequencies and shapes of the lowest elastic modes.
#[derive(Debug, Clone, PartialEq)]
pub struct Modes {
    /// Squares of the angular frequencies, ascending, (rad/s)². The required ones are accurate to about a thousandth.
    pub squares: Vec<f64>,
    /// Displacement of every node, mass-orthonormal, 1/√kg.
    pub shapes: Vec<Vec<Vec3>>,
}

/// The `count` lowest modes of `level`, and up to five more, under its supports, or of its free parts where `free`; rigid motions of free parts are left out. `start`
/// are initial guesses (the prolongated modes of a coarser level); it may be empty.
///
/// `None` where the level has fewer. Cost: as many solves by conjugate gradients an iteration, on all cores; with good guesses two or three iterations.
pub(crate) fn modes_of(
    level: &Level,
    material: &Material,
    count: usize,
    free: bool,
    start: Vec<Vec<Vec3>>,
    progress: &Progress,
) -> Result<Option<Modes>, Cancelled> {
    let held = &match free {
        true => vec![false; level.node_count()],
        false => level.held_flags(),
    };
    let matrix = StiffnessMatrix::new(level, &material.lame(), held);
    let rigid = rigid_modes(level, held);
    let mut block = start;
    block.extend((block.len()..count + EXTRA_VECTORS).map(|k| smooth_guess(level, k)));
    let Some(mut modes) = ritz(level, &matrix, held, &rigid, count, block) else {
        return Ok(None);
    };
    for round in 0..MAX_ITERATIONS {
        progress.check()?;
        progress.set_fraction(round as f64 / MAX_ITERATIONS as f64);
        let solved: Result<Vec<Vec<Vec3>>, Cancelled> = modes
            .shapes
            .par_iter()
            .zip(&modes.squares)
            .map(|(shape, square)| {
                let right: Vec<Vec3> = shape
                    .iter()
                    .zip(level.masses.iter().zip(held))
                    .map(|(v, (m, &held))| if held { Vec3::zeros() } else { v * *m })
                    .collect();
                let mut y: Vec<Vec3> = shape.iter().map(|v| v / *square).collect();
                matrix.solve(&right, &mut y, REDUCTION, MAX_STEPS, progress)?;
                Ok(y)
            })
            .collect();
        let Some(next) = ritz(level, &matrix, held, &rigid, count, solved?) else {
            return Ok(None);
        };
        let converged = next
            .squares
            .iter()
            .zip(&modes.squares)
            .take(count)
            .all(|(new, old)| (new - old).abs() <= TOLERANCE * new);
        modes = next;
        if converged {
            break;
        }
    }
    Ok(Some(modes))
}

/// The best combinations of the vectors (Rayleigh and Ritz), lowest first; `None` with fewer than `count` that are independent.
fn ritz(
    level: &Level,
    matrix: &StiffnessMatrix,
    held: &[bool],
    rigid: &[Vec<Vec3>],
    count: usize,
    block: Vec<Vec<Vec3>>,
) -> Option<Modes> {
    let mut basis: Vec<Vec<Vec3>> = Vec::with_capacity(block.len());
    for mut x in block {
        project_out(&mut x, level, held, rigid);
        let before = mass_dot(level, &x, &x).sqrt();
        // twice is enough
        for _ in 0..2 {
            for other in &basis {
                let share = mass_dot(level, &x, other);
                for (v, o) in x.iter_mut().zip(other) {
                    *v -= o * share;
                }
            }
        }
        let norm = mass_dot(level, &x, &x).sqrt();
        if norm.is_finite() && norm > DEPENDENCE_TOLERANCE * before && norm > 0.0 {
            x.iter_mut().for_each(|v| *v /= norm);
            basis.push(x);
        }
    }
    if basis.len() < count {
        return None;
    }
    let images: Vec<Vec<Vec3>> = basis
        .iter()
        .map(|x| {
            let mut image = vec![Vec3::zeros(); x.len()];
            matrix.apply(x, &mut image);
            image
        })
        .collect();
    let m = basis.len();
    let projected = DMatrix::from_fn(m, m, |i, j| {
        0.5 * (dot(&basis[i], &images[j]) + dot(&basis[j], &images[i]))
    });
    let eigen = projected.symmetric_eigen();
    let mut order: Vec<usize> = (0..m).collect();
    order.sort_by(|&a, &b| eigen.eigenvalues[a].total_cmp(&eigen.eigenvalues[b]));
    let mut modes = Modes {
        squares: Vec::with_capacity(m),
        shapes: Vec::with_capacity(m),
    };
    for k in order {
        let square = eigen.eigenvalues[k];
        if !(square.is_finite() && square > 0.0) {
            return None;
        }
        let mut shape = vec![Vec3::zeros(); level.node_count()];
        for (x, w) in basis.iter().zip(eigen.eigenvectors.column(k).iter()) {
            for (s, v) in shape.iter_mut().zip(x) {
                *s += v * *w;
            }
        }
        modes.squares.push(square);
        modes.shapes.push(shape);
    }
    Some(modes)
}

/// A smooth field that no mode is orthogonal to by symmetry; a different one for each `number`.
fn smooth_guess(level: &Level, number: usize) -> Vec<Vec3> {
    let bounds = level.mesh.bounds();
    let (centre, size) = (bounds.center(), bounds.diagonal().max(f64::MIN_POSITIVE));
    let k = number as f64;
    let guess = |p: &Vec3| {
        let r = (p - centre) / size;
        Vec3::new(
            ((2.1 + 0.9 * k) * r.y + 0.3 + k).sin() + (1.3 - 0.7 * k) * r.z * r.x,
            ((1.7 + 1.1 * k) * r.z + 0.5 - k).cos() + (0.4 + 0.6 * k) * r.x * r.x,
            ((2.9 - 0.5 * k) * r.x + 0.7 + 2.0 * k).sin() - (0.8 + 0.3 * k) * r.y * r.y,
        )
    };
    level.mesh.nodes.iter().map(guess).collect()
}
