//! Tetrahedral meshes without nodes that no tetrahedron uses.

use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;

/// The mesh of `tets` with those of `nodes` (m) that they use, in their order, and the former number of each.
pub(crate) fn with_used_nodes(nodes: &[Vec3], mut tets: Vec<[u32; 4]>) -> (TetMesh, Vec<u32>) {
    let mut used: Vec<u32> = tets.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    let mut number = vec![0; nodes.len()];
    for (new, &old) in (0_u32..).zip(&used) {
        number[old as usize] = new;
    }
    for v in tets.iter_mut().flatten() {
        *v = number[*v as usize];
    }
    let nodes = used.iter().map(|&v| nodes[v as usize]).collect();
    (TetMesh { nodes, tets }, used)
}
