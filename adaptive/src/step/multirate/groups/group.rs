//! The elements of one rate, with the nodes that they depend on in a local order.

use std::sync::Arc;

use pliant_core::elasticity::ShapeGradients;
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;

use crate::cut::{Cut, Interface, Operators};
use crate::force::lanes::LaneWorkspace;
use crate::force::springs::SpringForces;
use crate::force::{ElementConstants, Evaluation, ForceField};
use crate::hierarchy::Stencils;
use crate::params::{AdaptiveParams, ElementModel};

/// No local index.
const NONE: u32 = u32::MAX;

/// Elements of one step level. Their nodes are ordered: `masters`, which move; then held nodes; then ghosts, which depend on nodes before them.
///
/// Positions, velocities and forces are copies in that order, so that any force kernel for a mesh can compute the forces.
#[derive(Debug, Clone)]
pub struct Group {
    level: u8,
    /// numbers of the nodes in the forest
    nodes: Vec<u32>,
    masters: usize,
    held: usize,
    /// rows of the ghosts, by local indices
    rows: Stencils,
    /// whether forces on ghosts are dropped
    drops_ghosts: bool,
    is_damped: bool,
    field: ForceField,
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    forces: Vec<Vec3>,
    pub(crate) evaluation: Evaluation,
    /// positions of the masters at the last evaluation, without the ripple of slower groups
    smooth_positions: Vec<Vec3>,
    /// slower groups with common masters: index in the list of groups, and the local indices of these masters in both groups
    slower: Vec<(usize, Vec<[u32; 2]>)>,
    /// for each master whether no faster group acts on it. Gravity and loads act with this group, and where nodes have steps only this group kicks it
    pub(crate) is_finest: Vec<bool>,
    /// for each held node whether the forces of this group count as load of its support
    pub(crate) acts_on_support: Vec<bool>,
    /// share of the viscous power that counts: elements of several groups count once
    pub(crate) power_share: f64,
}

