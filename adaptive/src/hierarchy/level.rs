//! One level of detail: a tetrahedral mesh with everything that does not change while it moves.

use std::sync::Arc;

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::elasticity::ShapeGradients;
use pliant_core::elasticity::stiffness::element_frequency;
use pliant_core::material::{LameParameters, Material};
use pliant_core::mesh::validate::UnionFind;
use pliant_core::mesh::{Csr, SkinEmbedding, TetMesh};
use rayon::prelude::*;

use crate::hierarchy::stencil::Stencils;

/// Tetrahedra between two checks of the cancel flag.
const BATCH: usize = 4096;

/// A mesh of the hierarchy. Levels share no nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// Nodes (m, rest) and positively oriented tetrahedra.
    pub mesh: Arc<TetMesh>,
    /// Shape gradients (1/m) and volume (m³) of each tetrahedron.
    pub shapes: Arc<Vec<ShapeGradients>>,
    /// Lumped mass of each node, kg; every level has the same total.
    pub masses: Vec<f64>,
    /// Highest frequency of each tetrahedron on its own, rad/s, with the masses and the stiffness of this level.
    pub frequencies: Vec<f64>,
    /// Factor on the body's Lamé parameters with which this level moves, so that it vibrates like the finest one; 1 on that, and without calibration
    /// (see [`crate::bake::calibration`]).
    pub stiffness: f64,
    /// Factor on the stiffness of each tetrahedron besides that of the level (see [`crate::bake::calibration::coarsening`]); empty where all are 1.
    pub(crate) local: Vec<f64>,
    /// For each support its held nodes, ascending.
    pub held: Vec<Vec<u32>>,
    /// Skin vertices as weighted sums of nodes.
    pub embedding: SkinEmbedding,
    /// Parent of each node in the next coarser level; empty on the coarsest.
    pub parents: Vec<u32>,
    /// Children of each node in the next finer level; no rows on the finest. A node without a child may not be split.
    pub children: Csr,
    /// Each node as a weighted sum of nodes of the next coarser level. It gives the node's position while an ancestor is active. Empty on the coarsest level.
    pub up: Stencils,
    /// Each node as a weighted sum of the corners of a tetrahedron of the next finer level. It gives the node's position while its descendants are active. Empty on the
    /// finest level.
    pub down_tet: Stencils,
    /// The same over up to twelve of its children, or over children and their neighbours. It is used where a corner of that tetrahedron is dormant.
    pub down_affine: Stencils,
    /// For each of the four quadrature points of each tetrahedron the tetrahedron of the next coarser level that contains it, or the nearest one. Empty on the coarsest
    /// level.
    pub above: Vec<[u32; 4]>,
    /// Mean edge length, m.
    pub spacing: f64,
}

/// A mesh that cannot be simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LevelError {
    /// A tetrahedron names a node that does not exist.
    BadIndex {
        /// Which tetrahedron.
        tet: usize,
    },
    /// A node position is NaN or infinite.
    NotFinite {
        /// Which node.
        node: usize,
    },
    /// A tetrahedron with next to no volume.
    DegenerateTet {
        /// Which tetrahedron.
        tet: usize,
    },
    /// A tetrahedron with a negative volume.
    InvertedTet {
        /// Which tetrahedron.
        tet: usize,
    },
    /// A node that no tetrahedron uses, so that it has no mass.
    LooseNode {
        /// Which node.
        node: usize,
    },
}

/// Checks a mesh: finite nodes, valid indices, every volume above 1e-12 of the bounding box's diagonal cubed, no loose nodes.
///
/// # Errors
/// The first fault.
pub fn check_mesh(mesh: &TetMesh) -> Result<(), LevelError> {
    if let Some(node) = mesh
        .nodes
        .iter()
        .position(|x| !x.iter().all(|c| c.is_finite()))
    {
        return Err(LevelError::NotFinite { node });
    }
    let count = mesh.nodes.len();
    let smallest = 1e-12 * mesh.bounds().diagonal().powi(3);
    let mut used = vec![false; count];
    for (tet, corners) in mesh.tets.iter().enumerate() {
        if corners.iter().any(|&n| n as usize >= count) {
            return Err(LevelError::BadIndex { tet });
        }
        let volume = mesh.tet_volume(tet);
        if volume < -smallest {
            return Err(LevelError::InvertedTet { tet });
        }
        if volume.is_nan() || volume <= smallest {
            return Err(LevelError::DegenerateTet { tet });
        }
        for &n in corners {
            used[n as usize] = true;
        }
    }
    match used.iter().position(|u| !u) {
        Some(node) => Err(LevelError::LooseNode { node }),
        None => Ok(()),
    }
}

