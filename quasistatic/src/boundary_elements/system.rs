//! The dense boundary relation of a surface.

use crate::greens::table::Table;

/// `H u = G p / μ + g b / μ` at every node of a closed surface, with displacements `u` (m), tractions `p` (Pa) and a constant body force
/// `b` (N/m³). The nodes are the vertices of linear elements, or the centroids of constant ones.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundarySystem {
    /// Number of nodes `n`.
    pub nodes: usize,
    /// `H`, `3n` rows of `3n` numbers.
    pub h: Table<f64>,
    /// `G` times μ, m, `3n` rows of `3n` numbers.
    pub g: Table<f64>,
    /// `g` times μ, m², `3n` rows of three numbers: for unit body forces along x, y and z.
    pub body_force: Vec<f64>,
    /// Area that belongs to the traction of each node, m²: a third of the area of the elements of a vertex, or the area of an element.
    pub areas: Vec<f64>,
}
