//! The elements of one rate, with the nodes that they need in an order of their own.

use std::sync::Arc;

use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;

use crate::cut::{Cut, Interface, Operators};
use crate::force::lanes::LaneWorkspace;
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
    pub(crate) found: Evaluation,
    /// positions of the masters without the ripple of slower groups, at the last evaluation
    smooth: Vec<Vec3>,
    /// slower groups with common masters: their places in the list of groups, and the places of these masters in both groups
    slower: Vec<(usize, Vec<[u32; 2]>)>,
    /// for each master whether no finer group pushes it: gravity and loads act with this one, and where nodes have steps only this one kicks it
    pub(crate) is_finest: Vec<bool>,
    /// for each held node whether its support feels this group
    pub(crate) is_carried: Vec<bool>,
    /// part of the viscous power that counts: elements that are in several groups count once
    pub(crate) power_share: f64,
}

impl Group {
    /// Gathers `tets` of one step level. `local` has [`u32::MAX`] for every node and gets it back; `spare` has workspaces of groups that are no more.
    pub fn new(
        level: u8,
        tets: &[u32],
        cut: &Cut,
        operators: &Operators,
        constants: &ElementConstants,
        params: &AdaptiveParams,
        (local, spare): (&mut [u32], &mut Vec<LaneWorkspace>),
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
            shape.volume *= cut.weight(t, params.interface) * forest.stiffness(t);
            shape
        });
        let field = ForceField::from_mesh(
            Arc::new(mesh),
            Arc::new(shapes.collect()),
            *constants,
            params,
            spare,
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
            is_carried: vec![true; counts.1],
            power_share: 1.0,
            smooth: vec![Vec3::zeros(); counts.0],
            slower: Vec::new(),
            nodes,
        }
    }

    /// What another group can work in.
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

    /// Takes over where the masters are and how fast; held nodes rest where they are.
    pub(crate) fn take(&mut self, positions: &[Vec3], velocities: &[Vec3]) {
        for k in self.masters..self.masters + self.held {
            self.positions[k] = positions[self.nodes[k] as usize];
        }
        for (k, &n) in self.nodes[..self.masters].iter().enumerate() {
            self.positions[k] = positions[n as usize];
            self.velocities[k] = velocities[n as usize];
        }
        self.smooth.copy_from_slice(&self.positions[..self.masters]);
    }

    /// Takes over where the masters are; velocities stay, which are zero in a new group. Held nodes rest where they are.
    pub(crate) fn take_positions(&mut self, positions: &[Vec3]) {
        let first = &self.nodes[..self.masters + self.held];
        for (k, &n) in first.iter().enumerate() {
            self.positions[k] = positions[n as usize];
        }
    }

    /// Takes over where the masters are `step` seconds after the last time. Velocities become the mean over this step, less the ripple of the groups in
    /// `slower`: between two kicks `F h` of a group of step h a node is `(F h²/2m) s (1 − s)`, `s = 0..1`, off the place where a steady force F would have
    /// it. `factors` has `h² s (1 − s)/2` for each of these groups.
    pub(crate) fn follow(
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
            self.smooth.copy_from_slice(&self.positions[..self.masters]);
            return;
        }
        for (k, was) in self.smooth.iter_mut().enumerate() {
            let x = self.positions[k];
            self.velocities[k] = x - *was;
            *was = x;
        }
        for (group, shared) in &self.slower {
            let Some(group) = slower.get(*group) else {
                continue;
            };
            let factor = factors(group);
            if factor == 0.0 {
                continue;
            }
            for &[here, there] in shared {
                let (here, there) = (here as usize, there as usize);
                let w = inverse_masses[self.nodes[here] as usize];
                let ripple = group.forces[there] * (factor * w);
                self.velocities[here] -= ripple;
                self.smooth[here] -= ripple;
            }
        }
        let rate = 1.0 / step;
        for v in &mut self.velocities[..self.masters] {
            *v *= rate;
        }
    }

    /// Finds the masters that are also those of `slower` groups.
    pub(crate) fn share_with(&mut self, slower: &[Group]) {
        self.slower.clear();
        if !self.is_damped {
            return;
        }
        for (g, group) in slower.iter().enumerate() {
            let (mut shared, mut there) = (Vec::new(), 0);
            let theirs = group.masters();
            for (here, n) in self.masters().iter().enumerate() {
                while theirs.get(there).is_some_and(|m| m < n) {
                    there += 1;
                }
                if theirs.get(there) == Some(n) {
                    shared.push([here as u32, there as u32]);
                }
            }
            if !shared.is_empty() {
                self.slower.push((g, shared));
            }
        }
    }

    /// Writes the mean velocity of each master over the `step` seconds since the last time.
    pub(crate) fn mean_velocities(&self, positions: &[Vec3], step: f64, to: &mut [Vec3]) {
        let rate = 1.0 / step;
        for (&n, was) in self.masters().iter().zip(&self.smooth) {
            to[n as usize] = (positions[n as usize] - was) * rate;
        }
    }

    /// Ghosts, elements, and the forces on ghosts back to what they follow.
    pub(crate) fn evaluate(&mut self) {
        let first = self.masters + self.held;
        if self.is_damped {
            for k in 0..self.rows.len() {
                let (nodes, weights) = self.rows.row(k);
                let (mut x, mut v) = (Vec3::zeros(), Vec3::zeros());
                for (&n, &w) in nodes.iter().zip(weights) {
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
