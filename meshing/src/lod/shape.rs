//! What a surface is made of: components and handles.

use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::{UnionFind, topology};

/// Components of the input below this share of its volume do not count.
const CRUMB: f64 = 0.02;

/// Topology of a closed surface in two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Edge-connected components.
    pub components: usize,
    /// Handles of all components together; 0 where it means nothing (open or not manifold).
    pub genus: i64,
}

impl Shape {
    /// Examines a surface. Cost O(n log n).
    pub fn of(surface: &SurfaceMesh) -> Self {
        let found = topology(surface);
        Self {
            components: found.components,
            genus: found.genus().unwrap_or(0),
        }
    }
}

/// Components of a surface that hold at least [`CRUMB`] of its volume; at least one.
pub(super) fn significant_components(surface: &SurfaceMesh) -> usize {
    let mut sets = UnionFind::new(surface.vertex_count());
    for t in &surface.triangles {
        sets.join(t[0], t[1]);
        sets.join(t[0], t[2]);
    }
    let mut volumes = vec![0.0; surface.vertex_count()];
    let origin = surface.bounds().center();
    for (t, triangle) in surface.triangles.iter().enumerate() {
        let [a, b, c] = surface.corners(t).map(|x| x - origin);
        volumes[sets.find(triangle[0]) as usize] += a.dot(&b.cross(&c)) / 6.0;
    }
    let limit = CRUMB * volumes.iter().sum::<f64>().abs();
    volumes.iter().filter(|v| v.abs() > limit).count().max(1)
}
