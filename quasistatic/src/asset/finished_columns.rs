//! Finished columns of a bake, for [`GreensAsset::insert`](crate::GreensAsset::insert).

use pliant_core::math::Mat3;

use crate::asset::inside::StressRow;

/// Columns of some consecutive free boundary nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedColumns {
    /// The first of the nodes.
    pub first_node: u32,
    /// Three columns a node with three numbers for each free boundary node, m/N; not made symmetric.
    pub values: Vec<f64>,
    /// For each support its reaction to a unit force on each of the nodes; empty where the body without columns has it already.
    pub reactions: Vec<Vec<Mat3>>,
    /// For each point inside its rows for these nodes; empty where the body without columns has them already.
    pub inside: Vec<PointRows>,
}

/// Rows of a point inside for some consecutive free boundary nodes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PointRows {
    /// Displacement of the point for a force on each node, m/N.
    pub displacement: Vec<Mat3>,
    /// Stress at the point for a force on each node, Pa/N.
    pub stress: Vec<StressRow>,
}
