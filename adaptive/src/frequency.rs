//! The lowest elastic mode of a level, by inverse iteration with conjugate gradients.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::elasticity::ShapeGradients;
use pliant_core::material::{LameParameters, Material};
use pliant_core::math::{Mat3, Vec3};

use crate::hierarchy::Level;

/// Inverse iterations; each shrinks the next mode by the ratio of the eigenvalues.
const ITERATIONS: usize = 60;
/// Relative change of the eigenvalue that ends the iteration.
const TOLERANCE: f64 = 1e-7;
/// Residual at which conjugate gradients stop.
const RESIDUAL: f64 = 1e-6;
/// Most components that get their own rigid modes.
const MOST_FREE_PARTS: usize = 32;

/// Lowest angular frequency ω₁ of the level at rest with its supports, rad/s.
///
/// Components without a support have six rigid motions each, which are projected out: the result is then the lowest elastic mode. Where
/// the iteration finds nothing sensible, the bound of a shear wave along the diagonal `π √(μ/ρ) / diagonal` stands in.
pub fn lowest_frequency(
    level: &Level,
    material: &Material,
    progress: &Progress,
) -> Result<f64, Cancelled> {
    let lame = material.lame();
    let held = level.held_flags();
    let rigid = rigid_modes(level, &held);
    let n = level.node_count();
    // a smooth start that no mode is orthogonal to by symmetry
    let bounds = level.mesh.bounds();
    let (centre, size) = (bounds.center(), bounds.diagonal().max(f64::MIN_POSITIVE));
    let mut x: Vec<Vec3> = level
        .mesh
        .nodes
        .iter()
        .map(|p| {
            let r = (p - centre) / size;
            Vec3::new(
                (2.1 * r.y + 0.3).sin() + r.z * r.x,
                (1.7 * r.z + 0.5).cos() + r.x * r.x,
                (2.9 * r.x + 0.7).sin() - r.y * r.y,
            )
        })
        .collect();
    let operator = Stiffness {
        level,
        lame,
        held: &held,
    };
    let mut previous = 0.0;
    let mut eigenvalue = f64::NAN;
    let mut solution = vec![Vec3::zeros(); n];
    for k in 0..ITERATIONS {
        progress.check()?;
        progress.set_fraction(k as f64 / ITERATIONS as f64);
        clean(&mut x, level, &held, &rigid);
        let norm = mass_dot(level, &x, &x).sqrt();
        if norm.is_nan() || norm <= 0.0 {
            break;
        }
        x.iter_mut().for_each(|v| *v /= norm);
        if eigenvalue.is_finite() {
            for (y, v) in solution.iter_mut().zip(&x) {
                *y = v / eigenvalue;
            }
        }
        let right: Vec<Vec3> = x.iter().zip(&level.masses).map(|(v, m)| v * *m).collect();
        // K y = M x; the first guess is the mode so far
        operator.solve(&right, &mut solution, progress)?;
        clean(&mut solution, level, &held, &rigid);
        // Rayleigh quotient of the solution: yᵀ K y / yᵀ M y with K y = M x
        let length = mass_dot(level, &solution, &solution);
        eigenvalue = mass_dot(level, &solution, &x) / length;
        x.copy_from_slice(&solution);
        if (eigenvalue - previous).abs() <= TOLERANCE * eigenvalue {
            break;
        }
        previous = eigenvalue;
    }
    let fallback = std::f64::consts::PI * (lame.mu / material.density).sqrt() / size;
    Ok(if eigenvalue.is_finite() && eigenvalue > 0.0 {
        eigenvalue.sqrt()
    } else {
        fallback
    })
}

/// `Σ m a·b`.
fn mass_dot(level: &Level, a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter()
        .zip(b)
        .zip(&level.masses)
        .map(|((a, b), m)| m * a.dot(b))
        .sum()
}

/// Removes held nodes and rigid motions.
fn clean(x: &mut [Vec3], level: &Level, held: &[bool], rigid: &[Vec<Vec3>]) {
    for (v, &is_held) in x.iter_mut().zip(held) {
        if is_held {
            *v = Vec3::zeros();
        }
    }
    for mode in rigid {
        let share = mass_dot(level, x, mode);
        for (v, m) in x.iter_mut().zip(mode) {
            *v -= m * share;
        }
    }
}

