//! Which elements act on which nodes, and with which weights.

use crate::hierarchy::Stencils;

/// Elements that act on nodes through ghosts, with these nodes and their weights, and elements that act on their corners alone.
#[derive(Debug, Clone, Default)]
pub(crate) struct ElementCoupling {
    pub(crate) tets: Vec<u32>,
    pub(crate) rows: Stencils,
    /// the nodes of all rows, each once
    pub(crate) nodes: Vec<u32>,
    /// elements without ghosts, and the inertia of each of their corners, kg
    pub(crate) whole: Vec<(u32, f64)>,
}

/// Buffers for all nodes while rates are coupled.
#[derive(Debug, Clone, Default)]
pub(crate) struct NodeWorkspace {
    pub(crate) load: Vec<f64>,
    pub(crate) total: Vec<f64>,
    pub(crate) fastest: Vec<f64>,
    pub(crate) finest: Vec<u8>,
    /// rows of ghosts while the coupling of a cut is found
    pub(crate) row_of: Vec<u32>,
}
