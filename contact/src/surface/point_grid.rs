//! Points sorted into the cells of a uniform grid, to find near ones.

use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;

/// Most cells along a side of a grid; beyond that cells grow.
const MAX_CELLS_PER_SIDE: f64 = 64.0;

/// Points in cells; one empty layer of cells around them.
#[derive(Debug, Clone, Default)]
pub(crate) struct PointGrid {
    low: Vec3,
    inverse: f64,
    dims: [usize; 3],
    /// first entry of each cell in `order`
    starts: Vec<u32>,
    /// points by cell, ascending within a cell, with their positions
    order: Vec<(u32, Vec3)>,
    cells: Vec<u32>,
}

impl PointGrid {
    /// Sorts `points` into cells of at least `cell` metres. Reuses memory.
    pub fn build(&mut self, points: &[Vec3], cell: f64) {
        let bounds = Aabb::of_points(points);
        self.dims = [0; 3];
        self.order.clear();
        if bounds.is_empty() || !bounds.diagonal().is_finite() {
            return;
        }
        let size = bounds.size();
        let cell = cell
            .max(size.max() / MAX_CELLS_PER_SIDE)
            .max(f64::MIN_POSITIVE);
        self.inverse = 1.0 / cell;
        self.low = bounds.min.add_scalar(-cell);
        self.dims = [0, 1, 2].map(|k| (size[k] * self.inverse) as usize + 3);
        let count = self.dims.iter().product::<usize>();
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        self.cells.clear();
        for x in points {
            let at = self.index((x - self.low) * self.inverse);
            self.starts[at + 1] += 1;
            self.cells.push(at as u32);
        }
        for c in 0..count {
            self.starts[c + 1] += self.starts[c];
        }
        self.order.resize(points.len(), (0, Vec3::zeros()));
        for (p, x) in points.iter().enumerate().rev() {
            let at = self.cells[p] as usize;
            // filled from the end, so that the starts are right afterwards
            self.starts[at + 1] -= 1;
            self.order[self.starts[at + 1] as usize] = (p as u32, *x);
        }
        // every start was moved down to the one before it
        for c in 0..count {
            self.starts[c] = self.starts[c + 1];
        }
        self.starts[count] = points.len() as u32;
    }

    fn index(&self, r: Vec3) -> usize {
        let at = |k: usize| (r[k] as usize).min(self.dims[k] - 1);
        (at(2) * self.dims[1] + at(1)) * self.dims[0] + at(0)
    }

    /// Calls `f` with each point in the cells around `x`: all points nearer than a cell are among them, in an order that depends on positions only.
    #[inline]
    pub fn visit(&self, x: &Vec3, mut f: impl FnMut(u32, &Vec3)) {
        let r = (x - self.low) * self.inverse;
        let inside = |k: usize| r[k] >= 0.0 && r[k] < self.dims[k] as f64;
        if !(inside(0) && inside(1) && inside(2)) {
            return;
        }
        let range = |k: usize| {
            let at = r[k] as usize;
            at.saturating_sub(1)..(at + 2).min(self.dims[k])
        };
        let [along_x, along_y, along_z] = [range(0), range(1), range(2)];
        for k in along_z {
            for j in along_y.clone() {
                let row = (k * self.dims[1] + j) * self.dims[0];
                let from = self.starts[row + along_x.start] as usize;
                let to = self.starts[row + along_x.end] as usize;
                for (p, at) in &self.order[from..to] {
                    f(*p, at);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_near_points_are_met_once() {
        let points: Vec<Vec3> = (0..200)
            .map(|k| {
                let t = f64::from(k);
                Vec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin())
            })
            .collect();
        let mut grid = PointGrid::default();
        for _ in 0..2 {
            grid.build(&points, 0.3);
            for x in &points {
                let mut met = Vec::new();
                grid.visit(&(x * 1.05), |p, at| {
                    assert_eq!(points[p as usize], *at);
                    met.push(p);
                });
                met.sort_unstable();
                assert!(met.windows(2).all(|w| w[0] != w[1]));
                for (p, y) in points.iter().enumerate() {
                    if (y - x * 1.05).norm() < 0.3 {
                        assert!(met.contains(&(p as u32)));
                    }
                }
            }
        }
        grid.build(&[], 1.0);
        grid.visit(&Vec3::zeros(), |_, _| panic!("nothing is there"));
    }
}
