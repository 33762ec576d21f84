//! Search for balls near a point, in a grid whose occupied cells are sorted by number.

use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;

/// Bits of a cell's number along each axis.
const BITS: u32 = 21;

/// Balls sorted into cells whose width is at least the search radius. Keeps its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct BallGrid {
    /// corner of the grid, m
    origin: Vec3,
    /// 1/m
    inverse_width: f64,
    /// number of the cell, ball and position (m)
    sorted: Vec<(u64, u32, Vec3)>,
}

impl BallGrid {
    /// Sorts other `balls` (with their positions, m) into cells of `width` metres. They lie within `bounds`, or far from all places of searches.
    pub fn build(&mut self, bounds: &Aabb, width: f64, balls: impl Iterator<Item = (u32, Vec3)>) {
        self.origin = bounds.min.add_scalar(-width);
        self.inverse_width = 1.0 / width;
        let mut sorted = std::mem::take(&mut self.sorted);
        sorted.clear();
        sorted.extend(balls.map(|(ball, x)| (cell_number(&self.cell(&x)), ball, x)));
        sorted.sort_unstable_by_key(|(cell, ball, _)| (*cell, *ball));
        self.sorted = sorted;
    }

    /// The cell of a `position`; positions outside of the grid count as in its outermost cells.
    fn cell(&self, position: &Vec3) -> [u64; 3] {
        let last = ((1_u64 << BITS) - 2) as f64;
        let r = (position - self.origin) * self.inverse_width;
        [0, 1, 2].map(|k| r[k].clamp(1.0, last) as u64)
    }

    /// Calls `f` with each ball within `radius` (m, at most the width of a cell) of a place, and its distance (m), in an order that depends on positions and numbers only.
    pub fn visit(&self, center: &Vec3, radius: f64, mut f: impl FnMut(u32, f64)) {
        let [x, y, z] = self.cell(center);
        for k in z - 1..=z + 1 {
            for j in y - 1..=y + 1 {
                let (first, last) = (cell_number(&[x - 1, j, k]), cell_number(&[x + 1, j, k]));
                let from = self.sorted.partition_point(|b| b.0 < first);
                let row = self.sorted[from..].iter().take_while(|b| b.0 <= last);
                for (_, ball, position) in row {
                    let distance = (position - center).norm();
                    if distance <= radius {
                        f(*ball, distance);
                    }
                }
            }
        }
    }
}

/// Number of a cell by which cells are sorted: those of a row follow each other.
fn cell_number([x, y, z]: &[u64; 3]) -> u64 {
    z << (2 * BITS) | y << BITS | x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_balls_within_the_radius_are_visited_once() {
        let points: Vec<Vec3> = (0..300)
            .map(|k| {
                let t = f64::from(k);
                Vec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin()) * 2.0
            })
            .collect();
        let mut grid = BallGrid::default();
        let radius = 0.35;
        for _ in 0..2 {
            let balls = (0..).zip(points.iter().copied());
            grid.build(&Aabb::of_points(&points), radius, balls);
            for point in &points {
                let center = point * 1.02;
                let mut visited = Vec::new();
                grid.visit(&center, radius, |k, _| visited.push(k as usize));
                visited.sort_unstable();
                let within = |k: &usize| (points[*k] - center).norm() <= radius;
                let all: Vec<usize> = (0..points.len()).filter(within).collect();
                assert_eq!(visited, all);
            }
        }
    }
}
