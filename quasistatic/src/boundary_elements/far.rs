//! Integrals over elements far from several source points at once, by the rule of seven points.
//!
//! The sums of three shape functions do not fit into the registers of a processor. The terms of all seven points are therefore computed first, and then
//! one sum after the other. The rule consists of the centre and two rings of three points. On a ring a shape function has the same value at two points, so that
//! their common part is summed once.

use pliant_core::math::{Mat3, Vec3};
use pulp::Simd;

use super::element::Triangle;
use super::kernel::Kelvin;
use super::moments::{Moments, SUMS, terms};
use super::quadrature::{FAR_DISTANCE, Rule, SURELY_FAR_DISTANCE, distance_to_triangle};

/// Vertices that share a pass over the elements: the lanes of the widest vectors.
pub(super) const BATCH: usize = 8;
/// Points of the far rule.
pub(super) const POINTS: usize = 7;

/// Whether the far rule is accurate enough for the source point `x` and a triangle with this `center`.
#[inline(always)]
pub(super) fn is_far(x: &Vec3, triangle: &Triangle, center: &Vec3) -> bool {
    let sure = SURELY_FAR_DISTANCE * triangle.longest;
    (x - center).norm_squared() > sure * sure
        || distance_to_triangle(x, &triangle.corners) >= FAR_DISTANCE * triangle.longest
}

/// Coordinates of source points, lane by lane.
#[inline(always)]
pub(super) fn coordinates<S: Simd>(points: &[Vec3; BATCH]) -> [S::f64s; 3] {
    [0, 1, 2].map(|axis| {
        let list = points.map(|x| x[axis]);
        S::as_simd_f64s(&list).0[0]
    })
}

/// The normal of a triangle, and the height of its plane above source points along the normal.
#[inline(always)]
pub(super) fn plane<S: Simd>(
    simd: S,
    triangle: &Triangle,
    from: [S::f64s; 3],
) -> ([S::f64s; 3], S::f64s) {
    let normal = [0, 1, 2].map(|k| simd.splat_f64s(triangle.normal[k]));
    let mut height = simd.splat_f64s(triangle.corners[0].dot(&triangle.normal));
    for axis in 0..3 {
        height = simd.sub_f64s(height, simd.mul_f64s(from[axis], normal[axis]));
    }
    (normal, height)
}

/// The far rule, arranged so that common parts are summed once.
#[derive(Debug, Clone, Copy)]
pub(super) struct FarRule {
    /// weight of each point
    weights: [f64; POINTS],
    /// weight times a shape function at the centre
    center: f64,
    /// for each ring: weight times a shape function at the two points of other corners, and the excess at the point of its own corner
    rings: [[f64; 2]; 2],
}

impl FarRule {
    pub fn new() -> Self {
        let rule = Rule::seven_points();
        let mut weights = [0.0; POINTS];
        for (to, (_, weight)) in weights.iter_mut().zip(&rule.points) {
            *to = *weight;
        }
        let ring = |first: usize| {
            let (at, weight) = &rule.points[first];
            [weight * at[1], weight * (at[0] - at[1])]
        };
        Self {
            weights,
            center: weights[0] / 3.0,
            rings: [ring(1), ring(4)],
        }
    }

