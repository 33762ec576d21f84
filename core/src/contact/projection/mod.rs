//! Constraints of a model with inertia: impulses on the nodes behind skin vertices, by projected Gauss–Seidel.
//!
//! A skin vertex with embedding weights `w_k` moves with `v_s = Σ w_k v_k`. An impulse `j` along `n` on it changes the nodes by
//! `w_k j n / m_k`, so that its effective inverse mass is `W = Σ w_k² / m_k`. Momentum is exact: what the tool loses the nodes gain.
//! Rows are swept in a fixed order, with the impulses of the last substep as first guess.

mod held_rows;
mod row;
#[cfg(test)]
mod tests;

use crate::boundary::{ConstrainedDirections, ConstraintKind, DisplacementConstraint};
use crate::math::Vec3;
use crate::mesh::{SkinEmbedding, WeightedRows};
use held_rows::HeldRows;
use row::{Row, effective_mass};

/// Gauss–Seidel sweeps a substep; the warm start carries convergence over substeps.
const SWEEPS: usize = 6;
/// Most sets of directions whose held vertices are solved together, set by set; those of further sets are left to the sweeps.
const MOST_DIRECTIONS: usize = 4;

/// The constraints of one frame, ready to be imposed on velocities substep by substep.
#[derive(Debug, Clone, Default)]
pub struct VelocityProjection {
    rows: Vec<Row>,
    /// nodes and weights of each row
    nodes: WeightedRows,
    /// the same nodes by their places in `touched`, the distinct ones, ascending
    places: WeightedRows,
    touched: Vec<u32>,
    /// what the sweeps work on: velocity (m/s) and inverse mass (1/kg) of each touched node
    local: Vec<(Vec3, f64)>,
    /// inverse masses of the touched nodes, 1/kg
    compliances: Vec<f64>,
    /// vertices that are held in the same directions are solved together: the directions of the frame, and what belongs to each
    directions: Vec<ConstrainedDirections>,
    held: Vec<HeldRows>,
    /// impulse sums of the frame, N·s, one a constraint
    sums: Vec<Vec3>,
    reactions: Vec<Vec3>,
    elapsed: f64,
}

impl VelocityProjection {
    /// Takes over the constraints of a frame of `duration` seconds.
    ///
    /// `embedding` gives nodes and weights of each skin vertex, `inverse_masses` 1/m of each node (1/kg, zero for held nodes),
    /// `positions` the present node positions (m). A vertex that starts behind its target is brought to it linearly over the frame. Of vertices that are held in the same
    /// directions those that follow from others are not held themselves. Allocates only when
    /// a frame has more constraints than any before.
    pub fn begin_frame(
        &mut self,
        constraints: &[DisplacementConstraint],
        embedding: &SkinEmbedding,
        inverse_masses: &[f64],
        positions: &[Vec3],
        duration: f64,
    ) {
        self.rows.clear();
        self.nodes.clear();
        self.sums.clear();
        self.sums.resize(constraints.len(), Vec3::zeros());
        self.elapsed = 0.0;
        for c in constraints {
            let (nodes, weights) = embedding.row(c.vertex as usize);
            let row = nodes.iter().copied().zip(weights.iter().copied());
            self.nodes.push(row);
            let here = embedding.interpolate(c.vertex as usize, positions);
            let was = c.target - c.velocity * duration;
            // where the constraint begins the frame: never in front of the vertex, so that the gap closes linearly
            let start = match (c.directions, c.kind) {
                (ConstrainedDirections::Along(n), ConstraintKind::Unilateral) => {
                    let depth = n.dot(&(was - here));
                    if depth > 0.0 { was - n * depth } else { was }
                }
                (ConstrainedDirections::All, _) => here,
                (directions, _) => was + directions.part(&(here - was)),
            };
            self.rows.push(Row {
                mass: effective_mass(nodes, weights, inverse_masses),
                directions: c.directions,
                kind: c.kind,
                friction: c.friction.coefficients(),
                start,
                target: c.target,
                path_velocity: (c.target - start) / duration,
                velocity: c.velocity,
                impulse: Vec3::zeros(),
                is_solved: false,
                gap: Vec3::zeros(),
                wanted: 0.0,
            });
        }
        self.touched.clear();
        self.touched.extend_from_slice(self.nodes.items());
        self.touched.sort_unstable();
        self.touched.dedup();
        self.places.clear();
        let place = |n: &u32| self.touched.partition_point(|t| t < n) as u32;
        for k in 0..self.rows.len() {
            let (nodes, weights) = self.nodes.row(k);
            let places = nodes.iter().map(place);
            self.places.push(places.zip(weights.iter().copied()));
        }
        self.compliances.clear();
        let compliance = |n: &u32| inverse_masses[*n as usize];
        self.compliances.extend(self.touched.iter().map(compliance));
        self.directions.clear();
        for row in self.rows.iter().filter(|row| row.is_held()) {
            let is_new = !self.directions.contains(&row.directions);
            if is_new && self.directions.len() < MOST_DIRECTIONS {
                self.directions.push(row.directions);
            }
        }
        if self.held.len() < self.directions.len() {
            let count = self.directions.len();
            self.held.resize_with(count, HeldRows::default);
        }
        for (held, &directions) in self.held.iter_mut().zip(&self.directions) {
            held.begin_frame(directions, &mut self.rows, &self.places, &self.compliances);
        }
    }

