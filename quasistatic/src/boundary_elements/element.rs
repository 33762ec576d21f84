//! Integrals of the kernels over one flat triangle with linear shape functions.

use pliant_core::math::{Mat3, Vec3};
use pulp::{Simd, WithSimd};

use super::kernel::Kelvin;
use super::moments::{Moments, TractionFactors, displacement_entries};
use super::quadrature::{
    CORNER_SHAPES, MAX_SUBDIVISIONS, NEAR_RULES, Rule, distance_to_triangle, quarters,
};

/// A triangle of the boundary, normal outwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Triangle {
    /// Corners, counter-clockwise from outside, m.
    pub corners: [Vec3; 3],
    /// Unit normal.
    pub normal: Vec3,
    /// Area, m².
    pub area: f64,
    /// Longest edge, m.
    pub longest: f64,
}

impl Triangle {
    /// The triangle of corners that do not lie on a line.
    pub fn new(corners: [Vec3; 3]) -> Self {
        let [a, b, c] = corners;
        let twice = (b - a).cross(&(c - a));
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        Self {
            corners,
            normal: twice.normalize(),
            area: 0.5 * twice.norm(),
            longest,
        }
    }
}

/// A part of a triangle, far enough from a point for a rule.
pub(super) struct Piece {
    pub triangle: Triangle,
    /// The shape functions of the whole triangle at the corners of the part.
    pub shape: [[f64; 3]; 3],
    /// Index of the rule.
    pub rule: usize,
}

impl Triangle {
    /// The triangle, split into four until each part is far enough from `point` for one of `rules`: the smallest distance over the longest edge first, descending.
    pub(super) fn pieces(&self, point: &Vec3, rules: &[(f64, usize)]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut pending = vec![(*self, CORNER_SHAPES, 0)];
        while let Some((triangle, shape, depth)) = pending.pop() {
            let distance = distance_to_triangle(point, &triangle.corners) / triangle.longest;
            let rule = rules.iter().position(|(from, _)| distance >= *from);
            if rule.is_none() && depth < MAX_SUBDIVISIONS {
                for (corners, shape) in quarters(&triangle.corners, &shape) {
                    let part = Triangle {
                        corners,
                        normal: triangle.normal,
                        area: 0.25 * triangle.area,
                        longest: 0.5 * triangle.longest,
                    };
                    pending.push((part, shape, depth + 1));
                }
                continue;
            }
            pieces.push(Piece {
                triangle,
                shape,
                rule: rule.unwrap_or(rules.len() - 1),
            });
        }
        pieces
    }
}

/// Blocks of one element and one source point: `∫ φ U dΓ` (times μ, m) and `∫ φ T dΓ` for the shape function of each corner, and the surface
/// integral of a unit body force (times μ, m²).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ElementBlocks {
    /// Displacement kernel.
    pub displacement: [Mat3; 3],
    /// Traction kernel.
    pub traction: [Mat3; 3],
    /// Body force.
    pub body_force: Mat3,
}

impl ElementBlocks {
    const ZERO: Self = Self {
        displacement: [Mat3::new(0., 0., 0., 0., 0., 0., 0., 0., 0.); 3],
        traction: [Mat3::new(0., 0., 0., 0., 0., 0., 0., 0., 0.); 3],
        body_force: Mat3::new(0., 0., 0., 0., 0., 0., 0., 0., 0.),
    };

    fn rotated(&self, first: usize) -> Self {
        let mut out = *self;
        for k in 0..3 {
            out.displacement[(first + k) % 3] = self.displacement[k];
            out.traction[(first + k) % 3] = self.traction[k];
        }
        out
    }
}

/// The integrals in readable form: one point of `rule` after the other.
pub fn reference_blocks(
    kelvin: &Kelvin,
    triangle: &Triangle,
    rule: &Rule,
    point: &Vec3,
) -> ElementBlocks {
    let [a, b, c] = triangle.corners;
    let mut out = ElementBlocks::ZERO;
    for (at, weight) in &rule.points {
        let r = a * at[0] + b * at[1] + c * at[2] - point;
        let share = weight * triangle.area;
        let (u, t) = (
            kelvin.displacement(&r),
            kelvin.traction(&r, &triangle.normal),
        );
        for (k, shape) in at.iter().enumerate() {
            out.displacement[k] += u * (share * shape);
            out.traction[k] += t * (share * shape);
        }
        out.body_force += kelvin.body_force(&r, &triangle.normal) * share;
    }
    out
}

/// A rule whose points fill the lanes of vectors, padded with points of zero weight.
#[derive(Debug, Clone)]
pub(super) struct LaneRule {
    shape: [Vec<f64>; 3],
    weighted: [Vec<f64>; 3],
}

/// Lanes of the widest vector.
const MAX_LANES: usize = 8;

impl LaneRule {
    fn new(rule: &Rule) -> Self {
        let count = rule.points.len().next_multiple_of(MAX_LANES);
        let mut out = Self {
            shape: std::array::from_fn(|_| vec![1.0 / 3.0; count]),
            weighted: std::array::from_fn(|_| vec![0.0; count]),
        };
        for (p, (at, weight)) in rule.points.iter().enumerate() {
            for (k, shape) in at.iter().enumerate() {
                out.shape[k][p] = *shape;
                out.weighted[k][p] = weight * shape;
            }
        }
        out
    }
}

/// Rules for points near an element and at its corners.
#[derive(Debug, Clone)]
pub(super) struct NearRules {
    by_distance: [LaneRule; 3],
    corner: LaneRule,
    obtuse_corner: LaneRule,
}

/// Points per side at a corner, and at a corner of more than 120 degrees.
const CORNER_POINTS: (usize, usize) = (6, 10);

