//! Vertex groups on other triangles of the same surface.

use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::surface::{SurfacePoint, VertexGroup};

/// The groups of `surface` among new vertices at these points of it, if they have one: a vertex belongs where the nearest corner of its triangle belongs.
pub(crate) fn groups_at(
    surface: &SurfaceMesh,
    points: impl Iterator<Item = Option<SurfacePoint>>,
) -> Vec<VertexGroup> {
    if surface.groups.is_empty() {
        return Vec::new();
    }
    let corner = |p: SurfacePoint| {
        let heaviest = (0..3).max_by(|&i, &j| p.weights[i].total_cmp(&p.weights[j]));
        Some(surface.triangles[p.triangle as usize][heaviest?])
    };
    let nearest: Vec<Option<u32>> = points.map(|p| p.and_then(corner)).collect();
    let among_new = |group: &VertexGroup| VertexGroup {
        name: group.name.clone(),
        vertices: (0..nearest.len() as u32)
            .filter(|&v| {
                nearest[v as usize].is_some_and(|n| group.vertices.binary_search(&n).is_ok())
            })
            .collect(),
    };
    surface.groups.iter().map(among_new).collect()
}
