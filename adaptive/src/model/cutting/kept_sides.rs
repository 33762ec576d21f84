//! On which side of a blade a node stays while the blade passes.
//!
//! A node in the plane of a blade would tremble from one side to the other between frames. Its edges would be cut on both sides, which makes it a crumb, or on none, which
//! makes it a bridge. So its first side counts until the blade is away: while edges are tested, the node is taken to be there, a little beside the plane.

use pliant_core::contact::cutting::BladeSweep;
use pliant_core::math::Vec3;

/// How far from the plane a node is at least on the side that it keeps, a share of the spacing of nodes.
const CLEARANCE: f64 = 0.02;
/// How near to the plane a node has to be so that it keeps its side, a share of the spacing of nodes. Farther ones do not tremble across.
const NEAR: f64 = 0.25;
/// Cosine of the angle within which two planes count as one.
const PARALLEL: f64 = 0.7;

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
    /// Decides on which side nodes are that a blade comes near, and moves `from` and `to` (m), the places of nodes when the frame begins and ends, to the side that they keep.
    /// `reach` is the length of the longest edge, m. Cost: some nanoseconds a node.
    pub fn apply(
        &mut self,
        sweep: &BladeSweep,
        [spacing, reach]: [f64; 2],
        from: &mut [Vec3],
        to: &mut [Vec3],
    ) {
        let Some((point, normal)) = sweep.plane() else {
            return;
        };
        let near = NEAR * spacing;
        let bounds = sweep.bounds().inflated(1.5 * reach);
        let known = self.0.len();
        for (n, (from, to)) in from.iter_mut().zip(to).enumerate() {
            if !bounds.contains(from) {
                continue;
            }
            let height = |x: &Vec3| normal.dot(&(x - point));
            let node = n as u32;
            let first = self.0[..known].partition_point(|kept| kept.node < node);
            let own = self.0[first..known].iter_mut();
            let same_plane = |kept: &&mut KeptSide| kept.side.dot(&normal).abs() > PARALLEL;
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
            // a node that went through is where it is
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

    /// Forgets the sides of nodes that no blade was near since the last call.
    pub fn forget(&mut self) {
        self.0.retain(|kept| kept.is_near);
        for kept in &mut self.0 {
            kept.is_near = false;
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Numbers that [`KeptSides::restored`] takes: four for each.
    pub fn save(&self, values: &mut Vec<f64>) {
        let numbers = |kept: &KeptSide| [kept.node.into(), kept.side.x, kept.side.y, kept.side.z];
        values.extend(self.0.iter().flat_map(numbers));
        values.push(self.0.len() as f64);
    }

    /// The sides at the end of these numbers, and what is left of them before; `None` where there are none.
    pub fn restored(values: &[f64]) -> Option<(Self, &[f64])> {
        let [rest @ .., count] = values else {
            return None;
        };
        let at = rest.len().checked_sub((*count as usize).checked_mul(4)?)?;
        let (rest, numbers) = rest.split_at(at);
        let is_sound = (*count as usize) as f64 == *count && numbers.iter().all(|n| n.is_finite());
        if !is_sound {
            return None;
        }
        let kept = numbers.chunks_exact(4).map(|n| KeptSide {
            node: n[0] as u32,
            side: Vec3::new(n[1], n[2], n[3]),
            is_near: false,
        });
        Some((Self(kept.collect()), rest))
    }
}