impl NearRules {
    pub fn new() -> Self {
        Self {
            by_distance: NEAR_RULES.map(|(_, m)| LaneRule::new(&Rule::collapsed(m))),
            corner: LaneRule::new(&Rule::collapsed(CORNER_POINTS.0)),
            obtuse_corner: LaneRule::new(&Rule::collapsed(CORNER_POINTS.1)),
        }
    }
}

/// Blocks of an element for the source point at its corner `corner`. The traction of the shape function of that corner is left zero, because it follows from rigid motion.
pub(super) struct CornerPass<'a> {
    pub kelvin: Kelvin,
    pub rules: &'a NearRules,
    pub triangle: Triangle,
    pub corner: usize,
}

impl WithSimd for CornerPass<'_> {
    type Output = ElementBlocks;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> ElementBlocks {
        let mut rotated_triangle = self.triangle;
        rotated_triangle.corners.rotate_left(self.corner);
        let [a, b, c] = rotated_triangle.corners;
        let is_obtuse = (b - a).dot(&(c - a)) < -0.5 * (b - a).norm() * (c - a).norm();
        let rule = if is_obtuse {
            &self.rules.obtuse_corner
        } else {
            &self.rules.corner
        };
        let mut blocks = integrate(simd, &self.kelvin, &rotated_triangle, rule, &a);
        blocks.traction[0] = Mat3::zeros();
        blocks.rotated(self.corner)
    }
}

/// Blocks of an element for a source point near it but not on it.
pub(super) struct NearPass<'a> {
    pub kelvin: Kelvin,
    pub rules: &'a NearRules,
    pub triangle: Triangle,
    pub point: Vec3,
}

impl WithSimd for NearPass<'_> {
    type Output = ElementBlocks;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> ElementBlocks {
        let mut out = ElementBlocks::ZERO;
        for piece in self.triangle.pieces(&self.point, &NEAR_RULES) {
            let rule = &self.rules.by_distance[piece.rule];
            let part = integrate(simd, &self.kelvin, &piece.triangle, rule, &self.point);
            for (k, values) in piece.shape.iter().enumerate() {
                for (a, value) in values.iter().enumerate() {
                    out.displacement[a] += part.displacement[k] * *value;
                    out.traction[a] += part.traction[k] * *value;
                }
            }
            out.body_force += part.body_force;
        }
        out
    }
}

#[inline(always)]
fn integrate<S: Simd>(
    simd: S,
    kelvin: &Kelvin,
    triangle: &Triangle,
    rule: &LaneRule,
    point: &Vec3,
) -> ElementBlocks {
    let from = triangle.corners.map(|c| c - point);
    let mut moments = Moments::<S>::zero(simd);
    let (s0, _) = S::as_simd_f64s(&rule.shape[0]);
    let (s1, _) = S::as_simd_f64s(&rule.shape[1]);
    let (s2, _) = S::as_simd_f64s(&rule.shape[2]);
    let (w0, _) = S::as_simd_f64s(&rule.weighted[0]);
    let (w1, _) = S::as_simd_f64s(&rule.weighted[1]);
    let (w2, _) = S::as_simd_f64s(&rule.weighted[2]);
    for p in 0..s0.len() {
        let mut r = [s0[p]; 3];
        for (axis, x) in r.iter_mut().enumerate() {
            let near = simd.mul_f64s(s0[p], simd.splat_f64s(from[0][axis]));
            let near = simd.mul_add_f64s(s1[p], simd.splat_f64s(from[1][axis]), near);
            *x = simd.mul_add_f64s(s2[p], simd.splat_f64s(from[2][axis]), near);
        }
        moments.add(simd, r, [w0[p], w1[p], w2[p]]);
    }
    // each lane has a part of the sum
    let one = simd.splat_f64s(1.0);
    let height = from[0].dot(&triangle.normal);
    let normal = [0, 1, 2].map(|k| simd.splat_f64s(triangle.normal[k]));
    let tractions =
        TractionFactors::new(simd, kelvin.poisson, normal, simd.splat_f64s(height), one);
    let mut out = ElementBlocks::ZERO;
    let mut inverse = 0.0;
    for (k, sums) in moments.sums.iter().enumerate() {
        let u = displacement_entries(simd, kelvin.poisson, sums, one);
        let t = tractions.entries(simd, sums);
        let mut entries = [0.0; 15];
        for (entry, lanes) in entries.iter_mut().zip(u.into_iter().chain(t)) {
            *entry = simd.reduce_sum_f64s(lanes);
        }
        inverse += simd.reduce_sum_f64s(simd.add_f64s(sums[4], simd.add_f64s(sums[7], sums[9])));
        let [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map(|k| entries[k]);
        out.displacement[k] =
            Mat3::new(a, b, c, b, d, e, c, e, f) * (kelvin.displacement_factor() * triangle.area);
        out.traction[k] =
            Mat3::from_row_slice(&entries[6..]) * (-kelvin.traction_factor() * triangle.area);
    }
    let directions = moments.directions.map(|lanes| simd.reduce_sum_f64s(lanes));
    out.body_force = body_force_block(kelvin, triangle, height, inverse, &Vec3::from(directions));
    out
}

/// Surface integral of a unit body force from the sums of `1/R` and `r/R`, m².
pub(super) fn body_force_block(
    kelvin: &Kelvin,
    triangle: &Triangle,
    height: f64,
    inverse: f64,
    directions: &Vec3,
) -> Mat3 {
    (Mat3::identity() * (height * inverse)
        - directions * triangle.normal.transpose() * (0.5 / (1.0 - kelvin.poisson)))
        * (0.125 / std::f64::consts::PI * triangle.area)
}
