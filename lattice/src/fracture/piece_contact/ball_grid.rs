//! Search for balls near a point: a grid whose occupied cells are sorted by number.

use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;

/// Bits of a cell's number along each axis.
const BITS: u32 = 21;

/// Balls sorted into cells as wide as the search. Keeps its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct BallGrid {
    low: Vec3,
    inverse: f64,
    /// number of the cell, ball and place (m)
    sorted: Vec<(u64, u32, Vec3)>,
}

/// A point and a search radius, m. The radius is at most the width of a cell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Query {
    pub at: Vec3,
    pub radius: f64,
}

impl BallGrid {
    /// Removes all balls. Balls to come lie within `bounds`, or far from all queries. Cells are `cell` metres wide.
    pub fn clear(&mut self, bounds: &Aabb, cell: f64) {
        self.low = bounds.min.add_scalar(-cell);
        self.inverse = 1.0 / cell;
        self.sorted.clear();
    }

    pub fn add(&mut self, ball: u32, at: Vec3) {
        self.sorted.push((number(&self.cell(&at)), ball, at));
    }

    /// Sorts the balls; queries need this.
    pub fn sort(&mut self) {
        self.sorted
            .sort_unstable_by_key(|(cell, ball, _)| (*cell, *ball));
    }

    /// Cell of a place; places beyond the last cells count as in these.
    fn cell(&self, at: &Vec3) -> [u64; 3] {
        let most = ((1_u64 << BITS) - 2) as f64;
        let r = (at - self.low) * self.inverse;
        [0, 1, 2].map(|k| r[k].clamp(1.0, most) as u64)
    }

    /// Calls `f` with each ball within the radius, and its distance (m), in an order that depends on places and numbers only.
    pub fn visit(&self, query: &Query, mut f: impl FnMut(u32, f64)) {
        let [x, y, z] = self.cell(&query.at);
        for k in z - 1..=z + 1 {
            for j in y - 1..=y + 1 {
                let (first, last) = (number(&[x - 1, j, k]), number(&[x + 1, j, k]));
                let from = self.sorted.partition_point(|b| b.0 < first);
                let row = self.sorted[from..].iter().take_while(|b| b.0 <= last);
                for (_, ball, at) in row {
                    let apart = (at - query.at).norm();
                    if apart <= query.radius {
                        f(*ball, apart);
                    }
                }
            }
        }
    }
}

fn number([x, y, z]: &[u64; 3]) -> u64 {
    z << (2 * BITS) | y << BITS | x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_balls_within_the_radius_are_met_once() {
        let points: Vec<Vec3> = (0..300)
            .map(|k| {
                let t = f64::from(k);
                Vec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin()) * 2.0
            })
            .collect();
        let mut grid = BallGrid::default();
        let radius = 0.35;
        for _ in 0..2 {
            grid.clear(&Aabb::of_points(&points), radius);
            for (k, at) in points.iter().enumerate() {
                grid.add(k as u32, *at);
            }
            grid.sort();
            for at in &points {
                let at = at * 1.02;
                let mut met = Vec::new();
                grid.visit(&Query { at, radius }, |k, _| met.push(k as usize));
                met.sort_unstable();
                let within = |k: &usize| (points[*k] - at).norm() <= radius;
                let all: Vec<usize> = (0..points.len()).filter(within).collect();
                assert_eq!(met, all);
            }
        }
    }
}
