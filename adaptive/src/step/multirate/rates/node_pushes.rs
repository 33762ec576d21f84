//! Which elements push which nodes, and by how much.

use crate::hierarchy::Stencils;

/// Elements that push nodes through ghosts, with the nodes that each of them moves and the weights of these.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pushes {
    pub(crate) tets: Vec<u32>,
    pub(crate) rows: Stencils,
    /// the nodes of all rows, each once
    pub(crate) nodes: Vec<u32>,
    /// whole elements, and the inertia of a corner of theirs, kg
    pub(crate) whole: Vec<(u32, f64)>,
}

/// Numbers of all nodes while levels are settled.
#[derive(Debug, Clone, Default)]
pub(crate) struct Workspace {
    pub(crate) load: Vec<f64>,
    pub(crate) total: Vec<f64>,
    pub(crate) fastest: Vec<f64>,
    pub(crate) finest: Vec<u8>,
    /// rows of ghosts while a cut is taken over
    pub(crate) row_of: Vec<u32>,
}
