//! Boxes that turn with a body. Points outside of them need no search.
//!
//! The axes are those of the rest state, moved by the affine map that fits the contact points best (least squares), and made orthogonal. Any axes would
//! be correct; these make the boxes tight for a body that has turned. Two boxes are apart when a face of one separates them (Gottschalk, Lin and Manocha 1996). The tests of
//! pairs of edges are left out: the tests of single points take their place.

use pulp::{Simd, WithSimd};

use pliant_core::math::{Mat3, Vec3};
use pliant_core::simd::arch;

/// A box around contact points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct OrientedBox {
    axes: [Vec3; 3],
    /// middle along each axis, m
    middle: [f64; 3],
    /// half the extent along each axis, m; negative for no points
    half: [f64; 3],
}

/// Coordinates of points, one list for each axis.
pub(crate) type Lanes = [Vec<f64>; 3];

impl Default for OrientedBox {
    fn default() -> Self {
        Self {
            axes: [Vec3::x(), Vec3::y(), Vec3::z()],
            middle: [0.0; 3],
            half: [f64::NEG_INFINITY; 3],
        }
    }
}

impl OrientedBox {
    /// The box around `points` (m) whose axes follow `map`, the linear part of the motion from rest.
    pub fn of(map: &Mat3, points: &[Vec3]) -> Self {
        let mut found = Self {
            axes: orthogonal(map),
            ..Self::default()
        };
        if points.is_empty() {
            return found;
        }
        for (k, axis) in found.axes.iter().enumerate() {
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for x in points {
                let along = axis.dot(x);
                low = low.min(along);
                high = high.max(along);
            }
            found.middle[k] = 0.5 * (low + high);
            found.half[k] = 0.5 * (high - low);
        }
        found
    }

    /// Whether a face of one of the two keeps them more than `near` (m) apart.
    pub fn is_apart(&self, other: &Self, near: f64) -> bool {
        let is_empty = |b: &Self| b.half.iter().any(|h| *h < 0.0);
        is_empty(self)
            || is_empty(other)
            || self.faces_away(other, near)
            || other.faces_away(self, near)
    }

    fn faces_away(&self, other: &Self, near: f64) -> bool {
        let axes = other.axes.iter().zip(&other.middle);
        let center: Vec3 = axes.map(|(axis, c)| axis * *c).sum();
        let apart = self.axes.iter().zip(&self.middle).zip(&self.half);
        let mut apart = apart.map(|((axis, c), half)| {
            let extents = other.axes.iter().zip(&other.half);
            let reach: f64 = extents.map(|(w, h)| axis.dot(w).abs() * h).sum();
            (axis.dot(&center) - c).abs() - half - reach
        });
        apart.any(|d| d > near)
    }

    /// How far each point is outside of the box along the axis where it is farthest, m; negative inside. Never more than its distance.
    pub fn excess(&self, points: &Lanes, out: &mut Vec<f64>) {
        let count = points.iter().map(Vec::len).min().unwrap_or(0);
        out.resize(count, 0.0);
        arch().dispatch(Excess {
            here: self,
            points,
            out,
        });
    }
}

/// Gram–Schmidt on the columns; the axes of the world where they do not span space.
fn orthogonal(map: &Mat3) -> [Vec3; 3] {
    let [x, y, z] = [Vec3::x(), Vec3::y(), Vec3::z()];
    let (a, b) = (Vec3::from(map.column(0)), Vec3::from(map.column(1)));
    let Some(first) = a.try_normalize(1e-9) else {
        return [x, y, z];
    };
    let Some(second) = (b - first * first.dot(&b)).try_normalize(1e-9) else {
        return [x, y, z];
    };
    [first, second, first.cross(&second)]
}

struct Excess<'a> {
    here: &'a OrientedBox,
    points: &'a Lanes,
    out: &'a mut [f64],
}

impl WithSimd for Excess<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let [x, y, z] = self.points;
        let [u, v, w] = self.here.axes;
        let (middle, half) = (self.here.middle, self.here.half);
        for (((out, x), y), z) in self.out.iter_mut().zip(x).zip(y).zip(z) {
            let a = (u.x * x + u.y * y + u.z * z - middle[0]).abs() - half[0];
            let b = (v.x * x + v.y * y + v.z * z - middle[1]).abs() - half[1];
            let c = (w.x * x + w.y * y + w.z * z - middle[2]).abs() - half[2];
            let ab = if a > b { a } else { b };
            *out = if ab > c { ab } else { c };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Rotation3;

    fn cloud(turn: &Mat3, at: Vec3) -> Vec<Vec3> {
        let point = |k: u32| {
            let t = f64::from(k);
            Vec3::new(
                (t * 0.7).sin(),
                0.3 * (t * 1.3).cos(),
                0.2 * (t * 0.31).sin(),
            )
        };
        (0..50).map(|k| turn * point(k) + at).collect()
    }

    fn lanes(points: &[Vec3]) -> Lanes {
        [0, 1, 2].map(|k| points.iter().map(|x| x[k]).collect())
    }

    #[test]
    fn a_turned_box_is_tight_and_excess_never_exceeds_the_distance() {
        let turn = Rotation3::from_euler_angles(0.4, -0.9, 1.3).into_inner();
        let points = cloud(&turn, Vec3::new(3.0, -2.0, 1.0));
        let tight = OrientedBox::of(&turn, &points);
        for (half, wanted) in tight.half.iter().zip([1.0, 0.3, 0.2]) {
            assert!(*half <= wanted && *half > 0.9 * wanted, "{tight:?}");
        }
        let others = cloud(&Mat3::identity(), Vec3::new(2.5, -1.5, 1.2));
        let mut excess = Vec::new();
        tight.excess(&lanes(&others), &mut excess);
        assert!(excess.iter().any(|e| *e > 0.0) && excess.iter().any(|e| *e < 0.0));
        for (x, e) in others.iter().zip(&excess) {
            assert!(points.iter().all(|y| *e <= (x - y).norm() + 1e-12));
        }
    }

    #[test]
    fn boxes_that_are_apart_have_no_near_points() {
        let mut apart_seen = 0;
        for k in 0..60 {
            let t = f64::from(k);
            let turn = Rotation3::from_euler_angles(t, 2.0 * t, 0.3 * t).into_inner();
            let a = cloud(&turn, Vec3::zeros());
            let b = cloud(
                &turn.transpose(),
                Vec3::new(0.5, 0.5 * t.sin(), 0.5 * t.cos()),
            );
            let (one, two) = (
                OrientedBox::of(&turn, &a),
                OrientedBox::of(&turn.transpose(), &b),
            );
            assert_eq!(one.is_apart(&two, 0.1), two.is_apart(&one, 0.1));
            if one.is_apart(&two, 0.1) {
                apart_seen += 1;
                assert!(a.iter().all(|x| b.iter().all(|y| (x - y).norm() > 0.1)));
            }
        }
        assert!(apart_seen > 5 && apart_seen < 55, "{apart_seen}");
        // nothing is near a body without points
        let nothing = OrientedBox::of(&Mat3::zeros(), &[]);
        assert!(nothing.is_apart(&OrientedBox::of(&Mat3::identity(), &[Vec3::zeros()]), 1.0));
    }
}
