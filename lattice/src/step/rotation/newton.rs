//! The rotation nearest to a region's moment matrix, by Newton's method on the rotation group from the rotation of the last step.
//!
//! With `B = Rᵀ A` the function `tr(Rᵀ A)` changes along `R exp[ω]` by `ω·g − ½ ωᵀ H ω`, where `g` is the axial vector of `B − Bᵀ` and
//! `H = tr(B) I − (B + Bᵀ)/2`. A step solves `H ω = g` and multiplies the quaternion by `(1, ω/2)`, normalised. (Polar decomposition as
//! optimisation over rotations: Kugelstadt, Koschier and Bender 2018.) Where H is not positive definite it is shifted by Gershgorin's bound.
//! The step then still ascends, and the undetermined twist of a flattened region does not change. Mirrored regions keep determinant +1.

use nalgebra::{Quaternion, Rotation3, UnitQuaternion};
use pliant_core::math::polar::nearest_rotation;
use pliant_core::math::{Mat3, Vec3};

use crate::numerics::lanes::{LANES, Lanes};

/// Correction, rad, below which the iteration stops: the remaining error is about its cube.
const SMALL_ROTATION: f64 = 1e-4;
/// Most Newton iterations a step.
const ITERATIONS: usize = 8;
/// Most steps of a group in which some lanes are far from a maximum.
const MAX_ASCENT_STEPS: usize = 16;

/// Quaternion (w, x, y, z) for each lane.
pub(crate) type Quaternions = [Lanes; 4];
/// Row-major 3×3 matrix for each lane.
pub(crate) type Matrices = [Lanes; 9];

/// Rotation matrices of unit quaternions.
#[inline(always)]
pub(crate) fn rotation_matrices(q: &Quaternions) -> Matrices {
    let [s, x, y, z] = *q;
    let one = Lanes::splat(1.0);
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, yy, zz) = (x * x2, y * y2, z * z2);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    let (sx, sy, sz) = (s * x2, s * y2, s * z2);
    [
        one - yy - zz,
        xy - sz,
        xz + sy,
        xy + sz,
        one - xx - zz,
        yz - sx,
        xz - sy,
        yz + sx,
        one - xx - yy,
    ]
}

/// Rotates `q` towards the rotations nearest to `a`; `tiny` is a moment far below that of any real region (kg·m²), which prevents a division
/// by zero in a region that is collapsed to a point.
#[inline(always)]
pub(crate) fn refine_rotations(a: &Matrices, tiny: Lanes, q: &mut Quaternions) -> Matrices {
    let mut r = rotation_matrices(q);
    for _ in 0..ITERATIONS {
        let before = *q;
        let (rotation, minor) = newton(a, tiny, q, &mut r);
        if minor.smallest() <= 0.0 || !rotation.largest().is_finite() {
            *q = before;
            return refine_by_lane(a, tiny, q);
        }
        if rotation.largest() <= SMALL_ROTATION * SMALL_ROTATION {
            return r;
        }
    }
    refine_by_lane(a, tiny, q)
}

/// Continues with the lanes that are not at a maximum yet; those that do not converge are solved by singular values.
#[cold]
#[inline(never)]
fn refine_by_lane(a: &Matrices, tiny: Lanes, q: &mut Quaternions) -> Matrices {
    let mut r = rotation_matrices(q);
    let mut converged = [false; LANES];
    for _ in 0..MAX_ASCENT_STEPS {
        let before = *q;
        let (rotation, minor) = newton(a, tiny, q, &mut r);
        for (lane, converged) in converged.iter_mut().enumerate() {
            let is_invalid = !rotation.0[lane].is_finite();
            if *converged || is_invalid {
                (0..4).for_each(|k| q[k].0[lane] = before[k].0[lane]);
            }
            *converged |=
                minor.0[lane] > 0.0 && rotation.0[lane] <= SMALL_ROTATION * SMALL_ROTATION;
        }
        if !converged.contains(&false) {
            break;
        }
        r = rotation_matrices(q);
    }
    // also where two rotations fit almost equally well: an unconverged one would create or lose energy
    (0..LANES)
        .filter(|&k| !converged[k])
        .for_each(|lane| solve_by_svd(a, q, lane));
    rotation_matrices(q)
}

