//! The elements of one rate, with the nodes that they need in an order of their own.

use std::sync::Arc;

use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;

use crate::cut::{Cut, Interface, Operators};
use crate::force::{ElementConstants, Evaluation, ForceField};
use crate::hierarchy::Stencils;
use crate::params::AdaptiveParams;

/// No place.
const NONE: u32 = u32::MAX;

/// Elements of one step level: `masters` that move, then held nodes, then ghosts, each depending on nodes before it.
///
/// Positions, velocities and forces are copies in that order, so that any kernel over a plain mesh computes the forces.
#[derive(Debug, Clone)]
pub struct Group {
    level: u8,
    /// numbers of the nodes in the forest
    nodes: Vec<u32>,
    masters: usize,
    held: usize,
    /// rows of the ghosts in local numbers
    rows: Stencils,
    /// whether forces on ghosts are dropped
    drops_ghosts: bool,
    is_damped: bool,
    field: ForceField,
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    forces: Vec<Vec3>,
    pub(super) found: Evaluation,
    /// for each master whether no finer group pushes it: gravity and loads act with this one
    pub(super) is_finest: Vec<bool>,
}

impl Group {
    /// Gathers `tets` of one step level. `local` has [`u32::MAX`] for every node and gets it back.
    pub fn new(
        level: u8,
        tets: &[u32],
        cut: &Cut,
        operators: &Operators,
        constants: &ElementConstants,
        params: &AdaptiveParams,
        local: &mut [u32],
    ) -> Self {
        let forest = cut.forest();
        let (mut masters, mut held, mut ghosts) = (Vec::new(), Vec::new(), Vec::new());
        let mut open: Vec<u32> = Vec::new();
        for &t in tets {
            open.extend(forest.tets()[t as usize]);
            while let Some(n) = open.pop() {
                if local[n as usize] != NONE {
                    continue;
                }
                local[n as usize] = 0;
                if let Some((nodes, _)) = operators.row(n) {
                    ghosts.push(n);
                    open.extend_from_slice(nodes);
                } else if forest.support(n).is_some() {
                    held.push(n);
                } else {
                    masters.push(n);
                }
            }
        }
        masters.sort_unstable();
        held.sort_unstable();
        ghosts.sort_unstable_by_key(|&n| operators.order_of(n));
        let counts = (masters.len(), held.len());
        let mut nodes = masters;
        nodes.extend(held);
        nodes.extend(&ghosts);
        for (k, &n) in nodes.iter().enumerate() {
            local[n as usize] = k as u32;
        }
        let rows = ghosts.iter().filter_map(|&n| operators.row(n));
        let rows = Stencils::from_rows(rows.map(|(nodes, weights)| {
            let named = nodes.iter().map(|&n| local[n as usize]);
            named.zip(weights.iter().copied()).collect()
        }));
        let rest: Vec<Vec3> = nodes.iter().map(|&n| forest.rest()[n as usize]).collect();
        let corners = tets
            .iter()
            .map(|&t| forest.tets()[t as usize].map(|n| local[n as usize]));
        let mesh = TetMesh {
            tets: corners.collect(),
            nodes: rest.clone(),
        };
        let shapes = tets.iter().map(|&t| {
            let mut shape = *forest.shape(t);
            // forces and energy are proportional to the volume, so that it carries the level's stiffness too
            shape.volume *= params.interface.weight(cut.active_corners(t)) * forest.stiffness(t);
            shape
        });
        let field = ForceField::from_mesh(
            Arc::new(mesh),
            Arc::new(shapes.collect()),
            *constants,
            params,
        );
        for &n in &nodes {
            local[n as usize] = NONE;
        }
        Self {
            level,
            masters: counts.0,
            held: counts.1,
            rows,
            drops_ghosts: params.interface == Interface::Paper,
            is_damped: constants.is_damped(),
            field,
            velocities: vec![Vec3::zeros(); rest.len()],
            forces: vec![Vec3::zeros(); rest.len()],
            positions: rest,
            found: Evaluation::default(),
            is_finest: vec![false; counts.0],
            nodes,
        }
    }

    /// Step level.
    pub fn level(&self) -> u8 {
        self.level
    }

    /// Elements that one firing evaluates.
    pub fn element_count(&self) -> usize {
        self.field.element_count()
    }

    /// Ghosts that one firing updates.
    pub fn ghost_count(&self) -> usize {
        self.nodes.len() - self.masters - self.held
    }

    /// Nodes that are kicked.
    pub fn masters(&self) -> &[u32] {
        &self.nodes[..self.masters]
    }

    /// Held nodes among those that are pushed.
    pub fn held(&self) -> &[u32] {
        &self.nodes[self.masters..self.masters + self.held]
    }

    /// Forces of the last evaluation on the masters, N.
    pub fn master_forces(&self) -> &[Vec3] {
        &self.forces[..self.masters]
    }

    /// Forces of the last evaluation on the held nodes, N.
    pub fn held_forces(&self) -> &[Vec3] {
        &self.forces[self.masters..self.masters + self.held]
    }

    /// Takes over where the masters are and how fast; held nodes rest.
    pub(super) fn take(&mut self, positions: &[Vec3], velocities: &[Vec3]) {
        for (k, &n) in self.nodes[..self.masters].iter().enumerate() {
            self.positions[k] = positions[n as usize];
            self.velocities[k] = velocities[n as usize];
        }
    }

    /// Ghosts, elements, and the forces on ghosts back to what they follow.
    pub(super) fn evaluate(&mut self) {
        let first = self.masters + self.held;
        for k in 0..self.rows.len() {
            self.positions[first + k] = self.rows.interpolate(k, &self.positions);
        }
        if self.is_damped {
            for k in 0..self.rows.len() {
                self.velocities[first + k] = self.rows.interpolate(k, &self.velocities);
            }
        }
        self.found = self
            .field
            .evaluate(&self.positions, &self.velocities, &mut self.forces);
        if self.drops_ghosts {
            return;
        }
        for k in (0..self.rows.len()).rev() {
            let force = self.forces[first + k];
            let (nodes, weights) = self.rows.row(k);
            for (&n, w) in nodes.iter().zip(weights) {
                self.forces[n as usize] += force * *w;
            }
        }
    }
}