/// Shape gradients of a checked mesh.
///
/// # Errors
/// [`LevelError::DegenerateTet`] with the first tetrahedron that has none.
pub fn shape_gradients(mesh: &TetMesh) -> Result<Vec<ShapeGradients>, LevelError> {
    (0..mesh.tets.len())
        .map(|tet| ShapeGradients::new(mesh.corners(tet)).ok_or(LevelError::DegenerateTet { tet }))
        .collect()
}

/// [`Level::frequencies`] for an effective `density` (kg/m³). Cost: a 12×12 eigenvalue problem a tetrahedron, in parallel.
///
/// # Errors
/// [`Cancelled`].
pub fn element_frequencies(
    shapes: &[ShapeGradients],
    lame: &LameParameters,
    density: f64,
    progress: &Progress,
) -> Result<Vec<f64>, Cancelled> {
    let mut frequencies = Vec::with_capacity(shapes.len());
    for batch in shapes.chunks(BATCH) {
        progress.check()?;
        let part: Vec<f64> = batch
            .par_iter()
            .map(|shape| element_frequency(shape, lame, density))
            .collect();
        frequencies.extend(part);
        progress.set_fraction(frequencies.len() as f64 / shapes.len() as f64);
    }
    Ok(frequencies)
}

impl Level {
    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.mesh.nodes.len()
    }

    /// Mass over volume, kg/m³.
    pub fn density(&self) -> f64 {
        let volume: f64 = self.shapes.iter().map(|s| s.volume).sum();
        self.masses.iter().sum::<f64>() / volume
    }

    /// The body's material with the calibrated Young's modulus (Pa) of this level.
    pub fn material(&self, of_body: &Material) -> Material {
        let mut material = *of_body;
        material.elastic.young *= self.stiffness;
        material
    }

    /// Sets the stiffness factor. Element frequencies change with its square root.
    pub(crate) fn set_stiffness(&mut self, factor: f64) {
        let growth = (factor / self.stiffness).sqrt();
        if growth != 1.0 {
            self.frequencies.iter_mut().for_each(|f| *f *= growth);
        }
        self.stiffness = factor;
    }

    /// Factor on the stiffness of a tetrahedron besides [`Level::stiffness`].
    pub fn local_stiffness(&self, tet: usize) -> f64 {
        self.local.get(tet).copied().unwrap_or(1.0)
    }

    /// Sets the stiffness factor of each tetrahedron. Element frequencies change with the square roots.
    pub(crate) fn set_local_stiffness(&mut self, factors: &[f64]) {
        for (t, frequency) in self.frequencies.iter_mut().enumerate() {
            let old = self.local.get(t).copied().unwrap_or(1.0);
            let new = factors.get(t).copied().unwrap_or(1.0);
            *frequency *= (new / old).sqrt();
        }
        self.local = factors.to_vec();
        self.local.truncate(self.mesh.tets.len());
    }

    /// Shape gradients (1/m) of the tetrahedra, with volumes (m³) that include the factor [`Level::local_stiffness`]: forces and energy are proportional to the volume.
    pub fn force_shapes(&self) -> Arc<Vec<ShapeGradients>> {
        if self.local.is_empty() {
            return self.shapes.clone();
        }
        let weighted = self
            .shapes
            .iter()
            .zip(&self.local)
            .map(|(shape, factor)| ShapeGradients {
                volume: shape.volume * factor,
                ..*shape
            });
        Arc::new(weighted.collect())
    }

    /// Whether a support holds some node.
    pub(crate) fn is_supported(&self) -> bool {
        self.held.iter().any(|held| !held.is_empty())
    }

    /// Whether each node is held by some support.
    pub fn held_flags(&self) -> Vec<bool> {
        let mut flags = vec![false; self.node_count()];
        for &n in self.held.iter().flatten() {
            flags[n as usize] = true;
        }
        flags
    }

    /// Connected component of each node, numbered by first node, and their number.
    pub fn components(&self) -> (Vec<u32>, usize) {
        components(self.node_count(), &self.mesh.tets)
    }

    /// Connected component of each node, and whether each component has no `held` node: it moves on its own.
    pub(crate) fn free_components(&self, held: &[bool]) -> (Vec<u32>, Vec<bool>) {
        let (label, count) = self.components();
        let mut free = vec![true; count];
        for (l, &h) in label.iter().zip(held) {
            free[*l as usize] &= !h;
        }
        (label, free)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let nodes = self.node_count();
        let tets = self.mesh.tets.len();
        let rows: usize = (0..self.embedding.len())
            .map(|v| self.embedding.row(v).0.len())
            .sum();
        nodes * (24 + 8 + 4 + 8)
            + tets * (16 + size_of::<ShapeGradients>() + 8)
            + rows * 12
            + self.up.bytes()
            + self.down_tet.bytes()
            + self.down_affine.bytes()
            + self.above.len() * 16
            + self.local.len() * size_of::<f64>()
    }
}