    /// The nodes that constraints of the frame act on, ascending.
    pub fn touched(&self) -> &[u32] {
        &self.touched
    }

    /// Whether the frame has no constraint.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Imposes the constraints on `velocities` (m/s) for the substep of `step` seconds that begins at `time` in the frame.
    ///
    /// `positions` are those at the beginning of the substep; the caller then moves nodes by `step * velocities`.
    pub fn project(
        &mut self,
        velocities: &mut [Vec3],
        positions: &[Vec3],
        inverse_masses: &[f64],
        time: f64,
        step: f64,
        duration: f64,
    ) {
        let Self {
            rows,
            nodes,
            places,
            touched,
            local,
            sums,
            directions,
            held,
            ..
        } = self;
        let groups = directions.len();
        // sweeps go over the same few nodes many times: they get a copy of their own
        local.clear();
        let copy = |&n: &u32| (velocities[n as usize], inverse_masses[n as usize]);
        local.extend(touched.iter().map(copy));
        let share = ((time + step) / duration).min(1.0);
        for (k, row) in rows.iter_mut().enumerate() {
            let there = row.start + (row.target - row.start) * share;
            row.begin_substep(there - nodes.interpolate(k, positions), step);
        }
        for sweep in 0..=SWEEPS {
            // those that are held in other directions may move each other
            let mut is_settled = sweep > 0 && groups < 2;
            if sweep > 0 {
                for held in held.iter_mut().take(groups) {
                    held.project(rows, local, places, step);
                }
            }
            for (k, row) in rows.iter_mut().enumerate() {
                if row.mass == 0.0 || (row.is_solved && sweep > 0) {
                    continue;
                }
                let (places, weights) = places.row(k);
                let nodes = || places.iter().map(|k| *k as usize).zip(weights);
                let before: Vec3 = nodes().map(|(k, w)| local[k].0 * *w).sum();
                let impulse = if sweep == 0 {
                    // warm start with what the last substep needed
                    row.impulse
                } else {
                    row.admissible_impulse(&before, step) - row.impulse
                };
                if impulse == Vec3::zeros() {
                    continue;
                }
                is_settled = false;
                for (k, w) in nodes() {
                    let (velocity, inverse_mass) = &mut local[k];
                    *velocity += impulse * (*w * *inverse_mass);
                }
                if sweep > 0 {
                    row.impulse += impulse;
                }
            }
            // nothing else moved, so that nothing would in the sweeps that are left
            if is_settled {
                break;
            }
        }
        for (&n, (velocity, _)) in touched.iter().zip(local.iter()) {
            velocities[n as usize] = *velocity;
        }
        for (sum, row) in sums.iter_mut().zip(rows.iter()) {
            *sum += row.impulse;
        }
        self.elapsed += step;
    }

    /// Ends the frame: mean forces on the body, N, one a constraint.
    pub fn end_frame(&mut self) -> &[Vec3] {
        let elapsed = self.elapsed.max(f64::MIN_POSITIVE);
        self.reactions.clear();
        self.reactions.extend(self.sums.iter().map(|j| j / elapsed));
        &self.reactions
    }

    /// Mean forces of the last ended frame, N.
    pub fn reactions(&self) -> &[Vec3] {
        &self.reactions
    }

    /// Mean force (N) over the frame that the constraints put on node-fixed supports: `Σ w j / T` over nodes with `held(node)`.
    pub fn force_on(&self, mut held: impl FnMut(u32) -> bool) -> Vec3 {
        let elapsed = self.elapsed.max(f64::MIN_POSITIVE);
        let mut force = Vec3::zeros();
        for (k, sum) in self.sums.iter().enumerate() {
            let (nodes, weights) = self.nodes.row(k);
            for (_, weight) in nodes.iter().zip(weights).filter(|(n, _)| held(**n)) {
                force += sum * (weight / elapsed);
            }
        }
        force
    }

    /// Largest distance from a held target or depth behind a contact at the end of the frame, m.
    pub fn violation(&self, positions: &[Vec3]) -> f64 {
        let mut worst = 0.0_f64;
        for (k, row) in self.rows.iter().enumerate() {
            let gap = row.target - self.nodes.interpolate(k, positions);
            worst = worst.max(row.directions.violation(row.kind, &gap));
        }
        worst
    }
}
