//! The boundary loops of a surface: the rims of its holes as polygons.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;

use crate::repair::steps::edges::Side;

/// One boundary loop: vertices in the order in which new triangles run along it, each once; the triangle across each edge from its vertex to the next.
#[derive(Debug, Clone)]
pub(crate) struct BoundaryLoop {
    pub vertices: Vec<u32>,
    pub outer: Vec<u32>,
}

impl BoundaryLoop {
    /// Positions of its vertices.
    pub fn corners(&self, surface: &SurfaceMesh) -> Vec<Vec3> {
        let vertices = self.vertices.iter();
        vertices.map(|&v| surface.positions[v as usize]).collect()
    }
}

/// Cuts the open edges into simple polygons. `open` are the sides of edges with one triangle; neighbours must agree about the outside.
/// Edges that do not belong to a closed polygon are left out.
pub(crate) fn boundary_loops(open: &[Side], vertices: usize) -> Vec<BoundaryLoop> {
    // new triangles run against the old one: (from, to, old triangle)
    let mut edges: Vec<(u32, u32, u32)> = open
        .iter()
        .map(|s| {
            if s.forward {
                (s.high, s.low, s.triangle)
            } else {
                (s.low, s.high, s.triangle)
            }
        })
        .collect();
    edges.sort_unstable();
    let mut used = vec![false; edges.len()];
    // index of each vertex in the current path
    let mut index_in_path: Vec<Option<usize>> = vec![None; vertices];
    let mut found = Vec::new();
    for start in 0..edges.len() {
        let mut path: Vec<usize> = Vec::new();
        let mut next = (!used[start]).then_some(start);
        while let Some(e) = next {
            used[e] = true;
            let (from, to, _) = edges[e];
            index_in_path[from as usize] = Some(path.len());
            path.push(e);
            if let Some(first) = index_in_path[to as usize] {
                // a polygon is complete; the path continues from its first vertex
                let polygon: Vec<usize> = path.drain(first..).collect();
                for &e in &polygon {
                    index_in_path[edges[e].0 as usize] = None;
                }
                found.push(BoundaryLoop {
                    vertices: polygon.iter().map(|&e| edges[e].0).collect(),
                    outer: polygon.iter().map(|&e| edges[e].2).collect(),
                });
            }
            let at = edges.partition_point(|x| x.0 < to);
            next = edges[at..]
                .iter()
                .take_while(|x| x.0 == to)
                .zip(at..)
                .map(|(_, e)| e)
                .find(|&e| !used[e]);
        }
        for e in path {
            index_in_path[edges[e].0 as usize] = None;
        }
    }
    found
}
