//! The volumes of the components of a closed surface.

use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::UnionFind;

/// For each triangle the number of its component. Numbers are below the number of vertices.
pub(crate) fn component_of_triangle(surface: &SurfaceMesh) -> Vec<u32> {
    let mut sets = UnionFind::new(surface.vertex_count());
    for t in &surface.triangles {
        sets.join(t[0], t[1]);
        sets.join(t[0], t[2]);
    }
    surface.triangles.iter().map(|t| sets.find(t[0])).collect()
}

/// Signed volume of each set of triangles, by the number of the set, m³. Sets without triangles have 0.
pub(crate) fn volumes_of_sets(surface: &SurfaceMesh, set_of_triangle: &[u32]) -> Vec<f64> {
    let count = set_of_triangle.iter().max().map_or(0, |&last| last + 1);
    let mut volumes = vec![0.0; count as usize];
    let origin = surface.bounds().center();
    for (t, &set) in set_of_triangle.iter().enumerate() {
        let [a, b, c] = surface.corners(t).map(|x| x - origin);
        volumes[set as usize] += a.dot(&b.cross(&c)) / 6.0;
    }
    volumes
}
