//! On which side of a blade a node stays while the blade passes.
//!
//! A node in the plane of a blade could change sides between frames. Then its edges would be cut on both sides, which separates it, or on none, which
//! keeps the sides connected. So it keeps its first side until the blade is away: while edges are tested, the node is placed on that side, a little beside the plane.

use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;

use crate::model::node_vectors;

/// Least distance from the plane of a node on the side that it keeps, a share of the spacing of nodes.
const CLEARANCE: f64 = 0.02;
/// Distance from the plane within which a node keeps its side, a share of the spacing of nodes. Farther nodes do not change sides by vibration.
const NEAR_DISTANCE: f64 = 0.25;
/// Cosine of the angle within which two planes count as one.
const MIN_PLANE_COSINE: f64 = 0.7;

/// A node with its side.
#[derive(Debug, Clone, Copy, PartialEq)]
struct KeptSide {
    node: u32,
    /// from the plane of the blade to the side of the node, unit
    side: Vec3,
    /// whether a blade is near in this frame
    is_near: bool,
}

/// Nodes that keep their side, ascending.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct KeptSides(Vec<KeptSide>);

impl KeptSides {
    /// Decides on which side of a plane (a point in it, m, and its unit normal) the nodes are whose positions at the beginning of the frame lie in `bounds`. Moves their positions
    /// at its beginning and end, `from` and `to` (m), to the side that they keep. Cost: some nanoseconds a node.
    pub fn apply(
        &mut self,
        (point, normal): (Vec3, Vec3),
        bounds: &Aabb,
        spacing: f64,
        [from, to]: [&mut [Vec3]; 2],
    ) {
        let near = NEAR_DISTANCE * spacing;
        let old_count = self.0.len();
        for (n, (from, to)) in from.iter_mut().zip(to).enumerate() {
            if !bounds.contains(from) {
                continue;
            }
            let height = |x: &Vec3| normal.dot(&(x - point));
            let node = n as u32;
            let first = self.0[..old_count].partition_point(|kept| kept.node < node);
            let own = self.0[first..old_count].iter_mut();
            let same_plane = |kept: &&mut KeptSide| kept.side.dot(&normal).abs() > MIN_PLANE_COSINE;
            let side = match own.take_while(|kept| kept.node == node).find(same_plane) {
                Some(kept) => {
                    kept.is_near = true;
                    kept.side.dot(&normal).signum()
                }
                None if height(from).abs() <= near => {
                    let side = if height(from) < 0.0 { -1.0 } else { 1.0 };
                    self.0.push(KeptSide {
                        node,
                        side: normal * side,
                        is_near: true,
                    });
                    side
                }
                None => continue,
            };
            // a node that has crossed the plane is not moved
            if side * height(from) < -near {
                continue;
            }
            for x in [from, to] {
                let missing = CLEARANCE * spacing - side * height(x);
                if missing > 0.0 {
                    *x += normal * (side * missing);
                }
            }
        }
        self.0.sort_unstable_by(|a, b| {
            let by_node = a.node.cmp(&b.node);
            by_node.then_with(|| a.side.x.total_cmp(&b.side.x))
        });
    }

    /// Drops the sides of nodes that no blade was near since the last call.
    pub fn drop_distant(&mut self) {
        self.0.retain(|kept| kept.is_near);
        for kept in &mut self.0 {
            kept.is_near = false;
        }
    }

    /// Drops all sides.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Numbers that [`KeptSides::restored`] takes.
    pub fn save(&self, values: &mut Vec<f64>) {
        node_vectors::save(self.0.iter().map(|kept| (kept.node, kept.side)), values);
    }

    /// The sides at the end of these numbers, and what is left of them before; `None` where there are none.
    pub fn restored(values: &[f64]) -> Option<(Self, &[f64])> {
        let (sides, rest) = node_vectors::restored(values)?;
        let sides = sides.map(|(node, side)| KeptSide {
            node,
            side,
            is_near: false,
        });
        Some((Self(sides.collect()), rest))
    }
}
