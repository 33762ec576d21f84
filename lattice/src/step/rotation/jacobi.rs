//! The rotation nearest to a matrix as Rivers and James (2007, section 3.2) find it: by Jacobi rotations of `Aᵀ A`.
//!
//! With `Aᵀ A = V Λ Vᵀ` the rotation is `A V Λ^(−1/2) Vᵀ`. A warm start rotates `Aᵀ A` into the eigenvectors of the last step first, where it is nearly
//! diagonal. The paper leaves two choices open. They are made so that the result is the best rotation for any matrix: the sign of the smallest singular value
//! is that of the determinant, and directions in which a region has no extent are completed at right angles.

use std::sync::atomic::{AtomicU64, Ordering};

use nalgebra::{Rotation3, UnitQuaternion};
use pliant_core::math::{Mat3, Vec3};

use crate::asset::LatticeAsset;
use crate::numerics::parallel::{PARALLEL_THRESHOLD, fill_two};

/// Off-diagonal entries of `Aᵀ A` over its trace, squared and summed, below which it counts as diagonal.
const DIAGONAL: f64 = 1e-12;
/// Most sweeps.
const SWEEPS: u32 = 12;
/// Singular value, as a share of the largest, below which a direction has no extent.
const FLAT: f64 = 1e-7;

/// Rotations of all regions of a body by this method.
#[derive(Debug, Clone, Default)]
pub(crate) struct Jacobi {
    warm: bool,
    vectors: Vec<Mat3>,
    /// total numbers of sweeps and solves
    pub sweeps: u64,
    pub solves: u64,
}

impl Jacobi {
    pub fn new(regions: usize, warm: bool) -> Self {
        Self {
            warm,
            vectors: vec![Mat3::identity(); regions],
            sweeps: 0,
            solves: 0,
        }
    }

    /// Mean number of sweeps a solve.
    pub fn sweeps_per_solve(&self) -> f64 {
        self.sweeps as f64 / self.solves.max(1) as f64
    }

    /// Sets `q` to the rotations that fit the moments `sums` best; a region without a unique one keeps its rotation.
    pub fn rotate_regions(&mut self, asset: &LatticeAsset, sums: &[[f64; 12]], q: &mut [[f64; 4]]) {
        let (count, warm) = (AtomicU64::new(0), self.warm);
        let parallel = sums.len() > PARALLEL_THRESHOLD;
        fill_two(parallel, q, &mut self.vectors, |start, q, vectors| {
            let mut part_sweeps = 0;
            for (k, (q, v)) in q.iter_mut().zip(vectors).enumerate() {
                let (s, rest) = (&sums[start + k], &asset.region_center[start + k]);
                let a = Mat3::from_fn(|i, j| s[3 + 3 * i + j] - s[i] * rest[j]);
                if !warm {
                    *v = Mat3::identity();
                }
                let (rotation, sweeps) = best_rotation(&a, v);
                part_sweeps += u64::from(sweeps);
                if let Some(rotation) = rotation {
                    let rotation = Rotation3::from_matrix_unchecked(rotation);
                    let unit = UnitQuaternion::from_rotation_matrix(&rotation);
                    *q = [unit.w, unit.i, unit.j, unit.k];
                }
            }
            // sums of integers do not depend on their order
            count.fetch_add(part_sweeps, Ordering::Relaxed);
        });
        self.sweeps += count.into_inner();
        self.solves += sums.len() as u64;
    }
}

/// The best rotation of `a`, and the number of sweeps over the three planes; `v` are initial eigenvectors and then the ones found.
fn best_rotation(a: &Mat3, v: &mut Mat3) -> (Option<Mat3>, u32) {
    let b = a * *v;
    let mut s = b.transpose() * b;
    let trace = s.trace();
    if !(trace.is_finite() && trace > 0.0) {
        return (None, 0);
    }
    let mut sweeps = 0;
    while sweeps < SWEEPS && off_diagonal(&s) > DIAGONAL * trace * trace {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            rotate(&mut s, v, p, q);
        }
        sweeps += 1;
    }
    (compose(a, v), sweeps)
}

fn off_diagonal(s: &Mat3) -> f64 {
    s[(0, 1)].powi(2) + s[(0, 2)].powi(2) + s[(1, 2)].powi(2)
}

