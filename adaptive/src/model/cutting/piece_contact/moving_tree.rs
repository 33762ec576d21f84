//! Which triangles a point may meet within a frame: a tree over positions, velocities and normals of triangles.

use pliant_core::math::Vec3;

/// Largest number of triangles of a leaf.
const MAX_LEAF_TRIANGLES: usize = 4;
/// Bits of a coordinate in the Morton order of triangles.
const COORDINATE_BITS: u32 = 10;
/// Components of a vector with one for padding.
const WIDTH: usize = 4;
const LANES: usize = 3 * WIDTH;

/// A triangle at the beginning of a frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct MovingTriangle {
    /// m
    pub corners: [Vec3; 3],
    /// m/s
    pub velocity: Vec3,
    /// outwards, unit
    pub normal: Vec3,
}

/// A point for which triangles are searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct QueryPoint {
    /// m
    pub at: Vec3,
    /// m/s
    pub velocity: Vec3,
    /// outwards, unit
    pub normal: Vec3,
    /// a piece whose triangles are left out
    pub excluded_piece: Option<u32>,
}

/// How far the search goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct SearchRange {
    /// s
    pub duration: f64,
    /// distance that is always searched, m
    pub margin: f64,
    /// least distance that is searched, m
    pub min_reach: f64,
    /// largest closing distance within the frame that is added to the margin, m
    pub max_closing: f64,
    /// largest cosine between the normals of a point and a triangle that face each other
    pub max_cosine: f64,
}

/// Bounds of positions, velocities and normals of some triangles. Single precision is enough: triangles are tested in double.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    low: [f32; LANES],
    high: [f32; LANES],
}

/// A complete binary tree over triangles, sorted by piece, then by direction of the normal, then by position at rest. The two sides of a cut
/// have the same position at rest and move apart, so that piece and direction come first.
#[derive(Debug, Clone)]
pub(super) struct MovingTree {
    /// triangles with their pieces, in the order of leaves
    order: Vec<(u32, u32)>,
    /// for each node the piece of its triangles, if they have but one
    pieces: Vec<Option<u32>>,
    /// the root first; the children of `k` are `2 k + 1` and `2 k + 2`
    nodes: Vec<Bounds>,
    /// a power of two
    leaves: usize,
}

impl MovingTree {
    /// Over triangles with their piece, and their centroid (m) and normal at rest. Cost: that of sorting them.
    pub fn new(triangles: impl Iterator<Item = (u32, u32, Vec3, Vec3)> + Clone) -> Self {
        let (mut low, mut high) = (Vec3::repeat(f64::MAX), Vec3::repeat(f64::MIN));
        for (_, _, middle, _) in triangles.clone() {
            low = low.inf(&middle);
            high = high.sup(&middle);
        }
        let size = (high - low).max().max(f64::MIN_POSITIVE);
        let cells = f64::from((1_u32 << COORDINATE_BITS) - 1) / size;
        let key = |(triangle, piece, middle, normal): (u32, u32, Vec3, Vec3)| {
            let place = (middle - low).map(|x| (x * cells) as u32);
            (
                piece,
                nearest_axis_direction(&normal),
                interleaved(place),
                triangle,
            )
        };
        let mut keys: Vec<_> = triangles.map(key).collect();
        keys.sort_unstable();
        let leaves = keys.len().div_ceil(MAX_LEAF_TRIANGLES).next_power_of_two();
        let mut tree = Self {
            order: keys.into_iter().map(|key| (key.3, key.0)).collect(),
            pieces: vec![None; 2 * leaves - 1],
            nodes: vec![Bounds::NONE; 2 * leaves - 1],
            leaves,
        };
        let first = leaves - 1;
        for leaf in 0..leaves {
            let piece = match tree.leaf(leaf) {
                // pieces ascend
                [(_, a), .., (_, b)] if a != b => None,
                [(_, piece), ..] => Some(*piece),
                [] => None,
            };
            tree.pieces[first + leaf] = piece;
        }
        for k in (0..first).rev() {
            let [a, b] = [1, 2].map(|child| tree.pieces[2 * k + child]);
            tree.pieces[k] = a.filter(|_| a == b);
        }
        tree
    }