/// Connected components of a mesh by union–find, numbered by their lowest node.
pub fn components<'a>(
    nodes: usize,
    tets: impl IntoIterator<Item = &'a [u32; 4]>,
) -> (Vec<u32>, usize) {
    let mut sets = UnionFind::new(nodes);
    for tet in tets {
        tet[1..].iter().for_each(|&n| sets.join(tet[0], n));
    }
    sets.numbered()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::math::Vec3;
    use pliant_core::mesh::procedural::{CellStyle, box_tets};

    #[test]
    fn bad_meshes_are_named() {
        let good = box_tets(Vec3::repeat(1.0), [2, 1, 1], CellStyle::Kuhn);
        assert_eq!(check_mesh(&good), Ok(()));
        let mut bad = good.clone();
        bad.tets[5].swap(0, 1);
        assert_eq!(check_mesh(&bad), Err(LevelError::InvertedTet { tet: 5 }));
        let mut bad = good.clone();
        bad.tets[3][2] = bad.tets[3][1];
        assert_eq!(check_mesh(&bad), Err(LevelError::DegenerateTet { tet: 3 }));
        let mut bad = good.clone();
        bad.tets[3][2] = 99;
        assert_eq!(check_mesh(&bad), Err(LevelError::BadIndex { tet: 3 }));
        let mut bad = good.clone();
        bad.nodes[4].y = f64::NAN;
        assert_eq!(check_mesh(&bad), Err(LevelError::NotFinite { node: 4 }));
        let mut bad = good;
        bad.nodes.push(Vec3::zeros());
        assert_eq!(check_mesh(&bad), Err(LevelError::LooseNode { node: 12 }));
    }

    #[test]
    fn two_boxes_are_two_components() {
        let mut mesh = box_tets(Vec3::repeat(1.0), [2, 2, 2], CellStyle::Alternating);
        let other = mesh.clone();
        mesh.nodes
            .extend(other.nodes.iter().map(|x| x + Vec3::x() * 3.0));
        mesh.tets
            .extend(other.tets.iter().map(|t| t.map(|n| n + 27)));
        let (label, count) = components(mesh.nodes.len(), &mesh.tets);
        assert_eq!(count, 2);
        assert!(label[..27].iter().all(|&l| l == 0) && label[27..].iter().all(|&l| l == 1));
    }

    #[test]
    fn a_tetrahedron_is_one_component_in_any_order_of_its_corners() {
        for tet in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 3, 0, 1], [3, 1, 2, 0]] {
            assert_eq!(components(4, &[tet]), (vec![0; 4], 1), "{tet:?}");
        }
    }
}
