//! Tetrahedral meshes without nodes that no tetrahedron uses.

use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;

/// The mesh of `tets` with those of `nodes` (m) that they use, in their order, and the former number of each.
pub(crate) fn with_used_nodes(nodes: &[Vec3], mut tets: Vec<[u32; 4]>) -> (TetMesh, Vec<u32>) {
    // marks take less memory than a sorted list of all corners
    let mut number = vec![u32::MAX; nodes.len()];
    for &v in tets.iter().flatten() {
        number[v as usize] = 0;
    }
    let is_used = |v: &u32| number[*v as usize] == 0;
    let used: Vec<u32> = (0..nodes.len() as u32).filter(is_used).collect();
    for (new, &old) in (0_u32..).zip(&used) {
        number[old as usize] = new;
    }
    for v in tets.iter_mut().flatten() {
        *v = number[*v as usize];
    }
    let nodes = used.iter().map(|&v| nodes[v as usize]).collect();
    (TetMesh { nodes, tets }, used)
}
