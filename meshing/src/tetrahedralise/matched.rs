//! Which features of the input a tetrahedral mesh follows.

/// The features that a mesh follows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matched {
    /// Nodes put onto corners, sharp edges and tips of the input, ascending.
    pub nodes: Vec<u32>,
    /// Corners, tips and places on sharp edges (0.4 mean edges apart) that are off the boundary because a node there would
    /// have pushed a dihedral angle out of 5 to 170 degrees or the boundary off the surface beside it. Features too small
    /// for the mesh do not count.
    pub refused: usize,
    /// What matching cost, in relaxations of the nodes around one.
    pub(crate) relaxed: usize,
}
