//! The rotations nearest to many matrices at once, in single precision.
//!
//! The same Newton iteration as [`crate::step::rotation::newton`], which has the derivation. Here `adj(H) g` is never divided by `det H`: the quaternion
//! `(det H, adj(H) g / 2)` has the same direction as `(1, ω/2)` and is normalised anyway. Lanes that are not at a maximum, or do not converge, are
//! solved again in double precision from the old rotation.

use pulp::{Simd, WithSimd};

use crate::kernels::vector::pack::{LINE, Pack};
use crate::numerics::lanes::{LANES, Lanes};
use crate::step::rotation::newton as double;

/// Rotation, rad, below which the iteration stops: the remaining error is about its cube.
const SMALL_ROTATION: f32 = 4e-3;
/// Most iterations in single precision.
const ITERATIONS: usize = 4;
/// Share of the moment of a matrix that double precision treats as noise.
const NOISE: f64 = 1e-6;
/// Moment of regions that are a single point, whose matrices are zero: entries of others are about 1.
const TINY: f64 = 1e-12;
/// Leading minor of H that counts as positive.
const MIN_MINOR: f32 = 1e-30;

/// Quaternion (w, x, y, z) for each lane.
pub(crate) type Quaternions<S> = [Pack<S>; 4];
/// Row-major 3×3 matrix for each lane.
pub(crate) type Matrices<S> = [Pack<S>; 9];

/// Rotation matrices of unit quaternions.
#[inline(always)]
pub(crate) fn rotation_matrices<S: Simd>(q: &Quaternions<S>) -> Matrices<S> {
    let [s, x, y, z] = *q;
    let one = Pack::splat(s.simd, 1.0);
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    let xx = x.times_from(x2, one);
    let yy = y.times_from(y2, one);
    [
        z.times_from(z2, yy),
        s.times_from(z2, xy),
        s.times_plus(y2, xz),
        s.times_plus(z2, xy),
        z.times_from(z2, xx),
        s.times_from(x2, yz),
        s.times_from(y2, xz),
        s.times_plus(x2, yz),
        y.times_from(y2, xx),
    ]
}

/// Rotates `q` towards the rotations nearest to `a`, whose entries are about 1, and returns the rotation matrices. `N` independent vectors are processed side by
/// side to hide the latency of instructions.
#[inline(always)]
pub(crate) fn refine_rotations<S: Simd, const N: usize>(
    a: &[Matrices<S>; N],
    q: &mut [Quaternions<S>; N],
) -> [Matrices<S>; N] {
    let old = *q;
    let zero = Pack::splat(q[0][0].simd, 0.0);
    for _ in 0..ITERATIONS {
        // a zero matrix has a zero gradient, but no maximum
        let min_minor = Pack::splat(zero.simd, MIN_MINOR);
        let (mut worst, mut smallest) = (zero, zero);
        for n in 0..N {
            let r = rotation_matrices(&q[n]);
            let (excess, minor) = newton(&a[n], &r, &mut q[n]);
            let not_converged = excess.max(min_minor - minor);
            (worst, smallest) = match n {
                0 => (not_converged, minor),
                _ => (worst.max(not_converged), smallest.min(minor)),
            };
        }
        if worst.largest() <= 0.0 {
            return all_matrices(q);
        }
        // written so that NaN counts as not positive
        let ascends = smallest.smallest() > 0.0;
        if !ascends {
            break;
        }
    }
    *q = old;
    for n in 0..N {
        // copies, so that this rare call does not force the variables into memory
        let (matrices, mut rotated) = (a[n], q[n]);
        refine_unconverged(&matrices, &mut rotated);
        q[n] = rotated;
    }
    all_matrices(q)
}

#[inline(always)]
fn all_matrices<S: Simd, const N: usize>(q: &[Quaternions<S>; N]) -> [Matrices<S>; N] {
    let mut r = [[Pack::splat(q[0][0].simd, 0.0); 9]; N];
    for n in 0..N {
        r[n] = rotation_matrices(&q[n]);
    }
    r
}