/// One Newton step of all lanes. Returns squared rotation angles, rad², and the smallest leading minors of H (0 or less: not at a maximum yet).
#[inline(always)]
fn newton(a: &Matrices, tiny: Lanes, q: &mut Quaternions, r: &mut Matrices) -> (Lanes, Lanes) {
    let b = |i: usize, j: usize| r[i] * a[j] + r[3 + i] * a[3 + j] + r[6 + i] * a[6 + j];
    let (b00, b11, b22) = (b(0, 0), b(1, 1), b(2, 2));
    let (b01, b10, b02, b20, b12, b21) = (b(0, 1), b(1, 0), b(0, 2), b(2, 0), b(1, 2), b(2, 1));
    let g = [b21 - b12, b02 - b20, b10 - b01];
    let half = Lanes::splat(-0.5);
    let (h01, h02, h12) = ((b01 + b10) * half, (b02 + b20) * half, (b12 + b21) * half);
    let (mut h00, mut h11, mut h22) = (b11 + b22, b00 + b22, b00 + b11);
    let determinant = |h00: Lanes, h11: Lanes, h22: Lanes| {
        h00 * (h11 * h22 - h12 * h12)
            + h01 * (h02 * h12 - h01 * h22)
            + h02 * (h01 * h12 - h02 * h11)
    };
    let mut det = determinant(h00, h11, h22);
    let minor = h00.min(h00 * h11 - h01 * h01).min(det);
    if minor.smallest() <= 0.0 {
        let low = (h00 - h01.abs() - h02.abs())
            .min(h11 - h01.abs() - h12.abs())
            .min(h22 - h02.abs() - h12.abs());
        let size = h00.abs() + h11.abs() + h22.abs();
        let shift = (size * Lanes::splat(1e-3) + tiny - low).max(Lanes::ZERO);
        // positive definite lanes are not shifted
        let shift = minor.zip(shift, |f, s| if f > 0.0 { 0.0 } else { s });
        (h00, h11, h22) = (h00 + shift, h11 + shift, h22 + shift);
        det = determinant(h00, h11, h22);
    }
    let inverse = det.reciprocal() * Lanes::splat(0.5);
    let c00 = h11 * h22 - h12 * h12;
    let c01 = h02 * h12 - h01 * h22;
    let c02 = h01 * h12 - h02 * h11;
    let c11 = h00 * h22 - h02 * h02;
    let c12 = h01 * h02 - h00 * h12;
    let c22 = h00 * h11 - h01 * h01;
    // half the rotation, in the frame of the region
    let x = (c00 * g[0] + c01 * g[1] + c02 * g[2]) * inverse;
    let y = (c01 * g[0] + c11 * g[1] + c12 * g[2]) * inverse;
    let z = (c02 * g[0] + c12 * g[1] + c22 * g[2]) * inverse;
    let [qs, qx, qy, qz] = *q;
    let n = [
        qs - qx * x - qy * y - qz * z,
        qx + qs * x + qy * z - qz * y,
        qy + qs * y + qz * x - qx * z,
        qz + qs * z + qx * y - qy * x,
    ];
    let norm = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + n[3] * n[3])
        .sqrt()
        .reciprocal();
    *q = n.map(|c| c * norm);
    *r = rotation_matrices(q);
    let rotation = (x * x + y * y + z * z) * Lanes::splat(4.0);
    (rotation, minor)
}

/// Solves a lane by its singular value decomposition.
fn solve_by_svd(a: &Matrices, q: &mut Quaternions, lane: usize) {
    let matrix = Mat3::from_fn(|i, j| a[3 * i + j].0[lane]);
    if !matrix.iter().all(|x| x.is_finite()) {
        return;
    }
    let old = unit_quaternion(q.map(|c| c.0[lane]));
    let new = best_rotation_near(&matrix, &old);
    for (k, value) in [new.w, new.i, new.j, new.k].into_iter().enumerate() {
        q[k].0[lane] = value;
    }
}

/// The rotation of a quaternion (w, x, y, z), which is normalised.
pub(crate) fn unit_quaternion([w, x, y, z]: [f64; 4]) -> UnitQuaternion<f64> {
    UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z))
}

