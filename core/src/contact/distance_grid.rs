//! A signed distance field on a regular grid.

use crate::contact::custom::unit_gradient;
use crate::math::Vec3;
use crate::math::bounds::Aabb;

/// Cells between a solid and the border of its grid.
const MARGIN: f64 = 2.0;

/// The corners of a regular grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GridLayout {
    /// Corner with the smallest coordinates, m.
    pub origin: Vec3,
    /// Edge of a cell, m.
    pub cell: f64,
    /// Corners along each axis.
    pub corners: [usize; 3],
}

impl GridLayout {
    /// Cells of edge `cell` (m, above zero) around a box, with two cells between box and border.
    pub fn around(bounds: &Aabb, cell: f64) -> Self {
        let cells = bounds
            .size()
            .map(|side| (side / cell).ceil() + 2.0 * MARGIN);
        Self {
            origin: bounds.center() - cells * (0.5 * cell),
            cell,
            corners: [0, 1, 2].map(|axis| (cells[axis] as usize).saturating_add(1)),
        }
    }

    /// Number of all corners.
    pub fn corner_count(&self) -> usize {
        let [x, y, z] = self.corners;
        x.saturating_mul(y).saturating_mul(z)
    }

    /// Position of corner `k`, m; x runs fastest, then y.
    pub fn position(&self, k: usize) -> Vec3 {
        let [x, y, _] = self.corners;
        let indices = [k % x, k / x % y, k / (x * y)];
        self.origin + Vec3::from(indices.map(|n| n as f64)) * self.cell
    }

    /// The box of all corners, m.
    pub fn bounds(&self) -> Aabb {
        let cells = Vec3::from(self.corners.map(|n| n as f64 - 1.0));
        Aabb {
            min: self.origin,
            max: self.origin + cells * self.cell,
        }
    }
}

/// Signed distances of a solid at the corners of a grid, trilinear in between.
///
/// A distance field has the Lipschitz constant 1. Within a cell the error is therefore at most √3/2 of its edge, and where an edge of the grid crosses the zero level, the true
/// surface is at most half a cell away, whatever the surface looks like. Beside a plane there is no error. Where the surface has a radius R of many cells, the error is at most
/// 3/8 of the squared edge over R. An edge or a corner between faces at right angles is off by at most half a cell.
///
/// Memory: four bytes a corner. A query reads the corners of seven cells and allocates nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct DistanceGrid {
    layout: GridLayout,
    /// m, negative inside
    distances: Vec<f32>,
}

impl DistanceGrid {
    /// A grid with the distance of each corner (m, negative inside), in the order of [`GridLayout::position`]. The grid has to reach two cells beyond the solid, as
    /// [`GridLayout::around`] makes it. `None` where the number of distances is not that of the corners, or an axis has fewer than two corners.
    pub fn new(layout: GridLayout, distances: Vec<f32>) -> Option<Self> {
        let fits = layout.corner_count() == distances.len();
        let has_cells = layout.corners.iter().all(|&n| n >= 2);
        (fits && has_cells).then_some(Self { layout, distances })
    }

    /// The corners of the grid.
    pub fn layout(&self) -> &GridLayout {
        &self.layout
    }

    /// The largest depth of a corner inside the solid, m; 0 where no corner is inside.
    pub fn depth(&self) -> f64 {
        let deepest = self.distances.iter().fold(0.0_f32, |most, d| most.max(-d));
        f64::from(deepest)
    }

    /// Signed distance (m, negative inside) of a point and its gradient (unit, pointing out of the solid).
    ///
    /// The gradient comes from differences over a cell, so that it is continuous. Outside of the grid the distance is a lower bound of the true one: the hypotenuse of the distance
    /// to the grid and the distance stored there.
    pub fn signed_distance(&self, x: &Vec3) -> (f64, Vec3) {
        let half = 0.5 * self.layout.cell;
        let inside = self.layout.bounds().inflated(-half);
        let near = x.sup(&inside.min).inf(&inside.max);
        let distance = self.interpolated(&near);
        let gradient = unit_gradient(|x| self.interpolated(x), &near, half);
        let outside = x - near;
        if outside == Vec3::zeros() {
            return (distance, gradient);
        }
        let away = (outside + gradient * distance).try_normalize(0.0);
        (outside.norm().hypot(distance), away.unwrap_or(gradient))
    }

