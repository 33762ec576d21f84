//! Positions and velocities of one level, and the forces that move them.

use pliant_core::math::Vec3;
use pliant_core::mesh::Csr;

use crate::force::rigid_motion::RigidMotion;
use crate::force::{Evaluation, ForceField};
use crate::hierarchy::Level;
use crate::step::filter::NodeFilter;
use crate::step::subcycling::Subcycled;

/// The moving part of a level: symplectic Euler, `v += Δt (f/m + g)`, then `x += Δt v`.
#[derive(Debug, Clone)]
pub struct Dynamics {
    /// Node positions, world, m.
    pub positions: Vec<Vec3>,
    /// Node velocities, m/s; those of the last half step.
    pub velocities: Vec<Vec3>,
    /// Elastic and viscous forces at the present positions and velocities, N.
    pub forces: Vec<Vec3>,
    /// Forces of loads, N.
    pub loads: Vec<Vec3>,
    /// 1/m, zero for held nodes, 1/kg.
    pub inverse_masses: Vec<f64>,
    /// Inertial node masses, kg.
    pub masses: Vec<f64>,
    /// True over inertial mass of each node: gravity acts on the true one.
    pub weights: Vec<f64>,
    /// Elastic and viscous forces.
    pub field: ForceField,
    /// α (1/s) of the drag `−α m (v − v_rigid)`.
    pub drag: f64,
    /// Semi-implicit filter of velocities, if any.
    pub filter: Option<NodeFilter>,
    /// The forces of stiff elements and of the others, where stiff elements have shorter steps.
    pub(crate) subcycled: Option<Subcycled>,
    /// Whether a node is held: a supported body has no rigid motion.
    supported: bool,
    /// The nodes of each connected piece of a body that has been cut or broken.
    pieces: Option<Csr>,
    /// Result of the last evaluation of the forces.
    pub last_evaluation: Evaluation,
}

impl Dynamics {
    /// A level at rest, with inertial `masses` (kg) that may exceed those of the level.
    pub fn new(level: &Level, field: ForceField, drag: f64, masses: Vec<f64>) -> Self {
        let n = level.node_count();
        let mut dynamics = Self {
            positions: level.mesh.nodes.clone(),
            velocities: vec![Vec3::zeros(); n],
            forces: vec![Vec3::zeros(); n],
            loads: vec![Vec3::zeros(); n],
            inverse_masses: Vec::new(),
            weights: Vec::new(),
            masses: Vec::new(),
            field,
            drag,
            filter: None,
            subcycled: None,
            pieces: None,
            supported: level.is_supported(),
            last_evaluation: Evaluation::default(),
        };
        dynamics.set_masses(level, masses);
        dynamics
    }

    /// Sets inertial `masses`, kg. Gravity acts on the masses of the level in a supported body, and on the inertial masses in a free one.
    pub(crate) fn set_masses(&mut self, level: &Level, masses: Vec<f64>) {
        let held = level.held_flags();
        let inverse = |(m, held): (&f64, bool)| if held { 0.0 } else { 1.0 / m };
        self.inverse_masses = masses.iter().zip(held).map(inverse).collect();
        let share = |(m, inertial): (&f64, &f64)| if self.supported { m / inertial } else { 1.0 };
        self.weights = level.masses.iter().zip(&masses).map(share).collect();
        self.masses = masses;
    }

    /// Sets the piece of each node in a body that has broken into `count` pieces: each has a rigid motion of its own.
    pub(crate) fn set_pieces(&mut self, piece_of_node: &[u32], count: usize) {
        let pairs = (0..).zip(piece_of_node).map(|(n, piece)| (*piece, n));
        self.pieces = (count > 0).then(|| Csr::from_pairs(count, pairs));
    }

    /// Computes the forces at the present state, without those of stiff elements where these have shorter steps.
    pub fn evaluate(&mut self) {
        let field = match &mut self.subcycled {
            Some(parts) => &mut parts.slow,
            None => &mut self.field,
        };
        self.last_evaluation = field.evaluate(&self.positions, &self.velocities, &mut self.forces);
        if self.drag > 0.0 {
            self.add_drag();
        }
    }

    fn add_drag(&mut self) {
        let mut power = 0.0;
        match self.pieces.take() {
            None => self.add_drag_of(0..self.positions.len(), self.supported, &mut power),
            Some(pieces) => {
                for piece in 0..pieces.len() {
                    let nodes = pieces.row(piece).iter().map(|&n| n as usize);
                    let is_held = nodes.clone().any(|n| self.inverse_masses[n] == 0.0);
                    self.add_drag_of(nodes, is_held, &mut power);
                }
                self.pieces = Some(pieces);
            }
        }
        self.last_evaluation.viscous_power += power;
    }

    /// Adds the drag of a piece of these nodes, and what it takes to `power`, W.
    fn add_drag_of(
        &mut self,
        nodes: impl Iterator<Item = usize> + Clone,
        is_held: bool,
        power: &mut f64,
    ) {
        let rigid = match is_held {
            true => RigidMotion::none(),
            false => {
                let point = |n: usize| (self.positions[n], self.velocities[n], self.masses[n]);
                RigidMotion::of(nodes.clone().map(point))
            }
        };
        for n in nodes {
            let slip = self.velocities[n] - rigid.at(&self.positions[n]);
            let drag = self.drag * self.masses[n];
            self.forces[n] -= slip * drag;
            *power += drag * slip.norm_squared();
        }
    }