/// The rotation that maximises `tr(Rᵀ A)`; if A does not determine the twist, the maximiser nearest to `old`.
pub(crate) fn best_rotation_near(a: &Mat3, old: &UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    let best = nearest_rotation(a);
    let sizes = a.singular_values();
    let sign = if a.determinant() < 0.0 { -1.0 } else { 1.0 };
    let (large, small) = (sizes.max(), sizes.min());
    let middle = sizes.sum() - large - small;
    let quaternion =
        |r: &Mat3| UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*r));
    if middle + sign * small > 1e-9 * large && large > 0.0 {
        return quaternion(&best);
    }
    if large == 0.0 || old.norm().is_nan() {
        return *old;
    }
    // A determines one axis only: rotate `old` so that it maps this axis as A does
    let stretched = a * a.transpose();
    let Some(axis) = (0..3)
        .map(|k| stretched.column(k).into_owned())
        .max_by(|x, y| x.norm_squared().total_cmp(&y.norm_squared()))
        .and_then(|x: Vec3| x.try_normalize(0.0))
    else {
        return *old;
    };
    let Some(source) = (a.transpose() * axis).try_normalize(0.0) else {
        return *old;
    };
    match UnitQuaternion::rotation_between(&(old * source), &axis) {
        Some(rotation) => rotation * old,
        None => quaternion(&best),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::bodies::Random;

    fn solve(a: &Mat3, q: &mut UnitQuaternion<f64>) -> Mat3 {
        let lanes: Matrices = std::array::from_fn(|k| Lanes::splat(a[(k / 3, k % 3)]));
        let mut quaternions = [q.w, q.i, q.j, q.k].map(Lanes::splat);
        let r = refine_rotations(&lanes, Lanes::splat(1e-12), &mut quaternions);
        *q = unit_quaternion(quaternions.map(|c| c.0[0]));
        Mat3::from_fn(|i, j| r[3 * i + j].0[0])
    }

    fn random_matrix(random: &mut Random) -> Mat3 {
        Mat3::from_fn(|_, _| random.next())
    }

    #[test]
    fn one_warm_call_follows_a_large_change() {
        let mut random = Random(5);
        for _ in 0..500 {
            let rotation = UnitQuaternion::from_scaled_axis(random.vector() * 3.0);
            let stretch = Mat3::identity() + random_matrix(&mut random) * 0.2;
            let a = rotation.to_rotation_matrix().into_inner() * stretch * stretch.transpose();
            let mut q = rotation * UnitQuaternion::from_scaled_axis(random.vector() * 0.2);
            let r = solve(&a, &mut q);
            assert!((r - nearest_rotation(&a)).norm() < 1e-9, "{r}");
        }
    }

    #[test]
    fn any_matrix_reaches_the_maximum_within_some_steps() {
        let mut random = Random(9);
        for case in 0..500 {
            // arbitrary, half of them mirrored, far from the start
            let a = random_matrix(&mut random);
            let mut q = UnitQuaternion::identity();
            let mut r = Mat3::identity();
            for _ in 0..4 {
                r = solve(&a, &mut q);
            }
            let best = (nearest_rotation(&a).transpose() * a).trace();
            assert!((r.determinant() - 1.0).abs() < 1e-12);
            assert!((r.transpose() * a).trace() > best - 1e-9, "case {case}");
        }
    }

    #[test]
    fn flat_straight_and_collapsed_regions_keep_their_free_twist() {
        let start = UnitQuaternion::from_scaled_axis(Vec3::new(0.3, -0.2, 0.5));
        let u = start * Vec3::x();
        // straight: only the x axis is left
        let mut q = start;
        let r = solve(&(u * Vec3::x().transpose()), &mut q);
        assert!((r - start.to_rotation_matrix().into_inner()).norm() < 1e-6);
        // collapsed to a point, whatever the moment below which regions count as such
        for tiny in [0.0, 1e-12] {
            let mut q = [start.w, start.i, start.j, start.k].map(Lanes::splat);
            let zero = [Lanes::ZERO; 9];
            let r = refine_rotations(&zero, Lanes::splat(tiny), &mut q);
            let r = Mat3::from_fn(|i, j| r[3 * i + j].0[0]);
            assert!((r - start.to_rotation_matrix().into_inner()).norm() < 1e-12);
        }
        // flat: the plane fixes the rotation
        let rotation = start.to_rotation_matrix().into_inner();
        let mut q = start;
        let r = solve(
            &(rotation * Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 0.0))),
            &mut q,
        );
        assert!((r - rotation).norm() < 1e-9);
        // turned inside out: a point of no slope, but not a maximum
        let mut q = UnitQuaternion::identity();
        let r = solve(&-Mat3::from_diagonal(&Vec3::new(3.0, 2.0, 1.0)), &mut q);
        assert!(
            ((r.transpose() * -Mat3::from_diagonal(&Vec3::new(3.0, 2.0, 1.0))).trace() - 4.0).abs()
                < 1e-9
        );
    }
}
