//! Tetrahedral meshes.

use crate::math::Vec3;
use crate::math::bounds::Aabb;
use crate::mesh::SurfaceMesh;
use crate::mesh::adjacency::renumber_used;

/// The three corners of each face of a tetrahedron, counter-clockwise from outside; the face opposite corner `i` is entry `i`.
pub const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// A tetrahedral mesh at rest; every tetrahedron has positive volume.
#[derive(Debug, Clone, PartialEq)]
pub struct TetMesh {
    /// Material positions of the nodes, m.
    pub nodes: Vec<Vec3>,
    /// Node quadruples with `(b - a) · ((c - a) × (d - a)) > 0`.
    pub tets: Vec<[u32; 4]>,
}

/// The boundary of a [`TetMesh`] as a surface of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct TetBoundary {
    /// Closed surface, counter-clockwise from outside; its vertices are in the order of their nodes.
    pub surface: SurfaceMesh,
    /// Node of the tetrahedral mesh behind each surface vertex.
    pub node_of_vertex: Vec<u32>,
    /// Tetrahedron behind each triangle.
    pub tet_of_triangle: Vec<u32>,
}

impl TetMesh {
    /// The mesh of `tets` with those of `nodes` (m) that they use, in their order, and the former number of each.
    pub fn with_used_nodes(nodes: &[Vec3], mut tets: Vec<[u32; 4]>) -> (Self, Vec<u32>) {
        let used = renumber_used(nodes.len(), &mut tets);
        let nodes = used.iter().map(|&v| nodes[v as usize]).collect();
        (Self { nodes, tets }, used)
    }

    /// The mesh of the tetrahedra whose centroids (m) satisfy `is_in`, with the nodes that these use, both in their order.
    pub fn part(&self, is_in: impl Fn(&Vec3) -> bool) -> Self {
        let centre = |t: usize| self.corners(t).iter().sum::<Vec3>() / 4.0;
        let inside = (0..self.tets.len()).filter(|&t| is_in(&centre(t)));
        let tets = inside.map(|t| self.tets[t]).collect();
        Self::with_used_nodes(&self.nodes, tets).0
    }

    /// The four corner positions of tetrahedron `t`.
    pub fn corners(&self, t: usize) -> [Vec3; 4] {
        self.tets[t].map(|v| self.nodes[v as usize])
    }

    /// Signed volume of tetrahedron `t`, m³.
    pub fn tet_volume(&self, t: usize) -> f64 {
        let [a, b, c, d] = self.corners(t);
        (b - a).dot(&(c - a).cross(&(d - a))) / 6.0
    }

    /// Sum of volumes, m³.
    pub fn volume(&self) -> f64 {
        (0..self.tets.len()).map(|t| self.tet_volume(t)).sum()
    }

    /// Box around all nodes.
    pub fn bounds(&self) -> Aabb {
        Aabb::of_points(&self.nodes)
    }

    /// Mean edge length over all tetrahedra (shared edges count once a tetrahedron), m.
    pub fn mean_edge(&self) -> f64 {
        let mut sum = 0.0;
        for t in 0..self.tets.len() {
            let x = self.corners(t);
            for i in 0..4 {
                for j in i + 1..4 {
                    sum += (x[i] - x[j]).norm();
                }
            }
        }
        if self.tets.is_empty() {
            0.0
        } else {
            sum / (6 * self.tets.len()) as f64
        }
    }

    /// Lumped nodal masses for `density` (kg/m³): a quarter of each tetrahedron's mass to each corner, kg.
    pub fn lumped_masses(&self, density: f64) -> Vec<f64> {
        let mut masses = vec![0.0; self.nodes.len()];
        for (t, tet) in self.tets.iter().enumerate() {
            let quarter = density * self.tet_volume(t) / 4.0;
            for &v in tet {
                masses[v as usize] += quarter;
            }
        }
        masses
    }

    /// All faces of all tetrahedra, sorted: the nodes, ascending, and the number, four times that of the tetrahedron plus that of the opposite corner.
    fn sorted_faces(&self) -> Vec<([u32; 3], u32)> {
        // sorting takes a third of the memory of a hash table
        let mut all = Vec::with_capacity(4 * self.tets.len());
        for tet in &self.tets {
            for face in FACES {
                let mut nodes = face.map(|i| tet[i]);
                nodes.sort_unstable();
                all.push((nodes, all.len() as u32));
            }
        }
        all.sort_unstable();
        all
    }

    /// The tetrahedron behind each face of each tetrahedron, [`u32::MAX`] behind the boundary.
    pub fn neighbours(&self) -> Vec<[u32; 4]> {
        let mut behind = vec![[u32::MAX; 4]; self.tets.len()];
        for pair in self.sorted_faces().chunk_by(|a, b| a.0 == b.0) {
            if let [(_, a), (_, b)] = pair {
                behind[*a as usize / 4][*a as usize % 4] = b / 4;
                behind[*b as usize / 4][*b as usize % 4] = a / 4;
            }
        }
        behind
    }

    /// The boundary: faces that belong to one tetrahedron only, oriented outwards, in the order of their tetrahedra.
    pub fn boundary(&self) -> TetBoundary {
        let all = self.sorted_faces();
        let mut single: Vec<u32> = all
            .chunk_by(|a, b| a.0 == b.0)
            .filter_map(|group| match group {
                [(_, face)] => Some(*face),
                _ => None,
            })
            .collect();
        drop(all);
        single.sort_unstable();
        let mut triangles: Vec<[u32; 3]> = single
            .iter()
            .map(|&n| FACES[n as usize % 4].map(|i| self.tets[n as usize / 4][i]))
            .collect();
        let node_of_vertex = renumber_used(self.nodes.len(), &mut triangles);
        let positions = node_of_vertex
            .iter()
            .map(|&n| self.nodes[n as usize])
            .collect();
        TetBoundary {
            surface: SurfaceMesh::new(positions, triangles),
            node_of_vertex,
            tet_of_triangle: single.iter().map(|n| n / 4).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundary_of_one_tetrahedron_encloses_its_volume() {
        let mesh = TetMesh {
            nodes: vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()],
            tets: vec![[0, 1, 2, 3]],
        };
        let boundary = mesh.boundary();
        assert_eq!(boundary.surface.triangles.len(), 4);
        assert!((boundary.surface.volume() - 1.0 / 6.0).abs() < 1e-15);
        assert!((mesh.volume() - 1.0 / 6.0).abs() < 1e-15);
        assert!((mesh.lumped_masses(6.0).iter().sum::<f64>() - 1.0).abs() < 1e-15);
    }
}