/// Makes entry (p, q) zero.
fn rotate(s: &mut Mat3, v: &mut Mat3, p: usize, q: usize) {
    let off = s[(p, q)];
    if off == 0.0 {
        return;
    }
    let theta = (s[(q, q)] - s[(p, p)]) / (2.0 * off);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let mut rotation = Mat3::identity();
    (rotation[(p, p)], rotation[(q, q)]) = (c, c);
    (rotation[(p, q)], rotation[(q, p)]) = (t * c, -t * c);
    *s = rotation.transpose() * *s * rotation;
    *v *= rotation;
}

/// `A V Λ^(−1/2) Vᵀ`, with the determinant +1; `None` where two directions have no extent.
fn compose(a: &Mat3, v: &Mat3) -> Option<Mat3> {
    let b = a * v;
    let sizes = [0, 1, 2].map(|k| b.column(k).norm());
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| sizes[j].total_cmp(&sizes[i]));
    let [first, second, third] = order;
    let has_two_directions = sizes[second] > FLAT * sizes[first];
    if !has_two_directions {
        return None;
    }
    let x: Vec3 = b.column(first) / sizes[first];
    // orthogonal to the first in spite of round-off
    let y: Vec3 = b.column(second) / sizes[second];
    let y = (y - x * x.dot(&y)).normalize();
    let (vx, vy) = (v.column(first).into_owned(), v.column(second).into_owned());
    // the third direction makes a right-handed frame, which is the sign that fits best
    let (z, vz) = (x.cross(&y), vx.cross(&vy));
    debug_assert!(third < 3);
    Some(x * vx.transpose() + y * vy.transpose() + z * vz.transpose())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::bodies::Random;
    use pliant_core::math::polar::nearest_rotation;

    #[test]
    fn it_is_the_rotation_of_singular_values_from_any_start() {
        let mut random = Random(21);
        let mut warm = Mat3::identity();
        for k in 0..400 {
            let a = Mat3::from_fn(|_, _| random.next());
            let mut cold = Mat3::identity();
            for v in [&mut cold, &mut warm] {
                let (found, sweeps) = best_rotation(&a, v);
                let found = found.expect("a full matrix");
                assert!(sweeps <= 8, "{k}");
                let expected = nearest_rotation(&a);
                // mirrored matrices with nearly equal small values have no unique rotation: only the fit is compared
                let fit = |r: &Mat3| (r.transpose() * a).trace();
                assert!((found.determinant() - 1.0).abs() < 1e-9);
                assert!(
                    (fit(&found) - fit(&expected)).abs() < 1e-7,
                    "{k}: {found} {expected}"
                );
            }
        }
    }

    #[test]
    fn a_warm_start_takes_fewer_sweeps() {
        let mut random = Random(4);
        let (mut cold, mut warm) = (0, 0);
        for _ in 0..100 {
            let stretch = Mat3::from_diagonal(&Vec3::new(1.3, 1.0, 0.8));
            let rotation = nalgebra::Rotation3::from_scaled_axis(random.vector());
            let a = rotation * stretch * rotation.transpose();
            let mut v = Mat3::identity();
            cold += best_rotation(&a, &mut v).1;
            let little = nalgebra::Rotation3::from_scaled_axis(random.vector() * 1e-3);
            warm += best_rotation(&(little * a * little.transpose()), &mut v).1;
        }
        assert!(2 * warm < cold, "{warm} {cold}");
    }

    #[test]
    fn flat_matrices_have_one_and_straight_or_empty_ones_none() {
        let mut v = Mat3::identity();
        let flat = Mat3::from_diagonal(&Vec3::new(2.0, 1.0, 0.0));
        let found = best_rotation(&flat, &mut v).0.expect("flat");
        assert!((found - Mat3::identity()).amax() < 1e-12);
        for diagonal in [Vec3::x(), Vec3::zeros(), Vec3::new(f64::NAN, 1.0, 1.0)] {
            let mut v = Mat3::identity();
            let a = Mat3::from_diagonal(&diagonal);
            assert!(best_rotation(&a, &mut v).0.is_none());
        }
    }
}
