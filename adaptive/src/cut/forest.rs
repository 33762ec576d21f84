//! The nodes and tetrahedra of all levels in one numbering, coarse to fine.

use std::sync::Arc;

use pliant_core::elasticity::ShapeGradients;
use pliant_core::math::Vec3;
use pliant_core::mesh::Csr;
use pliant_core::mesh::adjacency::node_tets;

use crate::asset::LodHierarchy;
use crate::cut::overlap::Overlaps;
use crate::hierarchy::Level;

/// No support, no parent.
const NONE: u32 = u32::MAX;

/// All levels of a body side by side. Node `i` of level `l` is node `first_node(l) + i` here, and the same for tetrahedra.
#[derive(Debug)]
pub struct Forest {
    asset: Arc<LodHierarchy>,
    first_node: Vec<u32>,
    first_tet: Vec<u32>,
    level_of: Vec<u8>,
    rest: Vec<Vec3>,
    masses: Vec<f64>,
    parents: Vec<u32>,
    children: Csr,
    tets: Vec<[u32; 4]>,
    node_tets: Csr,
    supports: Vec<u32>,
    /// mass over volume of each level, kg/m³
    densities: Vec<f64>,
    /// of each tetrahedron, m³
    volumes: Vec<f64>,
    /// factor on the Lamé parameters of each tetrahedron
    stiffnesses: Vec<f64>,
    overlaps: Overlaps,
}

impl Forest {
    /// Numbers the levels of `asset`. Cost: some tens of nanoseconds a tetrahedron.
    pub fn new(asset: Arc<LodHierarchy>) -> Self {
        let (mut first_node, mut first_tet) = (vec![0_u32], vec![0_u32]);
        let (mut level_of, mut rest, mut masses) = (Vec::new(), Vec::new(), Vec::new());
        let (mut parents, mut tets, mut supports) = (Vec::new(), Vec::new(), Vec::new());
        let (mut volumes, mut stiffnesses) = (Vec::new(), Vec::new());
        let mut coarser = 0;
        for (l, level) in asset.levels.iter().enumerate() {
            let first = rest.len() as u32;
            let count = level.node_count();
            level_of.extend(std::iter::repeat_n(l as u8, count));
            rest.extend_from_slice(&level.mesh.nodes);
            masses.extend_from_slice(&level.masses);
            if l == 0 {
                parents.extend(std::iter::repeat_n(NONE, count));
            } else {
                parents.extend(level.parents.iter().map(|p| p + coarser));
            }
            tets.extend(level.mesh.tets.iter().map(|t| t.map(|n| n + first)));
            volumes.extend(level.shapes.iter().map(|s| s.volume));
            let factor = |t: usize| level.stiffness * level.local_stiffness(t);
            stiffnesses.extend((0..level.mesh.tets.len()).map(factor));
            supports.extend(std::iter::repeat_n(NONE, count));
            // a node of two supports counts for the first
            for (s, held) in level.held.iter().enumerate().rev() {
                for &n in held {
                    supports[(first + n) as usize] = s as u32;
                }
            }
            coarser = first;
            first_node.push(rest.len() as u32);
            first_tet.push(tets.len() as u32);
        }
        let pairs = parents
            .iter()
            .enumerate()
            .filter(|(_, p)| **p != NONE)
            .map(|(n, p)| (*p, n as u32));
        let node_tets = node_tets(rest.len(), &tets);
        Self {
            children: Csr::from_pairs(rest.len(), pairs),
            overlaps: Overlaps::new(&asset.levels),
            densities: asset.levels.iter().map(Level::density).collect(),
            volumes,
            stiffnesses,
            node_tets,
            asset,
            first_node,
            first_tet,
            level_of,
            rest,
            masses,
            parents,
            tets,
            supports,
        }
    }

    /// The hierarchy that is numbered.
    pub fn asset(&self) -> &Arc<LodHierarchy> {
        &self.asset
    }

    /// Number of levels.
    pub fn level_count(&self) -> usize {
        self.asset.levels.len()
    }

