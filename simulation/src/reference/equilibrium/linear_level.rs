//! A level of finite elements with small strains, whose stiffness is factorised.

use std::sync::Arc;

use pliant_adaptive::LodHierarchy;
use pliant_adaptive::hierarchy::Level;
use pliant_core::asset::{Cancelled, Progress};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::contact::projection::can_move;
use pliant_core::elasticity::{ShapeGradients, element_force};
use pliant_core::material::{LameParameters, MaterialLaw};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_statics::{OwnedFactor, Statics};

/// A level with small strains.
pub(super) struct LinearLevel {
    hierarchy: Arc<LodHierarchy>,
    index: usize,
    lame: LameParameters,
    /// their volumes include the calibrated stiffness of each element
    shapes: Arc<Vec<ShapeGradients>>,
    /// whether a support holds each node
    held: Vec<bool>,
    factor: OwnedFactor,
}

impl LinearLevel {
    /// Level `index`; `None` where some part of it has no support, or the factor would be too large.
    pub(super) fn new(
        hierarchy: Arc<LodHierarchy>,
        index: usize,
        progress: &Progress,
    ) -> Result<Option<Self>, Cancelled> {
        let level = &hierarchy.levels[index];
        let lame = level.material(&hierarchy.material).lame();
        let (shapes, held) = (level.force_shapes(), level.held_flags());
        let Some(mut statics) = Statics::new(&held, &level.mesh.tets) else {
            return Ok(None);
        };
        for (tet, shape) in level.mesh.tets.iter().zip(shapes.iter()) {
            statics.add_linear(tet, shape, &lame, 1.0);
        }
        let factor = statics.into_factor(progress)?;
        Ok(factor.map(|factor| Self {
            hierarchy,
            index,
            lame,
            shapes,
            held,
            factor,
        }))
    }

    /// The level.
    pub(super) fn level(&self) -> &Level {
        &self.hierarchy.levels[self.index]
    }

    /// The skin at rest.
    pub(super) fn skin(&self) -> &Arc<SurfaceMesh> {
        &self.hierarchy.skin
    }

    /// Number of supports.
    pub(super) fn support_count(&self) -> usize {
        self.level().held.len()
    }

    /// Whether a skin vertex exists and supports do not hold it, as for models with inertia.
    pub(super) fn can_move(&self, vertex: u32) -> bool {
        let embedding = &self.level().embedding;
        if vertex as usize >= embedding.len() {
            return false;
        }
        let (nodes, weights) = embedding.row(vertex as usize);
        can_move(nodes, weights, |node| !self.held[node as usize])
    }

    /// Position of a skin vertex (m) where the nodes are displaced by `moved` (m).
    pub(super) fn skin_position(&self, vertex: u32, moved: &[Vec3]) -> Vec3 {
        let level = self.level();
        let (embedding, nodes) = (&level.embedding, &level.mesh.nodes);
        embedding.interpolate(vertex as usize, nodes) + self.skin_displacement(vertex, moved)
    }

    /// Displacement of a skin vertex (m) where the nodes are displaced by `moved` (m).
    pub(super) fn skin_displacement(&self, vertex: u32, moved: &[Vec3]) -> Vec3 {
        self.level().embedding.interpolate(vertex as usize, moved)
    }

    /// Adds a force (N) on a skin vertex to those on the nodes. Does nothing for a vertex that does not exist.
    pub(super) fn add_force(&self, vertex: u32, force: &Vec3, nodal: &mut [Vec3]) {
        let embedding = &self.level().embedding;
        if vertex as usize >= embedding.len() {
            return;
        }
        let (nodes, weights) = embedding.row(vertex as usize);
        for (&node, weight) in nodes.iter().zip(weights) {
            nodal[node as usize] += force * *weight;
        }
    }

    /// Forces of gravity and loads on the nodes, N.
    pub(super) fn loads(&self, boundary: &BoundaryConditions) -> Vec<Vec3> {
        let masses = &self.level().masses;
        let mut nodal: Vec<Vec3> = masses.iter().map(|m| boundary.gravity * *m).collect();
        for load in boundary.loads() {
            self.add_force(load.vertex, &load.force, &mut nodal);
        }
        nodal
    }

    /// Displacements of the nodes (m) under forces on them (N).
    pub(super) fn displacements(&self, nodal: Vec<Vec3>) -> Vec<Vec3> {
        let mut all = self.factor.solve(&[nodal]);
        all.pop().unwrap_or_default()
    }

    /// For each of some skin vertices the displacements of the nodes (m) under a force of 1 N on it along x, y and z.
    pub(super) fn responses(&self, vertices: &[u32]) -> Vec<[Vec<Vec3>; 3]> {
        let nodes = self.level().node_count();
        let loads = vertices.iter().flat_map(|&vertex| {
            [Vec3::x(), Vec3::y(), Vec3::z()].map(|unit| {
                let mut nodal = vec![Vec3::zeros(); nodes];
                self.add_force(vertex, &unit, &mut nodal);
                nodal
            })
        });
        let loads: Vec<Vec<Vec3>> = loads.collect();
        let mut moved = self.factor.solve(&loads).into_iter();
        let response = |_| [(); 3].map(|()| moved.next().unwrap_or_default());
        vertices.iter().map(response).collect()
    }

    /// Forces of the elements on the nodes (N) where these are displaced by `moved` (m).
    pub(super) fn element_forces(&self, moved: &[Vec3]) -> Vec<Vec3> {
        let mesh = &self.level().mesh;
        let mut forces = vec![Vec3::zeros(); mesh.nodes.len()];
        for (tet, shape) in mesh.tets.iter().zip(self.shapes.iter()) {
            let positions = tet.map(|n| mesh.nodes[n as usize] + moved[n as usize]);
            let of_tet = element_force(positions, shape, &self.lame, MaterialLaw::Cauchy);
            for (&node, force) in tet.iter().zip(of_tet) {
                forces[node as usize] += force;
            }
        }
        forces
    }

    /// Force of each support on the body (N), under forces `nodal` (N) on nodes that are displaced by `moved` (m).
    pub(super) fn support_forces(&self, moved: &[Vec3], nodal: &[Vec3]) -> Vec<Vec3> {
        let inner = self.element_forces(moved);
        // a node that two supports hold counts for the first
        let mut is_counted = vec![false; inner.len()];
        let of_support = |nodes: &Vec<u32>| {
            let mut sum = Vec3::zeros();
            for &node in nodes {
                let node = node as usize;
                if !std::mem::replace(&mut is_counted[node], true) {
                    sum -= inner[node] + nodal[node];
                }
            }
            sum
        };
        self.level().held.iter().map(of_support).collect()
    }
}