/// One Newton step of all lanes. Returns a number that is positive where the rotation was not small, and the smallest leading minor of H, positive where
/// the function is concave.
#[inline(always)]
fn newton<S: Simd>(a: &Matrices<S>, r: &Matrices<S>, q: &mut Quaternions<S>) -> (Pack<S>, Pack<S>) {
    let simd = q[0].simd;
    let b00 = r[0].times_plus(a[0], r[3].times_plus(a[3], r[6] * a[6]));
    let b01 = r[0].times_plus(a[1], r[3].times_plus(a[4], r[6] * a[7]));
    let b02 = r[0].times_plus(a[2], r[3].times_plus(a[5], r[6] * a[8]));
    let b10 = r[1].times_plus(a[0], r[4].times_plus(a[3], r[7] * a[6]));
    let b11 = r[1].times_plus(a[1], r[4].times_plus(a[4], r[7] * a[7]));
    let b12 = r[1].times_plus(a[2], r[4].times_plus(a[5], r[7] * a[8]));
    let b20 = r[2].times_plus(a[0], r[5].times_plus(a[3], r[8] * a[6]));
    let b21 = r[2].times_plus(a[1], r[5].times_plus(a[4], r[8] * a[7]));
    let b22 = r[2].times_plus(a[2], r[5].times_plus(a[5], r[8] * a[8]));
    let (g0, g1, g2) = (b21 - b12, b02 - b20, b10 - b01);
    // twice H, so that halves are not needed
    let (h01, h02, h12) = (b01 + b10, b02 + b20, b12 + b21);
    let (t0, t1, t2) = (b00 + b00, b11 + b11, b22 + b22);
    let (h00, h11, h22) = (t1 + t2, t0 + t2, t0 + t1);
    // h01, h02, h12 enter with the opposite sign
    let c00 = h12.times_from(h12, h11 * h22);
    let c01 = h02.times_plus(h12, h01 * h22);
    let c02 = h01.times_plus(h12, h02 * h11);
    let c11 = h02.times_from(h02, h00 * h22);
    let c12 = h01.times_plus(h02, h00 * h12);
    let c22 = h01.times_from(h01, h00 * h11);
    let det = h02.times_from(c02, h01.times_from(c01, h00 * c00));
    let minor = h00.min(c22).min(det);
    // adj(2H) g; ω/2 is this over det(2H)
    let x = c00.times_plus(g0, c01.times_plus(g1, c02 * g2));
    let y = c01.times_plus(g0, c11.times_plus(g1, c12 * g2));
    let z = c02.times_plus(g0, c12.times_plus(g1, c22 * g2));
    let squares = x.times_plus(x, y.times_plus(y, z * z));
    let det2 = det * det;
    let tolerance = Pack::splat(simd, 0.25 * SMALL_ROTATION * SMALL_ROTATION);
    let excess = tolerance.times_from(det2, squares);
    let norm = Pack::splat(simd, 1.0).over((det2 + squares).sqrt());
    let (s, x, y, z) = (det * norm, x * norm, y * norm, z * norm);
    let [qs, qx, qy, qz] = *q;
    *q = [
        z.times_from(qz, y.times_from(qy, x.times_from(qx, qs * s))),
        y.times_from(qz, z.times_plus(qy, x.times_plus(qs, qx * s))),
        z.times_from(qx, x.times_plus(qz, y.times_plus(qs, qy * s))),
        x.times_from(qy, y.times_plus(qx, z.times_plus(qs, qz * s))),
    ];
    (excess, minor)
}

/// More steps. Lanes that still do not converge are solved in double precision, which also handles mirrored, flattened and collapsed
/// matrices; the other lanes are not repeated.
#[cold]
#[inline(never)]
fn refine_unconverged<S: Simd>(a: &Matrices<S>, q: &mut Quaternions<S>) {
    let mut rotated = *q;
    let converged = q[0].simd.vectorize(MoreIterations { a, q: &mut rotated });
    let matrices = a.map(|c| c.numbers());
    let before = q.map(|c| c.numbers());
    let mut found = rotated.map(|c| c.numbers());
    let is_unconverged = |k: usize| !converged[k] || found.iter().any(|c| !c[k].is_finite());
    let unconverged: [bool; LINE] = std::array::from_fn(is_unconverged);
    let mut unconverged = (0..S::F32_LANES).filter(|&k| unconverged[k]);
    while let Some(first) = unconverged.next() {
        // the last group may contain a lane several times
        let mut group = [first; LANES];
        for (place, k) in group[1..].iter_mut().zip(&mut unconverged) {
            *place = k;
        }
        in_double_precision(&matrices, &before, &mut found, group);
    }
    for (pack, values) in q.iter_mut().zip(&found) {
        pack.set_numbers(values);
    }
}

/// The largest number of steps, of all lanes. Returns which lanes have converged with H positive definite in every step.
struct MoreIterations<'a, S: Simd> {
    a: &'a Matrices<S>,
    q: &'a mut Quaternions<S>,
}

impl<T: Simd> WithSimd for MoreIterations<'_, T> {
    type Output = [bool; LINE];

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Self::Output {
        let simd = self.q[0].simd;
        let (mut excess, mut minor) = (Pack::splat(simd, 0.0), Pack::splat(simd, f32::MAX));
        for _ in 0..ITERATIONS {
            let r = rotation_matrices(self.q);
            let (last, smallest) = newton(self.a, &r, self.q);
            (excess, minor) = (last, minor.min(smallest));
        }
        let (excess, minor) = (excess.numbers(), minor.numbers());
        std::array::from_fn(|k| excess[k] <= 0.0 && minor[k] > MIN_MINOR)
    }
}

/// Four lanes by the iteration in double precision, from the rotations before.
fn in_double_precision(
    matrices: &[[f32; LINE]; 9],
    before: &[[f32; LINE]; 4],
    found: &mut [[f32; LINE]; 4],
    group: [usize; LANES],
) {
    let wide = |numbers: &[f32; LINE]| Lanes(group.map(|k| f64::from(numbers[k])));
    let matrices: double::Matrices = std::array::from_fn(|c| wide(&matrices[c]));
    let mut rotated: double::Quaternions = std::array::from_fn(|c| wide(&before[c]));
    let size = matrices.iter().fold(Lanes::ZERO, |sum, x| sum + x.abs());
    let tiny = size * Lanes::splat(NOISE) + Lanes::splat(TINY);
    let _ = double::refine_rotations(&matrices, tiny, &mut rotated);
    for (found, rotated) in found.iter_mut().zip(&rotated) {
        for (k, value) in group.into_iter().zip(rotated.0) {
            found[k] = value as f32;
        }
    }
}