    /// Nodes of all levels.
    pub fn node_count(&self) -> usize {
        self.rest.len()
    }

    /// Tetrahedra of all levels.
    pub(crate) fn tet_count(&self) -> usize {
        self.tets.len()
    }

    /// Factor on the body's Lamé parameters with which a tetrahedron moves: that of its level and its own (see [`crate::bake::calibration`]).
    pub fn stiffness(&self, tet: u32) -> f64 {
        self.stiffnesses[tet as usize]
    }

    /// Volume of a tetrahedron at rest, m³.
    pub fn volume(&self, tet: u32) -> f64 {
        self.volumes[tet as usize]
    }

    /// Nodes of one level.
    pub fn nodes_of_level(&self, level: usize) -> std::ops::Range<u32> {
        self.first_node[level]..self.first_node[level + 1]
    }

    /// Tetrahedra of one level.
    pub(crate) fn tets_of_level(&self, level: usize) -> std::ops::Range<u32> {
        self.first_tet[level]..self.first_tet[level + 1]
    }

    /// Level of a node, 0 is the coarsest.
    pub fn level_of(&self, node: u32) -> usize {
        usize::from(self.level_of[node as usize])
    }

    /// Level of a tetrahedron: that of its corners.
    pub(crate) fn level_of_tet(&self, tet: u32) -> usize {
        self.level_of(self.tets[tet as usize][0])
    }

    /// Level and index in the level of a node.
    pub(crate) fn level_and_index(&self, node: u32) -> (usize, usize) {
        let level = self.level_of(node);
        (level, (node - self.first_node[level]) as usize)
    }

    /// Rest positions of all nodes, m.
    pub fn rest(&self) -> &[Vec3] {
        &self.rest
    }

    /// Lumped masses of all nodes, kg; every level has the same total.
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// Mass of the body, kg.
    pub fn mass(&self) -> f64 {
        let coarsest = self.nodes_of_level(0);
        coarsest.map(|n| self.masses[n as usize]).sum()
    }

    /// Density of the level of a tetrahedron, kg/m³: every level has the mass of the body.
    pub(crate) fn density_of(&self, tet: u32) -> f64 {
        self.densities[self.level_of_tet(tet)]
    }

    /// Overlapping tetrahedra of neighbouring levels.
    pub(crate) fn overlaps(&self) -> &Overlaps {
        &self.overlaps
    }

    /// Parent in the next coarser level; none on the coarsest.
    pub fn parent(&self, node: u32) -> Option<u32> {
        Some(self.parents[node as usize]).filter(|p| *p != NONE)
    }

    /// Children in the next finer level, ascending; none on the finest and for leaves.
    pub fn children(&self, node: u32) -> &[u32] {
        self.children.row(node as usize)
    }

    /// Corners of all tetrahedra.
    pub fn tets(&self) -> &[[u32; 4]] {
        &self.tets
    }

    /// Tetrahedra around a node, all of its own level.
    pub fn tets_of(&self, node: u32) -> &[u32] {
        self.node_tets.row(node as usize)
    }

    /// Level and index in the level of a tetrahedron.
    pub(crate) fn tet_level_and_index(&self, tet: u32) -> (usize, usize) {
        let level = self.level_of_tet(tet);
        (level, (tet - self.first_tet[level]) as usize)
    }

    /// Shape gradients (1/m) and volume (m³) of a tetrahedron.
    pub fn shape(&self, tet: u32) -> &ShapeGradients {
        let (level, index) = self.tet_level_and_index(tet);
        &self.asset.levels[level].shapes[index]
    }

    /// The support that holds a node.
    pub fn support(&self, node: u32) -> Option<usize> {
        Some(self.supports[node as usize])
            .filter(|s| *s != NONE)
            .map(|s| s as usize)
    }

    /// Whether a support holds a node of any level.
    pub fn is_supported(&self) -> bool {
        self.supports.iter().any(|s| *s != NONE)
    }

    /// A level and the number of its first node.
    pub fn level(&self, level: usize) -> (&Level, u32) {
        (&self.asset.levels[level], self.first_node[level])
    }
}