    /// The triangles of a leaf, with their pieces.
    fn leaf(&self, leaf: usize) -> &[(u32, u32)] {
        let at = |leaf: usize| leaf * self.order.len() / self.leaves;
        &self.order[at(leaf)..at(leaf + 1)]
    }

    /// Updates the bounds to the present triangles. Allocates nothing.
    pub fn refit(&mut self, now: impl Fn(u32) -> MovingTriangle) {
        let first = self.leaves - 1;
        for leaf in 0..self.leaves {
            let all = self.leaf(leaf).iter();
            let bounds = all.fold(Bounds::NONE, |bounds, (t, _)| bounds.with(&now(*t)));
            self.nodes[first + leaf] = bounds;
        }
        for k in (0..first).rev() {
            self.nodes[k] = self.nodes[2 * k + 1].union(&self.nodes[2 * k + 2]);
        }
    }

    /// Calls `visit` for the triangles that a point may meet, and some others, always in the same order. Returns the number of visited nodes.
    pub fn visit_near(
        &self,
        point: &QueryPoint,
        range: &SearchRange,
        mut visit: impl FnMut(u32),
    ) -> usize {
        let [at, velocity, normal] = [&point.at, &point.velocity, &point.normal]
            .map(|v| [v.x as f32, v.y as f32, v.z as f32]);
        let [duration, margin, min_reach, max_closing, max_cosine] = [
            range.duration,
            range.margin,
            range.min_reach,
            range.max_closing,
            range.max_cosine,
        ]
        .map(|x| x as f32);
        let reach = |closing: f32| (margin + closing.min(max_closing)).max(min_reach);
        let max_reach = reach(max_closing);
        let mut stack = [0_u32; 64];
        let (mut top, mut visited_nodes) = (1, 0);
        while top > 0 {
            top -= 1;
            visited_nodes += 1;
            let k = stack[top] as usize;
            let node = &self.nodes[k];
            // the most expensive test comes last; NaN is not near
            let is_excluded =
                point.excluded_piece.is_some() && self.pieces[k] == point.excluded_piece;
            let may_meet = !is_excluded
                && node.distance(at) <= max_reach
                && node.least_cosine(normal) <= max_cosine
                && node.distance(at) <= reach(node.closing(velocity) * duration);
            if !may_meet {
                continue;
            }
            match k.checked_sub(self.leaves - 1) {
                Some(leaf) => {
                    let all = self.leaf(leaf).iter();
                    let others = all.filter(|(_, piece)| Some(*piece) != point.excluded_piece);
                    others.for_each(|(t, _)| visit(*t));
                }
                None => {
                    stack[top] = 2 * k as u32 + 2;
                    stack[top + 1] = 2 * k as u32 + 1;
                    top += 2;
                }
            }
        }
        visited_nodes
    }
}

impl Bounds {
    const NONE: Self = Self {
        low: [f32::INFINITY; LANES],
        high: [f32::NEG_INFINITY; LANES],
    };

    fn with(self, triangle: &MovingTriangle) -> Self {
        let MovingTriangle {
            corners: [a, b, c],
            velocity,
            normal,
        } = triangle;
        let (low, high) = (a.inf(b).inf(c), a.sup(b).sup(c));
        self.union(&Self {
            low: lanes([&low, velocity, normal]),
            high: lanes([&high, velocity, normal]),
        })
    }

    fn union(&self, other: &Self) -> Self {
        let mut all = *self;
        for k in 0..LANES {
            all.low[k] = all.low[k].min(other.low[k]);
            all.high[k] = all.high[k].max(other.high[k]);
        }
        all
    }

    /// Distance of a point from the bounding box, m, along the axis on which it is largest; negative inside.
    fn distance(&self, at: [f32; 3]) -> f32 {
        let along = |k: usize| (self.low[k] - at[k]).max(at[k] - self.high[k]);
        along(0).max(along(1)).max(along(2))
    }

    /// Largest relative speed of a triangle and a point, m/s.
    fn closing(&self, velocity: [f32; 3]) -> f32 {
        let square = |k: usize| {
            let [low, high] = [self.low, self.high].map(|b| (velocity[k] - b[WIDTH + k]).abs());
            low.max(high) * low.max(high)
        };
        (square(0) + square(1) + square(2)).sqrt()
    }

