//! The zero level of a signed distance as triangles, by naive surface nets (Gibson 1998, *Constrained elastic surface nets*).
//!
//! A grid samples the distance. Each cell that the surface cuts has one vertex: the mean of the points where the surface
//! crosses its edges. Around each such edge of the grid the vertices of the four cells form a quadrilateral. The vertices are
//! then moved onto the surface along the gradient, and get that gradient as normal.

use pliant_core::contact::CustomShape;
use pliant_core::math::Vec3;

/// Smallest and largest number of cells along a side of the grid.
const CELLS: (f64, f64) = (32.0, 96.0);
/// Cells across the diameter of the largest ball inside the shape, within the limits of [`CELLS`].
const CELLS_ACROSS: f64 = 4.0;
/// A cell without a vertex.
const NONE: u32 = u32::MAX;

/// Vertices and triangles of a surface in the shape's own frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct LevelSurface {
    /// Positions, m.
    pub(super) positions: Vec<Vec3>,
    /// Unit outward normals.
    pub(super) normals: Vec<Vec3>,
    /// Vertex triples, counter-clockwise from outside.
    pub(super) triangles: Vec<[u32; 3]>,
}

/// The surface of a shape; nothing where its radii are not positive and finite. Parts much thinner than its largest ball inside may be
/// missing. Cost: one distance for each corner of the grid, at most 10^6.
pub(super) fn zero_level(shape: &CustomShape) -> LevelSurface {
    let (inner, outer) = (shape.inner_radius(), shape.outer_radius());
    if !(inner > 0.0 && outer > 0.0 && outer.is_finite()) {
        return LevelSurface::default();
    }
    // one more cell on each side, so that the surface is closed
    let inside = (CELLS_ACROSS * outer / inner)
        .clamp(CELLS.0, CELLS.1)
        .ceil();
    let edge = 2.0 * outer / inside;
    Grid::new(shape, inside as usize + 2, edge).surface(shape)
}

/// Distances at the corners of a cubic grid around the origin.
struct Grid {
    cells: usize,
    edge: f64,
    distances: Vec<f64>,
}

impl Grid {
    fn new(shape: &CustomShape, cells: usize, edge: f64) -> Self {
        let mut grid = Self {
            cells,
            edge,
            distances: Vec::new(),
        };
        let corners = cells + 1;
        grid.distances = (0..corners.pow(3))
            .map(|k| {
                let at = [k % corners, k / corners % corners, k / corners.pow(2)];
                shape.signed_distance(&grid.position(at)).0
            })
            .collect();
        grid
    }

    fn position(&self, at: [usize; 3]) -> Vec3 {
        let middle = 0.5 * self.cells as f64;
        Vec3::from(at.map(|n| (n as f64 - middle) * self.edge))
    }

    fn distance(&self, [x, y, z]: [usize; 3]) -> f64 {
        let corners = self.cells + 1;
        self.distances[(z * corners + y) * corners + x]
    }

    fn surface(&self, shape: &CustomShape) -> LevelSurface {
        let mut surface = LevelSurface::default();
        let n = self.cells;
        let mut vertex = vec![NONE; n * n * n];
        for (k, slot) in vertex.iter_mut().enumerate() {
            let cell = [k % n, k / n % n, k / (n * n)];
            if let Some(mean) = self.mean_crossing(cell) {
                *slot = surface.positions.len() as u32;
                let (point, normal) = self.onto_surface(shape, mean);
                surface.positions.push(point);
                surface.normals.push(normal);
            }
        }
        let number = |[x, y, z]: [usize; 3]| vertex[(z * n + y) * n + x];
        for axis in 0..3 {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            // edges between four cells; those on the border of the grid are outside of the shape
            for k in 0..n * (n - 1) * (n - 1) {
                let mut low = [0; 3];
                low[axis] = k % n;
                low[u] = 1 + k / n % (n - 1);
                low[v] = 1 + k / (n * (n - 1));
                let mut high = low;
                high[axis] += 1;
                let leaves = self.distance(low) < 0.0;
                if leaves == (self.distance(high) < 0.0) {
                    continue;
                }
                let around = [(1, 1), (0, 1), (0, 0), (1, 0)].map(|(back_u, back_v)| {
                    let mut cell = low;
                    cell[u] -= back_u;
                    cell[v] -= back_v;
                    number(cell)
                });
                let [a, b, c, d] = around;
                surface.triangles.extend(if leaves {
                    [[a, b, c], [a, c, d]]
                } else {
                    [[a, c, b], [a, d, c]]
                });
            }
        }
        surface
    }

