//! Loads of quadratic tetrahedra that are spread over the faces around a boundary corner, and displacements that are means over them.
//!
//! A force on a corner alone is a peak that no traction makes: the shape function of a corner has no integral over a face, and what is held at its corners is up to 13 % too soft.
//! Here a unit force on corner `i` is the traction `ψ_i / ∫φ_i` of the function biorthogonal to the hats (Wohlmuth 2000), on each face around it `ψ_i = 4 λ_i − 1`, and its displacement
//! the mean `∫ψ_i u / ∫φ_i`. Either is the transpose of the other, so that compliances stay symmetric; displacements that are linear over the boundary are exact.

use std::collections::BTreeMap;

use pliant_core::math::Vec3;
use pliant_core::mesh::QuadraticTetMesh;

/// `∫ψ_i N ⁄ (A ⁄ 3)` over a face of area `A`: the corner itself, another corner, the middle of an edge at the corner, the middle opposite.
const CORNER: f64 = 2.0 / 5.0;
const OTHER: f64 = -1.0 / 5.0;
const BESIDE: f64 = 3.0 / 5.0;
const OPPOSITE: f64 = -1.0 / 5.0;

/// Weights of a mean over the faces around one corner.
#[derive(Debug, Clone, PartialEq)]
pub struct SpreadRow {
    /// The corner.
    pub corner: u32,
    /// Nodes of the quadratic mesh, ascending, and their weights, which sum to one.
    pub parts: Vec<(u32, f64)>,
    /// Area of the faces, m².
    pub area: f64,
}

/// One row for each of `corners` over the boundary `faces` (corners of `mesh`).
///
/// Cost: one visit of each face.
pub fn spread_rows(
    mesh: &QuadraticTetMesh,
    faces: &[[u32; 3]],
    corners: impl IntoIterator<Item = u32>,
) -> Vec<SpreadRow> {
    let mut sums: Vec<(BTreeMap<u32, f64>, f64)> = vec![Default::default(); mesh.corner_count];
    for face in faces {
        let [a, b, c] = face.map(|v| mesh.nodes[v as usize]);
        let area: f64 = 0.5 * (b - a).cross(&(c - a)).norm();
        for k in 0..3 {
            let [i, j, l] = [face[k], face[(k + 1) % 3], face[(k + 2) % 3]];
            let (row, sum) = &mut sums[i as usize];
            *sum += area;
            let corners = [(Some(i), CORNER), (Some(j), OTHER), (Some(l), OTHER)];
            let beside = [j, l].map(|end| (mesh.middle_of(i, end), BESIDE));
            let opposite = (mesh.middle_of(j, l), OPPOSITE);
            for (node, weight) in corners.into_iter().chain(beside).chain([opposite]) {
                // a boundary face has all of its middles
                if let Some(node) = node {
                    *row.entry(node).or_insert(0.0) += weight * area;
                }
            }
        }
    }
    corners
        .into_iter()
        .map(|corner| {
            let (row, area) = &sums[corner as usize];
            SpreadRow {
                corner,
                parts: row.iter().map(|(&node, sum)| (node, sum / area)).collect(),
                area: *area,
            }
        })
        .collect()
}

impl SpreadRow {
    /// The mean of a `field` over all nodes.
    pub fn mean(&self, field: &[Vec3]) -> Vec3 {
        let parts = self.parts.iter();
        parts
            .map(|&(node, weight)| field[node as usize] * weight)
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::math::Mat3;
    use pliant_core::mesh::procedural::{CellStyle, box_tets};

    #[test]
    fn means_of_linear_fields_are_values_at_the_corner_also_at_edges() {
        let mesh = box_tets(Vec3::new(0.4, 0.3, 0.5), [4, 2, 3], CellStyle::Kuhn);
        let boundary = mesh.boundary();
        let nodes = &boundary.node_of_vertex;
        let faces = boundary.surface.triangles.iter();
        let faces: Vec<[u32; 3]> = faces.map(|t| t.map(|v| nodes[v as usize])).collect();
        let quadratic = QuadraticTetMesh::new(&mesh);
        let rows = spread_rows(&quadratic, &faces, nodes.iter().copied());
        assert_eq!(rows.len(), nodes.len());
        let map = Mat3::new(0.1, 0.2, 0.0, -0.1, 0.3, 0.05, 0.0, 0.2, -0.2);
        let field: Vec<Vec3> = quadratic.nodes.iter().map(|x| map * x).collect();
        for row in &rows {
            let error = row.mean(&field) - field[row.corner as usize];
            assert!(error.norm() < 1e-14, "{row:?}");
            let sum: f64 = row.parts.iter().map(|(_, weight)| weight).sum();
            assert!((sum - 1.0).abs() < 1e-12);
        }
        // and a bubble that is zero at all corners is seen
        let bubble: Vec<Vec3> = (0..quadratic.nodes.len())
            .map(|n| Vec3::x() * f64::from(u8::from(n >= quadratic.corner_count)))
            .collect();
        assert!(rows.iter().all(|row| row.mean(&bubble).x > 0.5));
        let area: f64 = rows.iter().map(|row| row.area).sum();
        assert!((area / (3.0 * boundary.surface.area()) - 1.0).abs() < 1e-12);
    }
}
