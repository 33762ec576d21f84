//! Constraints of a model with inertia: impulses on the nodes behind skin vertices, by projected Gauss–Seidel.
//!
//! A skin vertex with embedding weights `w_k` has the velocity `v_s = Σ w_k v_k`. An impulse `j` along `n` on it changes the nodal velocities by
//! `w_k j n / m_k`, so that its effective inverse mass is `W = Σ w_k² / m_k`. Momentum is exact: the nodes gain what the tool loses.
//! Rows are swept in a fixed order. The warm start takes the impulses of the last substep, and in the first substep of a frame the expected forces of contacts
//! ([`DisplacementConstraint::expected_force`]). From nothing, a few sweeps do not find the impulses of many vertices on few nodes. Vertices with friction would slip a little in each frame, and
//! nothing takes a slip back.

mod held_rows;
mod row;
#[cfg(test)]
mod tests;

use crate::boundary::{ConstrainedDirections, ConstraintKind, DisplacementConstraint};
use crate::math::Vec3;
use crate::mesh::{SkinEmbedding, WeightedRows};
use held_rows::HeldRows;
use row::{Row, effective_mass};

pub use row::can_move;

/// Gauss–Seidel sweeps a substep; the warm start carries convergence over substeps.
const SWEEPS: usize = 6;
/// The same in frames of [`MANY_SUBSTEPS`] or more, where few are asked for: impulses change little from one substep to the next.
const FEW_SWEEPS: usize = 2;
/// Substeps a frame.
const MANY_SUBSTEPS: f64 = 60.0;
/// Most different directions whose held vertices are solved directly, one set after the other; further ones are left to the sweeps.
const MAX_DIRECTION_SETS: usize = 4;

/// The constraints of one frame, ready to be imposed on velocities substep by substep.
#[derive(Debug, Clone, Default)]
pub struct VelocityProjection {
    rows: Vec<Row>,
    /// nodes and weights of each row
    nodes: WeightedRows,
    /// the same rows with local nodes, which are indices into `touched`
    local_rows: WeightedRows,
    /// the distinct nodes of all rows, ascending
    touched: Vec<u32>,
    /// velocity (m/s) and inverse mass (1/kg) of each touched node, which the sweeps work on
    local_nodes: Vec<(Vec3, f64)>,
    /// inverse masses of the touched nodes, 1/kg
    local_inverse_masses: Vec<f64>,
    /// the different directions of held vertices in the frame, and the rows held in each; [`HeldRows`] of earlier frames stay behind for their memory
    directions: Vec<ConstrainedDirections>,
    held: Vec<HeldRows>,
    /// impulse of each constraint in the frame so far, N·s
    impulse_sums: Vec<Vec3>,
    /// mean force of each constraint in the last ended frame, N
    reactions: Vec<Vec3>,
    /// time of the frame that was stepped, s
    elapsed: f64,
    /// whether [`FEW_SWEEPS`] suffice in [`MANY_SUBSTEPS`]
    has_few_sweeps: bool,
}

impl VelocityProjection {
    /// With 2 sweeps a substep instead of 6 in frames of 60 substeps or more in which nothing is held: for free bodies, which touch with hundreds of vertices where they fall. Their forces change by at most one per cent, and the
    /// frames of an impact take a fifth less time. In bodies on supports, the energy balance gets worse by up to a third (scene `finger-pad`).
    pub fn with_few_sweeps() -> Self {
        Self {
            has_few_sweeps: true,
            ..Self::default()
        }
    }

