//! The components of a surface, and the least number of triangles that each may be decimated to.

use std::collections::BTreeMap;

use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::UnionFind;

use crate::repair::steps::weld::used_vertices;

/// Triangles that the base of a component needs without handles, and for each handle.
const COMPONENT_TRIANGLES: usize = 64;
const HANDLE_TRIANGLES: usize = 40;

/// The components of a closed surface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parts {
    /// component of each vertex
    pub(crate) of_vertex: Vec<u32>,
    /// triangles of each component
    pub(crate) triangles: Vec<usize>,
    /// 64 triangles and 40 for each handle, for each component
    pub(crate) min_triangles: Vec<usize>,
}

impl Parts {
    pub(crate) fn of(surface: &SurfaceMesh) -> Self {
        let mut joined = UnionFind::new(surface.vertex_count());
        for &[a, b, c] in &surface.triangles {
            joined.join(a, b);
            joined.join(b, c);
        }
        let used = used_vertices(surface);
        let mut number: BTreeMap<u32, u32> = BTreeMap::new();
        let (mut of_vertex, mut vertices) = (Vec::new(), Vec::new());
        for v in 0..surface.vertex_count() as u32 {
            let next = number.len() as u32;
            let part = *number.entry(joined.find(v)).or_insert(next);
            of_vertex.push(part);
            vertices.resize(number.len(), 0_usize);
            vertices[part as usize] += usize::from(used[v as usize]);
        }
        let mut triangles = vec![0_usize; vertices.len()];
        for &[a, ..] in &surface.triangles {
            triangles[of_vertex[a as usize] as usize] += 1;
        }
        let min_triangles = (vertices.iter().zip(&triangles))
            .map(|(&v, &t)| {
                // V - E + F = V - F/2 = 2 - 2g
                let handles = (2 + t / 2).saturating_sub(v) / 2;
                if t == 0 {
                    0
                } else {
                    COMPONENT_TRIANGLES + HANDLE_TRIANGLES * handles
                }
            })
            .collect();
        Self {
            of_vertex,
            triangles,
            min_triangles,
        }
    }

    /// Triangles that a base of all components needs.
    pub(crate) fn total_min_triangles(&self) -> usize {
        self.min_triangles.iter().sum()
    }

    /// The same components without a least number of triangles.
    pub(crate) fn without_minimum(mut self) -> Self {
        self.min_triangles.fill(0);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::procedural::make::body;
    use crate::procedural::spec::ProceduralSpec;
    use pliant_core::asset::Progress;

    #[test]
    fn every_component_has_its_own_handles() {
        let torus = body(&ProceduralSpec::new("torus"), &Progress::new()).expect("a torus");
        let ball = body(&ProceduralSpec::new("sphere"), &Progress::new()).expect("a sphere");
        let mut both = torus.clone();
        both.append(&ball);
        let parts = Parts::of(&both);
        assert_eq!(parts.min_triangles, [104, 64]);
        assert_eq!(parts.total_min_triangles(), 168);
        assert_eq!(
            parts.triangles,
            [torus.triangles.len(), ball.triangles.len()]
        );
        assert_eq!(parts.of_vertex[torus.vertex_count()], 1);
    }
}