    /// Lower bound of the cosine between a normal and those of the triangles.
    fn least_cosine(&self, normal: [f32; 3]) -> f32 {
        let least = |k: usize| {
            let [low, high] = [self.low, self.high].map(|b| normal[k] * b[2 * WIDTH + k]);
            low.min(high)
        };
        least(0) + least(1) + least(2)
    }
}

fn lanes(vectors: [&Vec3; 3]) -> [f32; LANES] {
    let mut all = [0.0; LANES];
    for (k, v) in vectors.into_iter().enumerate() {
        for i in 0..3 {
            all[WIDTH * k + i] = v[i] as f32;
        }
    }
    all
}

/// Which of the six axis directions is nearest to a vector.
pub(super) fn nearest_axis_direction(normal: &Vec3) -> u32 {
    let axis = normal.iamax();
    2 * axis as u32 + u32::from(normal[axis] > 0.0)
}

/// The interleaved bits of three numbers (Morton 1966): points that are near in space are mostly near in this order.
fn interleaved(place: nalgebra::Vector3<u32>) -> u32 {
    let bits = |k: u32| (0..3).map(move |i| (place[i] >> k & 1) << (3 * k + i as u32));
    (0..COORDINATE_BITS).flat_map(bits).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::math::random::SplitMix64;

    #[test]
    fn no_triangle_that_a_point_may_meet_is_left_out_and_few_others_are_looked_at() {
        let mut random = SplitMix64(7);
        let mut vector = |size: f64| random.vector() * size;
        let all: Vec<MovingTriangle> = (0..500)
            .map(|_| {
                let middle = vector(1.0);
                MovingTriangle {
                    corners: [0; 3].map(|_| middle + vector(0.05)),
                    velocity: vector(2.0),
                    normal: vector(1.0).normalize(),
                }
            })
            .collect();
        // as they were at rest, somewhere else
        let rest: Vec<_> = (0..500)
            .map(|t| (t, t % 3, vector(1.0), vector(1.0)))
            .collect();
        let mut tree = MovingTree::new(rest.iter().copied());
        tree.refit(|t| all[t as usize]);
        let range = SearchRange {
            duration: 0.02,
            margin: 0.05,
            min_reach: 0.06,
            max_closing: 0.04,
            max_cosine: -0.3,
        };
        let (mut met, mut visited) = (0, 0);
        for k in 0..200 {
            let point = QueryPoint {
                at: vector(1.0),
                velocity: vector(2.0),
                normal: vector(1.0).normalize(),
                excluded_piece: [None, Some(1)][k % 2],
            };
            let mut seen = vec![false; all.len()];
            tree.visit_near(&point, &range, |t| {
                assert!(!std::mem::replace(&mut seen[t as usize], true));
                visited += 1;
            });
            for (t, triangle) in all.iter().enumerate() {
                let closing = (point.velocity - triangle.velocity).norm() * range.duration;
                let reach = (range.margin + closing.min(range.max_closing)).max(range.min_reach);
                let is_near = triangle
                    .corners
                    .iter()
                    .any(|x| (x - point.at).amax() < 0.999 * reach);
                let faces = point.normal.dot(&triangle.normal) < range.max_cosine - 1e-6;
                let is_excluded = Some(rest[t].1) == point.excluded_piece;
                assert!(!(is_excluded && seen[t]), "{t}");
                if is_near && faces && !is_excluded {
                    met += 1;
                    assert!(seen[t], "{t}");
                }
            }
        }
        assert!(met > 20, "{met}");
        assert!(visited < 200 * all.len() / 2, "{visited}");
    }

    #[test]
    fn nothing_is_near_where_there_is_nothing() {
        let mut tree = MovingTree::new(std::iter::empty::<(u32, u32, Vec3, Vec3)>());
        tree.refit(|_| unreachable!("no triangle"));
        let point = QueryPoint {
            at: Vec3::zeros(),
            velocity: Vec3::x(),
            normal: Vec3::y(),
            excluded_piece: None,
        };
        let range = SearchRange {
            duration: 1.0,
            margin: 1.0,
            min_reach: 1.0,
            max_closing: 1.0,
            max_cosine: -0.3,
        };
        assert_eq!(tree.visit_near(&point, &range, |_| unreachable!("none")), 1);
    }
}
