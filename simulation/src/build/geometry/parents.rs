//! Which node of a level stands for which nodes of the next finer one.

use pliant_adaptive::hierarchy::geodesic_parents;
use pliant_adaptive::hierarchy::parenting::children;
use pliant_core::asset::{Cancelled, Progress};
use pliant_core::mesh::TetMesh;

/// The Voronoi parent-child map of two neighbouring levels (Debunne et al. 2001, section 2.2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParentChildMap {
    /// For each node of the finer level its parent in the coarser one.
    pub parents: Vec<u32>,
    /// For each node of the coarser level its children in the finer one, ascending.
    pub children: Vec<Vec<u32>>,
}

/// The map between each of `levels`, coarse to fine, and the next.
///
/// # Errors
/// [`Cancelled`] by the owner of `progress`.
pub fn parent_child_maps(
    levels: &[&TetMesh],
    progress: &Progress,
) -> Result<Vec<ParentChildMap>, Cancelled> {
    let map = |pair: &[&TetMesh]| {
        let parents = geodesic_parents(pair[1], pair[0], progress)?.parents;
        let rows = children(&parents, pair[0].nodes.len());
        let children = (0..rows.len()).map(|n| rows.row(n).to_vec()).collect();
        Ok(ParentChildMap { parents, children })
    };
    levels.windows(2).map(map).collect()
}