    /// The sums over an element with these `points` for the source points `from`, m.
    #[inline(always)]
    pub fn moments<S: Simd>(
        &self,
        simd: S,
        from: [S::f64s; 3],
        points: &[Vec3; POINTS],
    ) -> Moments<S> {
        let zero = simd.splat_f64s(0.0);
        let mut out = Moments::<S>::zero(simd);
        let mut all = [[zero; SUMS]; POINTS];
        for p in 0..POINTS {
            let mut r = from;
            for (r, x) in r.iter_mut().zip(&points[p]) {
                *r = simd.sub_f64s(simd.splat_f64s(*x), *r);
            }
            let (terms, inverse) = terms(simd, r);
            all[p] = terms;
            let scaled = simd.mul_f64s(simd.splat_f64s(self.weights[p]), inverse);
            for (sum, r) in out.directions.iter_mut().zip(r) {
                *sum = simd.mul_add_f64s(scaled, r, *sum);
            }
        }
        let [sums_0, sums_1, sums_2] = &mut out.sums;
        let center = simd.splat_f64s(self.center);
        let [[shared_1, own_1], [shared_2, own_2]] =
            self.rings.map(|r| r.map(|x| simd.splat_f64s(x)));
        let sums = sums_0.iter_mut().zip(sums_1).zip(sums_2);
        for (t, ((sum_0, sum_1), sum_2)) in sums.enumerate() {
            let (a, b, c) = (all[1][t], all[2][t], all[3][t]);
            let (d, e, f) = (all[4][t], all[5][t], all[6][t]);
            let ring_1 = simd.add_f64s(simd.add_f64s(a, b), c);
            let ring_2 = simd.add_f64s(simd.add_f64s(d, e), f);
            let shared = simd.mul_add_f64s(ring_1, shared_1, simd.mul_f64s(all[0][t], center));
            let shared = simd.mul_add_f64s(ring_2, shared_2, shared);
            let sum = |near: S::f64s, far: S::f64s| {
                simd.mul_add_f64s(near, own_1, simd.mul_add_f64s(far, own_2, shared))
            };
            *sum_0 = sum(a, d);
            *sum_1 = sum(b, e);
            *sum_2 = sum(c, f);
        }
        out
    }
}

/// The displacement by a constant body force at several source points, summed element by element.
#[derive(Clone, Copy)]
pub(super) struct BodyForces<S: Simd> {
    /// `Σ A h ∫ 1/R`
    heights: S::f64s,
    /// `Σ A ∫ r/R nᵀ`, row by row
    directions: [S::f64s; 9],
}

impl<S: Simd> BodyForces<S> {
    #[inline(always)]
    pub fn zero(simd: S) -> Self {
        let zero = simd.splat_f64s(0.0);
        Self {
            heights: zero,
            directions: [zero; 9],
        }
    }

    /// Adds an element of area `area` (zero for source points near it) at distance `height` along its `normal`.
    #[inline(always)]
    pub fn add(
        &mut self,
        simd: S,
        moments: &Moments<S>,
        height: S::f64s,
        normal: [S::f64s; 3],
        area: S::f64s,
    ) {
        let mut inverse = simd.splat_f64s(0.0);
        for sums in &moments.sums {
            let trace = simd.add_f64s(sums[4], simd.add_f64s(sums[7], sums[9]));
            inverse = simd.add_f64s(inverse, trace);
        }
        let share = simd.mul_f64s(area, height);
        self.heights = simd.mul_add_f64s(share, inverse, self.heights);
        let rows = self.directions.chunks_exact_mut(3);
        for (row, direction) in rows.zip(moments.directions) {
            let direction = simd.mul_f64s(area, direction);
            for (sum, n) in row.iter_mut().zip(normal) {
                *sum = simd.mul_add_f64s(direction, n, *sum);
            }
        }
    }

    /// Galerkin's vector of each source point, as [`super::element::body_force_block`] has it for one element.
    #[inline(always)]
    pub fn blocks(&self, kelvin: &Kelvin) -> [Mat3; BATCH] {
        let mut unpacked = [[0.0; BATCH]; 10];
        S::as_mut_simd_f64s(&mut unpacked[0]).0[0] = self.heights;
        for (list, values) in unpacked[1..].iter_mut().zip(self.directions) {
            S::as_mut_simd_f64s(list).0[0] = values;
        }
        let mut blocks = [Mat3::zeros(); BATCH];
        for (lane, block) in blocks.iter_mut().enumerate() {
            let directions = Mat3::from_fn(|i, j| unpacked[1 + 3 * i + j][lane]);
            *block = (Mat3::identity() * unpacked[0][lane]
                - directions * (0.5 / (1.0 - kelvin.poisson)))
                * (0.125 / std::f64::consts::PI);
        }
        blocks
    }
}
