//! The neighbour of each triangle across each of its edges.

use pliant_core::mesh::SurfaceMesh;
use rayon::prelude::*;

use super::cell::NO_NEIGHBOUR;
use crate::repair::steps::weld::equal_positions;

/// For each triangle its neighbour across each edge (corners k and k + 1), or [`NO_NEIGHBOUR`]. Vertices with equal positions count as one. Around an edge
/// with more than two triangles each one's neighbour is the next in a cycle through all.
pub(crate) fn edge_neighbours(surface: &SurfaceMesh) -> Vec<[u32; 3]> {
    let vertex = equal_positions(&surface.positions);
    let mut edges: Vec<(u32, u32, u32, u8)> = surface
        .triangles
        .iter()
        .enumerate()
        .flat_map(|(t, triangle)| {
            let v = triangle.map(|v| vertex[v as usize]);
            [0, 1, 2].map(|k| {
                let (a, b) = (v[k], v[(k + 1) % 3]);
                (a.min(b), a.max(b), t as u32, k as u8)
            })
        })
        .collect();
    edges.par_sort_unstable();
    let mut result = vec![[NO_NEIGHBOUR; 3]; surface.triangles.len()];
    for around in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        if around.len() > 1 {
            for (k, &(_, _, t, edge)) in around.iter().enumerate() {
                result[t as usize][usize::from(edge)] = around[(k + 1) % around.len()].2;
            }
        }
    }
    result
}
