//! The closest point on each of the triangles around a contact point, eight triangles at a time.
//!
//! There are no branches, so that the compiler uses vector instructions. Of each triangle the closest points of its three edges and of its plane are computed; of these the nearest
//! that lies on the triangle counts. Everything is relative to the common corner. The readable version is
//! [`closest_point_on_triangle`](pliant_core::math::barycentric::closest_point_on_triangle).

use pulp::{Simd, WithSimd};

use pliant_core::math::Vec3;
use pliant_core::simd::arch;

/// Triangles that are computed together.
pub(crate) const LANES: usize = 8;

/// Squared sine of the angle at the common corner below which a triangle is degenerate: only its edges count.
const MIN_SQUARED_SINE: f64 = 1e-12;

type Lane = [f64; LANES];

/// Closest points on eight triangles.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FanBlock {
    /// squared distance, m²; exact to 1e-15 of the squared distance of the common corner
    pub squared: Lane,
    /// weights of the second and the third corner
    pub weights: [Lane; 2],
}

impl FanBlock {
    /// Of the triangles made by point `center` and the pairs `ring` of points (eight at most, others are left out), for the point `x`.
    pub fn closest(points: &[Vec3], center: usize, ring: &[[u32; 2]], x: &Vec3) -> Self {
        let mut block = Self::default();
        arch().dispatch(Closest {
            points,
            center,
            ring,
            x,
            block: &mut block,
        });
        block
    }

    /// Squared distance (m²) of triangle `lane`, and the weights of its second and third corner.
    #[inline(always)]
    pub fn place(&self, lane: usize) -> (f64, [f64; 2]) {
        let [second, third] = &self.weights;
        (self.squared[lane], [second[lane], third[lane]])
    }
}

struct Closest<'a> {
    points: &'a [Vec3],
    center: usize,
    ring: &'a [[u32; 2]],
    x: &'a Vec3,
    block: &'a mut FanBlock,
}

impl WithSimd for Closest<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let origin = self.points[self.center];
        let p = self.x - origin;
        let (mut b, mut c) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
        for (l, ring) in self.ring.iter().take(LANES).enumerate() {
            let (to_b, to_c) = (
                self.points[ring[0] as usize] - origin,
                self.points[ring[1] as usize] - origin,
            );
            for k in 0..3 {
                b[k][l] = to_b[k];
                c[k][l] = to_c[k];
            }
        }
        let pp = p.x * p.x + p.y * p.y + p.z * p.z;
        let FanBlock {
            squared,
            weights: [second, third],
        } = self.block;
        for l in 0..LANES {
            let (bx, by, bz) = (b[0][l], b[1][l], b[2][l]);
            let (cx, cy, cz) = (c[0][l], c[1][l], c[2][l]);
            let (pb, pc) = (
                bx * p.x + by * p.y + bz * p.z,
                cx * p.x + cy * p.y + cz * p.z,
            );
            let (bb, cc) = (bx * bx + by * by + bz * bz, cx * cx + cy * cy + cz * cz);
            let bc = bx * cx + by * cy + bz * cz;
            // along the two edges of the common corner
            let (v, w) = (share(pb, bb), share(pc, cc));
            let (on_b, on_c) = (v * (v * bb - 2.0 * pb), w * (w * cc - 2.0 * pc));
            // and the edge across
            let t = share(pc - pb - bc + bb, bb - 2.0 * bc + cc);
            let s = 1.0 - t;
            let across = s * (s * bb - 2.0 * pb) + t * (t * cc - 2.0 * pc) + 2.0 * s * t * bc;
            let (mut best, mut at_b, mut at_c) = (on_b, v, 0.0);
            let better = on_c < best;
            best = if better { on_c } else { best };
            at_b = if better { 0.0 } else { at_b };
            at_c = if better { w } else { at_c };
            let better = across < best;
            best = if better { across } else { best };
            at_b = if better { s } else { at_b };
            at_c = if better { t } else { at_c };
            // in the plane, where that is on the triangle
            let determinant = bb * cc - bc * bc;
            let inverse = 1.0 / positive(determinant);
            let (v, w) = ((cc * pb - bc * pc) * inverse, (bb * pc - bc * pb) * inverse);
            let least = if v < w { v } else { w };
            let rest = 1.0 - v - w;
            let least = if least < rest { least } else { rest };
            let inside = -(v * pb + w * pc);
            let in_plane = if least >= 0.0 { inside } else { f64::INFINITY };
            let in_plane = if determinant > MIN_SQUARED_SINE * bb * cc {
                in_plane
            } else {
                f64::INFINITY
            };
            let better = in_plane < best;
            best = if better { in_plane } else { best };
            at_b = if better { v } else { at_b };
            at_c = if better { w } else { at_c };
            let d = pp + best;
            squared[l] = if d > 0.0 { d } else { 0.0 };
            second[l] = at_b;
            third[l] = at_c;
        }
    }
}

#[inline(always)]
fn positive(value: f64) -> f64 {
    if value > f64::MIN_POSITIVE {
        value
    } else {
        f64::MIN_POSITIVE
    }
}

/// `part / whole` between 0 and 1; 0 without a whole.
#[inline(always)]
fn share(part: f64, whole: f64) -> f64 {
    let t = part / positive(whole);
    let t = if t > 0.0 { t } else { 0.0 };
    if t < 1.0 { t } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::math::barycentric::closest_point_on_triangle;

    #[test]
    fn eight_triangles_at_once_agree_with_the_readable_version() {
        let number = |k: u32, f: f64| (f64::from(k) * f).sin();
        let point = |k: u32| Vec3::new(number(k, 12.9), number(k, 78.2), number(k, 37.7));
        for round in 0..400 {
            let mut points: Vec<Vec3> = (0..17).map(|k| point(round * 31 + k)).collect();
            // flat, needle-like and empty triangles as well
            points[3] = points[0] * 0.5 + points[4] * 0.5;
            points[5] = points[0];
            points[8] = points[7];
            if round % 3 == 0 {
                points.iter_mut().for_each(|p| p.y *= 1e-9);
            }
            let x = point(round * 7 + 5) * (0.1 + 0.01 * f64::from(round % 100));
            let ring: Vec<[u32; 2]> = (0..8).map(|k| [2 * k + 1, 2 * k + 2]).collect();
            let block = FanBlock::closest(&points, 0, &ring, &x);
            for (l, [b, c]) in ring.iter().enumerate() {
                let corners = [points[0], points[*b as usize], points[*c as usize]];
                let (at, _) = closest_point_on_triangle(&x, corners);
                let distance = (x - at).norm();
                let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
                let nearer = distance * distance - block.squared[l];
                // the readable version is inexact on needles
                if normal.norm() > 1e-6 {
                    assert!(nearer.abs() < 1e-13, "{round} {l} {nearer}");
                }
                let (v, w) = (block.weights[0][l], block.weights[1][l]);
                assert!(v >= 0.0 && w >= 0.0 && v + w <= 1.0 + 1e-12);
                let here =
                    corners[0] + (corners[1] - corners[0]) * v + (corners[2] - corners[0]) * w;
                let off = (x - here).norm_squared() - block.squared[l];
                assert!(off.abs() < 1e-13, "{round} {l} {off}");
            }
        }
    }
}
