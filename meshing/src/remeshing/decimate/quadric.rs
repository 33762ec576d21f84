//! Quadric error: the sum of squared distances to the planes and points that a vertex represents.

use nalgebra::Cholesky;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::SurfaceMesh;

/// Weight of the points in the search for the best position: just enough to make it unique, since it pulls the surface inwards.
const MINIMISER_POINT_WEIGHT: f64 = 1e-4;

/// `q(x) = xᵀAx - 2bᵀx + c` for the planes (Garland and Heckbert 1997, section 5), and `w|x|² - 2s·x + r` for the points.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Quadric {
    a: Mat3,
    b: Vec3,
    c: f64,
    w: f64,
    s: Vec3,
    r: f64,
}

impl Quadric {
    /// The quadric of each vertex of a surface: the planes of its triangles, with their areas over `divisor` as weights, and its own position, with its nodal area
    /// plus `floor` as weight.
    pub(crate) fn of_vertices(surface: &SurfaceMesh, divisor: f64, floor: f64) -> Vec<Self> {
        let mut all = vec![Self::default(); surface.vertex_count()];
        for (t, triangle) in surface.triangles.iter().enumerate() {
            let vector = surface.area_vector(t);
            let area = vector.norm();
            if area > 0.0 {
                let [corner, ..] = surface.corners(t);
                for &v in triangle {
                    all[v as usize].add_plane(&corner, &(vector / area), area / divisor);
                }
            }
        }
        for (v, area) in surface.nodal_areas().into_iter().enumerate() {
            all[v].add_point(&surface.positions[v], area + floor);
        }
        all
    }

    /// Adds `weight` times the squared distance to the plane through `point` with unit normal `n`.
    pub(crate) fn add_plane(&mut self, point: &Vec3, n: &Vec3, weight: f64) {
        let d = n.dot(point);
        self.a += n * n.transpose() * weight;
        self.b += n * (d * weight);
        self.c += d * d * weight;
    }

    /// Adds `weight` times the squared distance to a point.
    pub(crate) fn add_point(&mut self, point: &Vec3, weight: f64) {
        self.w += weight;
        self.s += point * weight;
        self.r += point.norm_squared() * weight;
    }

    pub(crate) fn sum(&self, other: &Self) -> Self {
        Self {
            a: self.a + other.a,
            b: self.b + other.b,
            c: self.c + other.c,
            w: self.w + other.w,
            s: self.s + other.s,
            r: self.r + other.r,
        }
    }

    /// The cost of a vertex at `x`, where points weigh `point_weight` against the planes.
    pub(crate) fn at(&self, x: &Vec3, point_weight: f64) -> f64 {
        let planes = x.dot(&(self.a * x)) - 2.0 * self.b.dot(x) + self.c;
        let points = self.w * x.norm_squared() - 2.0 * self.s.dot(x) + self.r;
        planes.max(0.0) + point_weight * points.max(0.0)
    }

    /// The position of least cost; `None` where it is not unique.
    pub(crate) fn minimiser(&self) -> Option<Vec3> {
        let matrix = self.a + Mat3::identity() * (MINIMISER_POINT_WEIGHT * self.w);
        Cholesky::new(matrix)
            .map(|factor| factor.solve(&(self.b + self.s * MINIMISER_POINT_WEIGHT)))
    }

    /// The position of least cost in the plane `g · x = k`.
    pub(crate) fn minimiser_in_plane(&self, g: &Vec3, k: f64) -> Option<Vec3> {
        let matrix = self.a + Mat3::identity() * (MINIMISER_POINT_WEIGHT * self.w);
        let factor = Cholesky::new(matrix)?;
        let unconstrained = factor.solve(&(self.b + self.s * MINIMISER_POINT_WEIGHT));
        let along = factor.solve(g);
        let reach = g.dot(&along);
        (reach > 0.0).then(|| unconstrained + along * ((k - g.dot(&unconstrained)) / reach))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_planes_and_a_point_are_measured_and_met() {
        let corner = Vec3::new(0.3, -0.2, 0.7);
        let mut q = Quadric::default();
        for n in [Vec3::x(), Vec3::y(), Vec3::z()] {
            q.add_plane(&corner, &n, 2.0);
        }
        assert!((q.minimiser().expect("three planes meet") - corner).norm() < 1e-14);
        assert!(q.at(&corner, 0.5) < 1e-15);
        let x = corner + Vec3::new(0.1, 0.2, -0.3);
        assert!((q.at(&x, 0.5) - 2.0 * 0.14).abs() < 1e-15);
        q.add_point(&corner, 3.0);
        assert!((q.at(&x, 0.5) - (2.0 + 3.0 * 0.5) * 0.14).abs() < 1e-15);
        assert!((q.minimiser().expect("unique") - corner).norm() < 1e-14);
        let along = Vec3::new(1.0, 2.0, 2.0);
        let inside = q.minimiser_in_plane(&along, 3.0).expect("unique");
        // all directions cost the same here, so it is the nearest point of the plane
        let nearest = corner + along * ((3.0 - along.dot(&corner)) / 9.0);
        assert!((inside - nearest).norm() < 1e-12);
        let mut flat = Quadric::default();
        flat.add_plane(&corner, &Vec3::x(), 1.0);
        assert!(flat.minimiser().is_none());
        // the point decides along the plane
        flat.add_point(&(corner + Vec3::y()), 1.0);
        assert!((flat.minimiser().expect("unique") - corner - Vec3::y()).norm() < 1e-12);
    }
}