    /// Takes the constraints of a frame of `duration` seconds.
    ///
    /// `embedding` gives nodes and weights of each skin vertex, `inverse_masses` 1/m of each node (1/kg, zero for held nodes),
    /// `positions` the present node positions (m). A vertex that starts behind its target is brought to it linearly over the frame. Where vertices are held in the same
    /// directions, those whose rows depend on others are not constrained themselves. Allocates only when a frame has more constraints than any before.
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
        self.impulse_sums.clear();
        self.impulse_sums.resize(constraints.len(), Vec3::zeros());
        self.elapsed = 0.0;
        for c in constraints {
            let (nodes, weights) = embedding.row(c.vertex as usize);
            self.nodes.push(embedding.entries(c.vertex as usize));
            let position = embedding.interpolate(c.vertex as usize, positions);
            let first_target = c.target - c.velocity * duration;
            // where the target begins the frame: a contact never in front of the vertex, so that the gap closes linearly
            let start = match (c.directions, c.kind) {
                (ConstrainedDirections::Along(n), ConstraintKind::Unilateral) => {
                    let depth = n.dot(&(first_target - position));
                    if depth > 0.0 {
                        first_target - n * depth
                    } else {
                        first_target
                    }
                }
                (ConstrainedDirections::All, _) => position,
                (directions, _) => first_target + directions.part(&(position - first_target)),
            };
            self.rows.push(Row {
                effective_mass: effective_mass(nodes, weights, inverse_masses),
                directions: c.directions,
                kind: c.kind,
                friction: c.friction.coefficients(),
                start,
                target: c.target,
                path_velocity: (c.target - start) / duration,
                velocity: c.velocity,
                expected_force: c.expected_force,
                impulse: Vec3::zeros(),
                is_solved_directly: false,
                gap: Vec3::zeros(),
                target_normal_velocity: 0.0,
            });
        }
        self.touched.clear();
        self.touched.extend_from_slice(self.nodes.items());
        self.touched.sort_unstable();
        self.touched.dedup();
        self.local_rows.clear();
        let local_index = |n: &u32| self.touched.partition_point(|t| t < n) as u32;
        for k in 0..self.rows.len() {
            let (nodes, weights) = self.nodes.row(k);
            let local = nodes.iter().map(local_index);
            self.local_rows.push(local.zip(weights.iter().copied()));
        }
        self.local_inverse_masses.clear();
        let inverse_mass = |n: &u32| inverse_masses[*n as usize];
        self.local_inverse_masses
            .extend(self.touched.iter().map(inverse_mass));
        self.directions.clear();
        for row in self.rows.iter().filter(|row| row.is_held()) {
            let is_new = !self.directions.contains(&row.directions);
            if is_new && self.directions.len() < MAX_DIRECTION_SETS {
                self.directions.push(row.directions);
            }
        }
        if self.held.len() < self.directions.len() {
            let count = self.directions.len();
            self.held.resize_with(count, HeldRows::default);
        }
        for (held, &directions) in self.held.iter_mut().zip(&self.directions) {
            held.begin_frame(
                directions,
                &mut self.rows,
                &self.local_rows,
                &self.local_inverse_masses,
            );
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
        let sweeps = self.sweeps(step, duration);
        let is_first = self.elapsed == 0.0;
        let Self {
            rows,
            nodes,
            local_rows,
            touched,
            local_nodes,
            impulse_sums,
            directions,
            held,
            ..
        } = self;
        let direction_sets = directions.len();
        // sweeps visit the same few nodes many times: they work on a compact copy
        local_nodes.clear();
        let copy = |&n: &u32| (velocities[n as usize], inverse_masses[n as usize]);
        local_nodes.extend(touched.iter().map(copy));
        let share = ((time + step) / duration).min(1.0);
        for (k, row) in rows.iter_mut().enumerate() {
            if is_first {
                row.warm_start(step);
            }
            let target = row.start + (row.target - row.start) * share;
            row.begin_substep(target - nodes.interpolate(k, positions), step);
        }
        for sweep in 0..=sweeps {
            // sets of rows with different directions disturb each other
            let mut is_converged = sweep > 0 && direction_sets < 2;
            if sweep > 0 {
                for held in held.iter_mut().take(direction_sets) {
                    held.project(rows, local_nodes, local_rows, step);
                }
            }
            for (k, row) in rows.iter_mut().enumerate() {
                if row.effective_mass == 0.0 || (row.is_solved_directly && sweep > 0) {
                    continue;
                }
                let (nodes, weights) = local_rows.row(k);
                let nodes = || nodes.iter().map(|k| *k as usize).zip(weights);
                let before: Vec3 = nodes().map(|(k, w)| local_nodes[k].0 * *w).sum();
                let impulse = if sweep == 0 {
                    // warm start: the impulse of the last substep, or the expected one
                    row.impulse
                } else {
                    row.admissible_impulse(&before, step) - row.impulse
                };
                if impulse == Vec3::zeros() {
                    continue;
                }
                is_converged = false;
                for (k, w) in nodes() {
                    let (velocity, inverse_mass) = &mut local_nodes[k];
                    *velocity += impulse * (*w * *inverse_mass);
                }
                if sweep > 0 {
                    row.impulse += impulse;
                }
            }
            // no row changed anything, so that further sweeps would not either
            if is_converged {
                break;
            }
        }
        for (&n, (velocity, _)) in touched.iter().zip(local_nodes.iter()) {
            velocities[n as usize] = *velocity;
        }
        for (sum, row) in impulse_sums.iter_mut().zip(rows.iter()) {
            *sum += row.impulse;
        }
        self.elapsed += step;
    }

    /// Sweeps of a substep of `step` seconds in a frame of `duration` seconds.
    fn sweeps(&self, step: f64, duration: f64) -> usize {
        let has_many_substeps = duration >= MANY_SUBSTEPS * step;
        match self.has_few_sweeps && has_many_substeps && self.directions.is_empty() {
            true => FEW_SWEEPS,
            false => SWEEPS,
        }
    }

    /// Ends the frame: mean forces on the body, N, one a constraint.
    pub fn end_frame(&mut self) -> &[Vec3] {
        let elapsed = self.elapsed.max(f64::MIN_POSITIVE);
        self.reactions.clear();
        self.reactions
            .extend(self.impulse_sums.iter().map(|j| j / elapsed));
        &self.reactions
    }

    /// Mean forces of the last ended frame, N.
    pub fn reactions(&self) -> &[Vec3] {
        &self.reactions
    }

    /// Work (J) that the constraints did in the frame so far: the impulse of each times its velocity. That velocity is the one of the tool's material point or of the grab, not the one at
    /// which the target closes a gap. So a tool at rest does no work, and the work is the force times the velocity whether the vertex sticks or slides.
    ///
    /// What the nodes gained less than that was dissipated.
    pub fn work(&self) -> f64 {
        let all = self.rows.iter().zip(&self.impulse_sums);
        all.map(|(row, impulse)| impulse.dot(&row.velocity)).sum()
    }

    /// Mean force (N) over the frame that the constraints exert on the nodes for which `held` is true: `Σ w j / T`.
    pub fn force_on(&self, mut held: impl FnMut(u32) -> bool) -> Vec3 {
        let elapsed = self.elapsed.max(f64::MIN_POSITIVE);
        let mut force = Vec3::zeros();
        for (k, sum) in self.impulse_sums.iter().enumerate() {
            for (_, weight) in self.nodes.entries(k).filter(|(n, _)| held(*n)) {
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