    /// Computes the forces of stiff elements at the present state.
    pub(crate) fn evaluate_stiff(&mut self) {
        if let Some(parts) = &mut self.subcycled {
            parts.stiff.evaluate(&self.positions, &self.velocities);
        }
    }

    /// Adds the forces of stiff elements, from their last evaluation, to those of the others.
    pub(crate) fn add_stiff_forces(&mut self) {
        if let Some(parts) = &self.subcycled {
            for (node, force) in parts.stiff.forces() {
                self.forces[node as usize] += force;
            }
        }
    }

    /// Velocities after the present forces of stiff elements have acted for `step` seconds.
    pub(crate) fn kick_stiff(&mut self, step: f64) {
        self.evaluate_stiff();
        if let Some(parts) = &self.subcycled {
            for (node, force) in parts.stiff.forces() {
                let n = node as usize;
                self.velocities[n] += force * (self.inverse_masses[n] * step);
            }
        }
    }

    /// Velocities after forces, loads and gravity (m/s²) have acted for `step` seconds. Held nodes keep theirs: zero.
    pub fn kick(&mut self, step: f64, gravity: &Vec3) {
        let fall = gravity * step;
        if let Some(parts) = &mut self.subcycled {
            parts.stiff.save_velocities(&self.velocities);
        }
        if let Some(filter) = &mut self.filter {
            filter.prepare(step);
            for (n, v) in self.velocities.iter_mut().enumerate() {
                let w = self.inverse_masses[n];
                if w > 0.0 {
                    let change = (self.forces[n] + self.loads[n]) * (w * step);
                    *v = filter.velocity(n, *v + change + fall * self.weights[n]);
                }
            }
            return;
        }
        for (i, v) in self.velocities.iter_mut().enumerate() {
            let w = self.inverse_masses[i];
            if w > 0.0 {
                *v += (self.forces[i] + self.loads[i]) * (w * step) + fall * self.weights[i];
            }
        }
    }

    /// Positions after `step` seconds with the present velocities. Stiff elements with shorter steps change the velocities of their nodes meanwhile.
    pub fn drift(&mut self, step: f64) {
        if let Some(parts) = &mut self.subcycled {
            parts.stiff.copy_from(&self.positions, &self.velocities);
            parts.stiff.advance(step, &self.inverse_masses);
        }
        for (x, v) in self.positions.iter_mut().zip(&self.velocities) {
            *x += v * step;
        }
        if let Some(parts) = &self.subcycled {
            parts
                .stiff
                .copy_to(&mut self.positions, &mut self.velocities);
        }
    }

    /// Adds `sign` times half of the next kick to the velocities: with 1 they belong to the time of the positions, with -1 to half a step before.
    pub(crate) fn add_half_kick(&mut self, step: f64, gravity: &Vec3, sign: f64) {
        for n in 0..self.velocities.len() {
            if self.inverse_masses[n] > 0.0 {
                let kick = self.slow_kick(n, step, gravity) + self.stiff_kick(n, step);
                self.velocities[n] += kick * (0.5 * sign);
            }
        }
    }

    /// Kinetic energy of the present velocities, J.
    pub fn kinetic_energy(&self) -> f64 {
        self.velocities
            .iter()
            .zip(&self.masses)
            .map(|(v, m)| 0.5 * m * v.norm_squared())
            .sum()
    }

    /// Kinetic energy at the time of the positions, J.
    ///
    /// The velocities of symplectic Euler belong to the middle of the last step; half of the next kick brings them to its end. `extra` is the change of
    /// velocity by contact, which is added to the whole kick.
    pub fn kinetic_energy_mid_step(
        &self,
        step: f64,
        gravity: &Vec3,
        extra: impl Fn(usize) -> Vec3,
    ) -> f64 {
        let mut sum = 0.0;
        for (i, v) in self.velocities.iter().enumerate() {
            if self.inverse_masses[i] > 0.0 {
                let kick = self.slow_kick(i, step, gravity) + extra(i) + self.stiff_kick(i, step);
                sum += 0.5 * self.masses[i] * (v + kick * 0.5).norm_squared();
            }
        }
        sum
    }

    /// Velocity change of a node in `step` seconds by loads, gravity (m/s²) and all forces but those of stiff elements, m/s.
    fn slow_kick(&self, node: usize, step: f64, gravity: &Vec3) -> Vec3 {
        let force = self.forces[node] + self.loads[node];
        (force * self.inverse_masses[node] + gravity * self.weights[node]) * step
    }

    /// Velocity change of a node by the next impulse of stiff elements, m/s.
    fn stiff_kick(&self, node: usize, step: f64) -> Vec3 {
        let Some(Subcycled { stiff, .. }) = &self.subcycled else {
            return Vec3::zeros();
        };
        stiff.force_on(node) * (self.inverse_masses[node] * step / f64::from(stiff.ratio))
    }

    /// Energy of gravity (m/s²) relative to the positions `rest`, J.
    pub fn potential_energy(&self, rest: &[Vec3], gravity: &Vec3) -> f64 {
        let mut moment = Vec3::zeros();
        let masses = self.masses.iter().zip(&self.weights).map(|(m, w)| m * w);
        for ((x, r), m) in self.positions.iter().zip(rest).zip(masses) {
            moment += (x - r) * m;
        }
        -gravity.dot(&moment)
    }

    /// Strain energy, J.
    pub fn elastic_energy(&self) -> f64 {
        self.field.energy(&self.positions)
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.positions
            .iter()
            .chain(&self.velocities)
            .all(|x| x.iter().all(|c| c.is_finite()))
    }
}