impl Group {
    /// Gathers `tets` of one step level. `local_index` is [`u32::MAX`] for every node before and after the call; `spare_workspaces` are those of dropped groups.
    pub fn new(
        level: u8,
        tets: &[u32],
        cut: &Cut,
        operators: &Operators,
        constants: &ElementConstants,
        params: &AdaptiveParams,
        (local_index, spare_workspaces): (&mut [u32], &mut Vec<LaneWorkspace>),
    ) -> Self {
        let forest = cut.forest();
        let (mut masters, mut held, mut ghosts) = (Vec::new(), Vec::new(), Vec::new());
        let mut stack: Vec<u32> = Vec::new();
        for &t in tets {
            stack.extend(forest.tets()[t as usize]);
            while let Some(n) = stack.pop() {
                if local_index[n as usize] != NONE {
                    continue;
                }
                local_index[n as usize] = 0;
                if let Some((nodes, _)) = operators.row(n) {
                    ghosts.push(n);
                    stack.extend_from_slice(nodes);
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
            local_index[n as usize] = k as u32;
        }
        let rows = ghosts.iter().filter_map(|&n| operators.row(n));
        let rows = Stencils::from_rows(rows.map(|(nodes, weights)| {
            let named = nodes.iter().map(|&n| local_index[n as usize]);
            named.zip(weights.iter().copied()).collect()
        }));
        let rest: Vec<Vec3> = nodes.iter().map(|&n| forest.rest()[n as usize]).collect();
        let corners = tets
            .iter()
            .map(|&t| forest.tets()[t as usize].map(|n| local_index[n as usize]));
        let mesh = TetMesh {
            tets: corners.collect(),
            nodes: rest.clone(),
        };
        let shapes = tets.iter().map(|&t| {
            let mut shape = *forest.shape(t);
            // forces and energy are proportional to the volume, so that it includes the level's stiffness factor
            shape.volume *= cut.weight(t, params.interface) * forest.stiffness(t);
            shape
        });
        let shapes: Vec<ShapeGradients> = shapes.collect();
        let field = match params.model {
            // a spring is a sum over tetrahedra, so that it can be weighted as they are; only studies without damping move springs on a cut
            Some(ElementModel::Spring) => {
                let young = forest.asset().material.elastic.young;
                ForceField::Springs(SpringForces::from_mesh(&mesh, &shapes, young, 0.0))
            }
            _ => {
                let (mesh, shapes) = (Arc::new(mesh), Arc::new(shapes));
                ForceField::from_mesh(mesh, shapes, *constants, params, spare_workspaces)
            }
        };
        for &n in &nodes {
            local_index[n as usize] = NONE;
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
            evaluation: Evaluation::default(),
            is_finest: vec![false; counts.0],
            acts_on_support: vec![true; counts.1],
            power_share: 1.0,
            smooth_positions: vec![Vec3::zeros(); counts.0],
            slower: Vec::new(),
            nodes,
        }
    }

    /// Strain energy at the last evaluation, J.
    pub(crate) fn elastic_energy(&self) -> f64 {
        self.field.energy(&self.positions)
    }

    /// The workspace, for another group.
    pub(crate) fn into_workspace(self) -> Option<LaneWorkspace> {
        self.field.into_workspace()
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

    /// Nodes that the group kicks.
    pub fn masters(&self) -> &[u32] {
        &self.nodes[..self.masters]
    }

    /// Held nodes on which the group exerts forces.
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

    /// Sets positions and velocities of the masters, and positions of the held nodes.
    pub(crate) fn set_state(&mut self, positions: &[Vec3], velocities: &[Vec3]) {
        for k in self.masters..self.masters + self.held {
            self.positions[k] = positions[self.nodes[k] as usize];
        }
        for (k, &n) in self.nodes[..self.masters].iter().enumerate() {
            self.positions[k] = positions[n as usize];
            self.velocities[k] = velocities[n as usize];
        }
        self.smooth_positions
            .copy_from_slice(&self.positions[..self.masters]);
    }

    /// Sets positions of masters and held nodes. Velocities do not change; they are zero in a new group.
    pub(crate) fn set_positions(&mut self, positions: &[Vec3]) {
        let first = &self.nodes[..self.masters + self.held];
        for (k, &n) in first.iter().enumerate() {
            self.positions[k] = positions[n as usize];
        }
    }

    /// Sets positions of the masters `step` seconds after the last evaluation. Velocities become the mean over this step, less the ripple of the groups in
    /// `slower`: between two kicks `F h` of a group of step h a node is `(F h²/2m) s (1 − s)`, `s = 0..1`, off the position that it would have under the constant
    /// force F. `factors` returns `h² s (1 − s)/2` for each of these groups.
    pub(crate) fn advance(
        &mut self,
        positions: &[Vec3],
        step: f64,
        slower: &[Group],
        factors: impl Fn(&Group) -> f64,
        inverse_masses: &[f64],
    ) {
        for (k, &n) in self.nodes[..self.masters].iter().enumerate() {
            self.positions[k] = positions[n as usize];
        }
        if !self.is_damped {
            self.smooth_positions
                .copy_from_slice(&self.positions[..self.masters]);
            return;
        }
        for (k, previous) in self.smooth_positions.iter_mut().enumerate() {
            let x = self.positions[k];
            self.velocities[k] = x - *previous;
            *previous = x;
        }
        for (group, shared) in &self.slower {
            let Some(group) = slower.get(*group) else {
                continue;
            };
            let factor = factors(group);
            if factor == 0.0 {
                continue;
            }
            for &[own, other] in shared {
                let (own, other) = (own as usize, other as usize);
                let w = inverse_masses[self.nodes[own] as usize];
                let ripple = group.forces[other] * (factor * w);
                self.velocities[own] -= ripple;
                self.smooth_positions[own] -= ripple;
            }
        }
        let rate = 1.0 / step;
        for v in &mut self.velocities[..self.masters] {
            *v *= rate;
        }
    }

    /// Finds the masters that are also masters of `slower` groups.
    pub(crate) fn find_shared_masters(&mut self, slower: &[Group]) {
        self.slower.clear();
        if !self.is_damped {
            return;
        }
        for (g, group) in slower.iter().enumerate() {
            let (mut shared, mut other) = (Vec::new(), 0);
            let other_masters = group.masters();
            for (own, n) in self.masters().iter().enumerate() {
                while other_masters.get(other).is_some_and(|m| m < n) {
                    other += 1;
                }
                if other_masters.get(other) == Some(n) {
                    shared.push([own as u32, other as u32]);
                }
            }
            if !shared.is_empty() {
                self.slower.push((g, shared));
            }
        }
    }

    /// Writes the mean velocity of each master over the `step` seconds since the last evaluation.
    pub(crate) fn mean_velocities(&self, positions: &[Vec3], step: f64, to: &mut [Vec3]) {
        let rate = 1.0 / step;
        for (&n, previous) in self.masters().iter().zip(&self.smooth_positions) {
            to[n as usize] = (positions[n as usize] - previous) * rate;
        }
    }

    /// Interpolates ghosts, evaluates elements, and distributes the forces on ghosts to the nodes that they follow.
    pub(crate) fn evaluate(&mut self) {
        let first = self.masters + self.held;
        if self.is_damped {
            for k in 0..self.rows.len() {
                let (mut x, mut v) = (Vec3::zeros(), Vec3::zeros());
                for (n, w) in self.rows.entries(k) {
                    x += self.positions[n as usize] * w;
                    v += self.velocities[n as usize] * w;
                }
                self.positions[first + k] = x;
                self.velocities[first + k] = v;
            }
        } else {
            for k in 0..self.rows.len() {
                self.positions[first + k] = self.rows.interpolate(k, &self.positions);
            }
        }
        self.evaluation = self
            .field
            .evaluate(&self.positions, &self.velocities, &mut self.forces);
        if self.drops_ghosts {
            return;
        }
        for k in (0..self.rows.len()).rev() {
            let force = self.forces[first + k];
            for (n, w) in self.rows.entries(k) {
                self.forces[n as usize] += force * w;
            }
        }
    }
}