    /// Mean of the points where the surface crosses the edges of a cell; `None` where it does not.
    fn mean_crossing(&self, cell: [usize; 3]) -> Option<Vec3> {
        let corner = |k: usize| [0, 1, 2].map(|axis| cell[axis] + (k >> axis & 1));
        let (mut sum, mut count) = (Vec3::zeros(), 0);
        for low in 0..8 {
            for axis in 0..3 {
                if low >> axis & 1 == 1 {
                    continue;
                }
                let [a, b] = [corner(low), corner(low | 1 << axis)];
                let [from, to] = [self.distance(a), self.distance(b)];
                if (from < 0.0) != (to < 0.0) {
                    let part = from / (from - to);
                    sum += self.position(a).lerp(&self.position(b), part);
                    count += 1;
                }
            }
        }
        (count > 0).then(|| sum / f64::from(count))
    }

    /// A point on the surface near `point`, at most half a cell away, and its normal.
    fn onto_surface(&self, shape: &CustomShape, point: Vec3) -> (Vec3, Vec3) {
        let (distance, gradient) = shape.signed_distance(&point);
        let step = distance.clamp(-0.5 * self.edge, 0.5 * self.edge);
        let moved = point - gradient * step;
        (moved, shape.signed_distance(&moved).1)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use pliant_core::contact::SignedDistance;
    use pliant_core::mesh::SurfaceMesh;

    use super::*;

    /// A ring about y.
    #[derive(Debug)]
    struct Ring;

    impl SignedDistance for Ring {
        fn distance(&self, x: &Vec3) -> f64 {
            (x.x.hypot(x.z) - 0.05).hypot(x.y) - 0.01
        }
        fn inner_radius(&self) -> f64 {
            0.01
        }
        fn outer_radius(&self) -> f64 {
            0.06
        }
    }

    /// A shape without a finite size.
    #[derive(Debug)]
    struct Endless;

    impl SignedDistance for Endless {
        fn distance(&self, x: &Vec3) -> f64 {
            x.y
        }
        fn inner_radius(&self) -> f64 {
            f64::INFINITY
        }
        fn outer_radius(&self) -> f64 {
            f64::INFINITY
        }
    }

    #[test]
    fn a_ring_is_closed_and_has_its_volume_and_normals() {
        let ring = zero_level(&CustomShape::new(&Ring));
        let mesh = SurfaceMesh::new(ring.positions.clone(), ring.triangles.clone());
        let exact = 2.0 * PI * 0.05 * PI * 0.01 * 0.01;
        assert!(
            (mesh.volume() / exact - 1.0).abs() < 0.04,
            "{}",
            mesh.volume()
        );
        // a closed surface has three edges for two triangles, each in both directions
        let mut edges: Vec<[u32; 2]> = ring
            .triangles
            .iter()
            .flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]])
            .collect();
        edges.sort_unstable();
        assert!(
            edges
                .iter()
                .all(|[a, b]| edges.binary_search(&[*b, *a]).is_ok())
        );
        for (x, n) in ring.positions.iter().zip(&ring.normals) {
            assert!(Ring.distance(x).abs() < 1e-4);
            assert!((n.norm() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_shape_without_end_is_not_drawn() {
        assert_eq!(
            zero_level(&CustomShape::new(&Endless)),
            LevelSurface::default()
        );
    }
}
