//! Columns that a bake has finished and that an asset takes in.

use pliant_core::math::Mat3;

use crate::asset::inside::StressRow;

/// Columns of some consecutive free boundary nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedColumns {
    /// The first of the nodes.
    pub first_node: u32,
    /// Three columns a node with three numbers for each free boundary node, m/N; not made symmetric.
    pub values: Vec<f64>,
    /// For each support what it carries of a unit force on each of the nodes; empty where the body without columns knows it already.
    pub shares: Vec<Vec<Mat3>>,
    /// For each point inside its rows for these nodes; empty where the body without columns knows them already.
    pub inside: Vec<PointRows>,
}

/// Rows of a point inside for some consecutive free boundary nodes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PointRows {
    /// Displacement of the point for a force on each node, m/N.
    pub displacement: Vec<Mat3>,
    /// Stress for it, Pa/N.
    pub stress: Vec<StressRow>,
}