/// Mass-orthonormal rigid motions of the components that nothing holds.
fn rigid_modes(level: &Level, held: &[bool]) -> Vec<Vec<Vec3>> {
    let (label, count) = level.components();
    let mut free = vec![true; count];
    for (l, &h) in label.iter().zip(held) {
        free[*l as usize] &= !h;
    }
    let mut modes: Vec<Vec<Vec3>> = Vec::new();
    for part in (0..count).filter(|&c| free[c]).take(MOST_FREE_PARTS) {
        let centre = {
            let (mut sum, mut number) = (Vec3::zeros(), 0.0);
            for (x, l) in level.mesh.nodes.iter().zip(&label) {
                if *l as usize == part {
                    sum += x;
                    number += 1.0;
                }
            }
            sum / f64::max(number, 1.0)
        };
        for kind in 0..6 {
            let axis = Vec3::ith(kind % 3, 1.0);
            let mut mode: Vec<Vec3> = level
                .mesh
                .nodes
                .iter()
                .zip(&label)
                .map(|(x, l)| match (*l as usize == part, kind < 3) {
                    (false, _) => Vec3::zeros(),
                    (true, true) => axis,
                    (true, false) => axis.cross(&(x - centre)),
                })
                .collect();
            for other in &modes {
                let share = mass_dot(level, &mode, other);
                for (v, o) in mode.iter_mut().zip(other) {
                    *v -= o * share;
                }
            }
            let norm = mass_dot(level, &mode, &mode).sqrt();
            if norm > 0.0 {
                mode.iter_mut().for_each(|v| *v /= norm);
                modes.push(mode);
            }
        }
    }
    modes
}

/// The small-strain stiffness of a level, applied tetrahedron by tetrahedron; held nodes do not move.
struct Stiffness<'a> {
    level: &'a Level,
    lame: LameParameters,
    held: &'a [bool],
}

impl Stiffness<'_> {
    fn apply(&self, u: &[Vec3], out: &mut [Vec3]) {
        out.fill(Vec3::zeros());
        for (tet, shape) in self.level.mesh.tets.iter().zip(self.level.shapes.iter()) {
            let ShapeGradients { gradients, volume } = shape;
            let h = shape.gradient_of(tet.map(|n| u[n as usize]));
            let strain = (h + h.transpose()) * 0.5;
            let stress = Mat3::identity() * (self.lame.lambda * strain.trace())
                + strain * (2.0 * self.lame.mu);
            for (&n, g) in tet.iter().zip(gradients) {
                out[n as usize] += stress * g * *volume;
            }
        }
        for (v, &is_held) in out.iter_mut().zip(self.held) {
            if is_held {
                *v = Vec3::zeros();
            }
        }
    }

    /// Conjugate gradients from the guess in `x`, with the inverse of the lumped masses as preconditioner.
    fn solve(&self, right: &[Vec3], x: &mut [Vec3], progress: &Progress) -> Result<(), Cancelled> {
        let n = right.len();
        let dot = |a: &[Vec3], b: &[Vec3]| -> f64 { a.iter().zip(b).map(|(a, b)| a.dot(b)).sum() };
        let mut product = vec![Vec3::zeros(); n];
        self.apply(x, &mut product);
        let mut residual: Vec<Vec3> = (0..n)
            .map(|i| {
                if self.held[i] {
                    Vec3::zeros()
                } else {
                    right[i] - product[i]
                }
            })
            .collect();
        let precondition = |r: &[Vec3]| -> Vec<Vec3> {
            r.iter()
                .zip(&self.level.masses)
                .map(|(r, m)| r / *m)
                .collect()
        };
        let mut z = precondition(&residual);
        let mut direction = z.clone();
        let mut rho = dot(&residual, &z);
        let goal = RESIDUAL * RESIDUAL * dot(right, &precondition(right));
        for step in 0..(3 * n).min(4000) {
            if rho <= goal {
                break;
            }
            if step % 32 == 0 {
                progress.check()?;
            }
            self.apply(&direction, &mut product);
            let curvature = dot(&direction, &product);
            if curvature.is_nan() || curvature <= 0.0 {
                break;
            }
            let alpha = rho / curvature;
            for i in 0..n {
                x[i] += direction[i] * alpha;
                residual[i] -= product[i] * alpha;
            }
            z = precondition(&residual);
            let next = dot(&residual, &z);
            let beta = next / rho;
            rho = next;
            for i in 0..n {
                direction[i] = z[i] + direction[i] * beta;
            }
        }
        Ok(())
    }
}
