//! Tests whether a triangle cuts a cubic cell or only touches its border.

use pliant_core::math::Vec3;

/// How a triangle overlaps a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overlap {
    /// No common point.
    Apart,
    /// Common points on the border of the cell only, up to the tolerance.
    Touching,
    /// Common points well inside the cell.
    Cutting,
}

/// A triangle with its thirteen possible separating axes against a cube, computed once and used for many cells.
pub(crate) struct CellTest {
    corners: [Vec3; 3],
    /// axis, sum of the absolute values of its components
    axes: [(Vec3, f64); 13],
    count: usize,
}

impl CellTest {
    /// Separating axes after Akenine-Möller 2001 (*Fast 3D triangle-box overlap testing*): the three face normals of the cube, the
    /// triangle's plane and the nine products of cube edges and triangle edges.
    pub(crate) fn new(corners: [Vec3; 3]) -> Self {
        let edges = [
            corners[1] - corners[0],
            corners[2] - corners[1],
            corners[0] - corners[2],
        ];
        let size = edges.iter().map(|e| e.amax()).fold(0.0, f64::max);
        let mut test = Self {
            corners,
            axes: [(Vec3::zeros(), 0.0); 13],
            count: 0,
        };
        let units = [Vec3::x(), Vec3::y(), Vec3::z()];
        for unit in units {
            test.push(unit, 0.0);
        }
        // axes that are zero up to rounding separate nothing
        test.push(edges[0].cross(&edges[1]), 1e-13 * size * size);
        for unit in units {
            for edge in edges {
                test.push(unit.cross(&edge), 1e-13 * size);
            }
        }
        test
    }

    fn push(&mut self, axis: Vec3, negligible: f64) {
        let sum = axis.abs().sum();
        if sum > negligible {
            self.axes[self.count] = (axis, sum);
            self.count += 1;
        }
    }

    /// The triangle's normal, not normalised; zero for a triangle without area.
    pub(crate) fn normal(&self) -> Vec3 {
        (self.corners[1] - self.corners[0]).cross(&(self.corners[2] - self.corners[1]))
    }

    /// Tests against the cube of half edge `half` around `center`; `epsilon` (m) is the width of its border on either side.
    pub(crate) fn against(&self, center: &Vec3, half: f64, epsilon: f64) -> Overlap {
        let local = self.corners.map(|c| c - center);
        let mut result = Overlap::Cutting;
        for (axis, sum) in &self.axes[..self.count] {
            let [a, b, c] = local.map(|p| p.dot(axis));
            let reach = a.min(b).min(c).max(-(a.max(b).max(c)));
            if reach > (half + epsilon) * sum {
                return Overlap::Apart;
            }
            if reach >= (half - epsilon) * sum {
                result = Overlap::Touching;
            }
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::math::barycentric::closest_point_on_triangle;

    /// Largest-norm distance from the cube's centre to the triangle, by dense sampling.
    fn chebyshev(corners: [Vec3; 3], center: &Vec3) -> f64 {
        let n = 300;
        let mut best = f64::INFINITY;
        for i in 0..=n {
            for j in 0..=(n - i) {
                let (v, w) = (i as f64 / n as f64, j as f64 / n as f64);
                let p = corners[0] * (1.0 - v - w) + corners[1] * v + corners[2] * w;
                best = best.min((p - center).amax());
            }
        }
        best
    }

    #[test]
    fn agrees_with_dense_sampling_on_random_triangles() {
        let center = Vec3::new(0.1, -0.2, 0.05);
        let mut seen = [0, 0];
        for k in 0..300 {
            let t = f64::from(k);
            let middle =
                Vec3::new((t * 1.7).sin(), (t * 0.9).cos(), (t * 2.3).sin()) * 0.9 + center;
            let corner = |s: f64| {
                middle
                    + Vec3::new(
                        (t * 3.1 + s).sin(),
                        (t * 4.3 + 2.1 * s).cos(),
                        (t * 5.9 + s).sin(),
                    ) * 0.6
            };
            let corners = [corner(0.0), corner(2.0), corner(4.5)];
            let reach = chebyshev(corners, &center);
            if (reach - 0.5).abs() < 0.01 {
                continue;
            }
            let found = CellTest::new(corners).against(&center, 0.5, 1e-6);
            let expected = if reach < 0.5 {
                Overlap::Cutting
            } else {
                Overlap::Apart
            };
            assert_eq!(found, expected, "case {k}, reach {reach}");
            seen[usize::from(reach < 0.5)] += 1;
            let (p, _) = closest_point_on_triangle(&center, corners);
            assert!((p - center).amax() >= reach - 0.01);
        }
        assert!(seen[0] > 30 && seen[1] > 30, "{seen:?}");
    }

    #[test]
    fn a_triangle_in_the_plane_of_a_face_touches_both_neighbours() {
        let corners = [
            Vec3::new(0.5, -2.0, -2.0),
            Vec3::new(0.5, 3.0, -2.0),
            Vec3::new(0.5, -2.0, 3.0),
        ];
        let test = CellTest::new(corners);
        assert_eq!(test.against(&Vec3::zeros(), 0.5, 1e-6), Overlap::Touching);
        assert_eq!(test.against(&Vec3::x(), 0.5, 1e-6), Overlap::Touching);
        assert_eq!(
            test.against(&(Vec3::x() * 0.9), 0.5, 1e-6),
            Overlap::Cutting
        );
        assert_eq!(test.against(&(Vec3::x() * 1.01), 0.5, 1e-6), Overlap::Apart);
    }
}
