//! Rows that a bake keeps for a support that can be released afterwards.

use pliant_core::math::Mat3;

use crate::asset::inside::PointResponse;

/// A support that can be released, with the stiffness and the reactions of its nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct ReleasableSupport {
    /// Its number.
    pub support: u32,
    /// Boundary vertex of each of its nodes, ascending; nodes inside the body follow them.
    pub vertices: Vec<u32>,
    /// Number `m` of its nodes.
    pub nodes: u32,
    /// Force on node `c` for a unit displacement of node `d` at `d m + c`, N/m.
    pub stiffness: Vec<Mat3>,
    /// Force on node `c` for a unit force on free boundary node `j`, at `c n + j`.
    pub reactions: Vec<Mat3>,
    /// Force on each node for gravity of 1 m/s² along x, y and z (the columns), kg.
    pub gravity: Vec<Mat3>,
    /// Force of support `k` of `s` for a unit displacement of node `c` at `c s + k`, N/m; zero for itself.
    pub others: Vec<Mat3>,
    /// Response of point inside `p` of `q` to a unit displacement of node `c`, at `c q + p`.
    pub points: Vec<PointResponse>,
}

impl ReleasableSupport {
    /// Bytes that the rows take.
    pub(crate) fn bytes(&self) -> usize {
        let blocks = self.stiffness.len() + self.reactions.len() + self.gravity.len();
        72 * (blocks + self.others.len()) + 216 * self.points.len()
    }

    pub(super) fn reaction(&self, node: usize, c: usize) -> &Mat3 {
        &self.reactions[c * (self.reactions.len() / self.nodes as usize) + node]
    }
}