    /// Trilinear interpolation at a point in the grid, m.
    fn interpolated(&self, x: &Vec3) -> f64 {
        let GridLayout {
            origin,
            cell,
            corners,
        } = self.layout;
        let cells = (x - origin) / cell;
        // the last corner belongs to the last cell
        let low = [0, 1, 2].map(|axis| (cells[axis] as usize).min(corners[axis] - 2));
        let [u, v, w] = [0, 1, 2].map(|axis| cells[axis] - low[axis] as f64);
        let along_x = |y: usize, z: usize| {
            let first = ((low[2] + z) * corners[1] + low[1] + y) * corners[0] + low[0];
            let [a, b] = [self.distances[first], self.distances[first + 1]].map(f64::from);
            a + (b - a) * u
        };
        let along_y = |z: usize| {
            let [a, b] = [along_x(0, z), along_x(1, z)];
            a + (b - a) * v
        };
        let [a, b] = [along_y(0), along_y(1)];
        a + (b - a) * w
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(bounds: Aabb, cell: f64, distance: impl Fn(&Vec3) -> f64) -> DistanceGrid {
        let layout = GridLayout::around(&bounds, cell);
        let corners = 0..layout.corner_count();
        let distances = corners.map(|k| distance(&layout.position(k)) as f32);
        DistanceGrid::new(layout, distances.collect()).expect("one for each corner")
    }

    fn cube() -> Aabb {
        Aabb {
            min: Vec3::repeat(-0.5),
            max: Vec3::repeat(0.5),
        }
    }

    fn points() -> impl Iterator<Item = Vec3> {
        (0..300).map(|k| {
            let t = f64::from(k);
            Vec3::new((t * 0.9).sin(), (t * 1.7).cos(), (t * 0.41).sin())
        })
    }

    #[test]
    fn beside_a_plane_distance_and_gradient_are_exact() {
        let normal = Vec3::new(0.48, 0.64, 0.6);
        let grid = sampled(cube(), 0.13, |x| normal.dot(x) - 0.1);
        for x in points().map(|x| x * 0.5) {
            let (distance, gradient) = grid.signed_distance(&x);
            assert!((distance - (normal.dot(&x) - 0.1)).abs() < 1e-6, "{x:?}");
            assert!((gradient - normal).norm() < 1e-5, "{x:?}");
        }
    }

    #[test]
    fn around_a_ball_the_error_is_that_of_its_curvature_and_outside_it_is_a_lower_bound() {
        let cell = 0.05;
        let grid = sampled(cube(), cell, |x| x.norm() - 0.5);
        let bounds = grid.layout().bounds();
        assert!((grid.depth() - 0.5).abs() < cell);
        let (mut inside, mut outside) = (0, 0);
        let near = points().map(|x| x * 0.55);
        for x in near.chain(points().map(|x| x * 1.5)) {
            let exact = x.norm() - 0.5;
            let (distance, gradient) = grid.signed_distance(&x);
            assert!((gradient.norm() - 1.0).abs() < 1e-12);
            if bounds.inflated(-0.5 * cell).contains(&x) && x.norm() > 0.25 {
                // an eighth of the squared edge times the second derivative along each axis, at most 1/r; a corner of the cell is nearer to the middle
                assert!(
                    (distance - exact).abs() < 0.375 * cell * cell / 0.16,
                    "{x:?}"
                );
                assert!((gradient - x.normalize()).norm() < 0.05, "{x:?}");
                inside += 1;
            } else if !bounds.contains(&x) {
                assert!(distance > 0.0 && distance < exact + 2e-3, "{x:?}");
                assert!(gradient.dot(&x.normalize()) > 0.9, "{x:?}");
                outside += 1;
            }
        }
        assert!(inside > 30 && outside > 30, "{inside} {outside}");
    }

    #[test]
    fn distance_and_gradient_are_continuous_across_the_border_of_the_grid() {
        let grid = sampled(cube(), 0.1, |x| x.norm() - 0.5);
        let border = grid.layout().bounds().inflated(-0.05).max.x;
        for y in [-0.6, -0.2, 0.0, 0.3] {
            let at = |x: f64| grid.signed_distance(&Vec3::new(x, y, 0.1));
            let [(a, n), (b, m)] = [at(border - 1e-9), at(border + 1e-9)];
            assert!((a - b).abs() < 1e-8 && (n - m).norm() < 1e-6, "{y}");
        }
        // a point that is not a number has no distance
        let nowhere = grid.signed_distance(&Vec3::repeat(f64::NAN));
        assert!(nowhere.0.is_nan());
    }

    #[test]
    fn distances_that_do_not_fit_the_grid_are_refused() {
        let layout = GridLayout::around(&cube(), 0.5);
        assert_eq!((layout.corners, layout.corner_count()), ([7; 3], 343));
        assert!(DistanceGrid::new(layout, vec![0.0; 342]).is_none());
        let flat = GridLayout {
            corners: [1, 7, 7],
            ..layout
        };
        assert!(DistanceGrid::new(flat, vec![0.0; 49]).is_none());
    }
}
