//! The force-feedback local model: many nodes under rigid tools, between two frames of the body.
//!
//! The slower thread decides which nodes touch and publishes how their forces change with the tools. At servo rate the forces follow from the
//! displacements `d` of the tools, `λ = λ₀ + C⁻¹ n·d`, and a node that would pull is released. For the published set this is the exact response of the body,
//! not an approximation (James and Pai 2003, section on haptic interaction: local buffer model). A tool that only translates moves all
//! its nodes alike, so that `C⁻¹ n` is three numbers for each row and tool, and a tick costs a dozen operations for each instead of one for each pair
//! of rows. The tips of a hand are coupled through the body.

use pliant_core::math::{Mat3, Vec3};

use crate::haptics::contact_force::{ContactForce, ContactMode};
use crate::haptics::servo::safety::SafetyLimits;

/// Owner of a row that belongs to no tool: the row is held in place.
pub const NO_TOOL: u32 = u32::MAX;

/// The model that the slower thread publishes. Its memory is reused.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LocalModel {
    /// Number of the model: differs from that of the last published one.
    pub epoch: u64,
    /// Positions of the tools when the model was made, m.
    pub origins: Vec<Vec3>,
    /// Direction out of the tool of each row.
    pub directions: Vec<Vec3>,
    /// The tool that each row belongs to: such a row may only push. [`NO_TOOL`] for rows that are held in place.
    pub owners: Vec<u32>,
    /// Force of each row while the tools are at `origins`, N.
    pub forces: Vec<f64>,
    /// Change of each row's force with the displacement of each tool, N/m: tool after tool, row after row.
    pub responses: Vec<Vec3>,
    /// Tangential force of each tool on the body, N: constant until the next frame.
    pub friction: Vec<Vec3>,
}

impl LocalModel {
    /// Number of rows `m`.
    pub fn len(&self) -> usize {
        self.forces.len()
    }

    /// Whether nothing touches.
    pub fn is_empty(&self) -> bool {
        self.forces.is_empty()
    }

    /// Sets [`Self::responses`] from `C⁻¹` column by column (`m²` numbers, N/m). Only rows of tools move with a tool.
    pub(crate) fn set_responses(&mut self, inverse: &[f64]) {
        let (m, tools) = (self.directions.len(), self.origins.len());
        self.responses.clear();
        self.responses.resize(m * tools, Vec3::zeros());
        let columns = inverse.chunks_exact(m.max(1));
        for ((column, direction), &owner) in columns.zip(&self.directions).zip(&self.owners) {
            let owner = owner as usize;
            if owner >= tools {
                continue;
            }
            for (row, entry) in self.responses.chunks_exact_mut(tools).zip(column) {
                row[owner] += direction * *entry;
            }
        }
    }

    /// For each tool its force on the body (N) with the tools at `positions`, and its derivative with respect to the tool position (N/m). Cost `12 m` operations a tool,
    /// no allocation.
    pub fn forces(&self, positions: &[Vec3], out: &mut [(Vec3, Mat3)]) {
        out.fill((Vec3::zeros(), Mat3::zeros()));
        let tools = self.origins.len();
        let rows = self.directions.iter().zip(&self.owners);
        let responses = self.responses.chunks_exact(tools.max(1));
        for (((direction, &owner), force), row) in rows.zip(&self.forces).zip(responses) {
            let owner = owner as usize;
            let (Some((sum, stiffness)), Some(own)) = (out.get_mut(owner), row.get(owner)) else {
                continue;
            };
            let mut force = *force;
            for ((response, position), origin) in row.iter().zip(positions).zip(&self.origins) {
                force += response.dot(&(position - origin));
            }
            if force > 0.0 {
                *sum += direction * force;
                *stiffness += direction * own.transpose();
            }
        }
        for ((sum, _), friction) in out.iter_mut().zip(&self.friction) {
            if *sum != Vec3::zeros() {
                *sum += friction;
            }
        }
    }
}

/// The force of one tool at servo rate. It changes smoothly to a new published model, and fades where no new one arrives.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LocalContact {
    /// force of the last model minus that of the new one, N, and the ticks until it has faded
    difference: Vec3,
    ticks_left: u32,
    last: Vec3,
    epoch: u64,
    age: f64,
    stale_ticks: u64,
}

/// Ticks over which the difference to the last model fades.
const BLEND_TICKS: u32 = 10;

impl LocalContact {
    /// Force of the tool on the body, `elapsed` seconds after the last tick, where `force` and `stiffness` are those of the model with number `epoch`.
    pub fn step(
        &mut self,
        epoch: u64,
        (force, stiffness): (Vec3, Mat3),
        elapsed: f64,
        limits: &SafetyLimits,
    ) -> ContactForce {
        if epoch == self.epoch {
            self.age += elapsed;
        } else {
            (self.epoch, self.age) = (epoch, 0.0);
            (self.difference, self.ticks_left) = (self.last - force, BLEND_TICKS);
        }
        let share = f64::from(self.ticks_left) / f64::from(BLEND_TICKS);
        self.ticks_left = self.ticks_left.saturating_sub(1);
        let freshness = limits.freshness(self.age);
        let target_force = force + self.difference * share;
        self.stale_ticks += u64::from(freshness < 1.0 && target_force != Vec3::zeros());
        self.last = target_force * freshness;
        ContactForce {
            force: self.last,
            stiffness: stiffness * freshness,
            anchor: None,
            mode: if self.last == Vec3::zeros() {
                ContactMode::Open
            } else {
                ContactMode::Stick
            },
        }
    }

    /// Number of ticks in which the force was reduced because the model was too old.
    pub fn stale_ticks(&self) -> u64 {
        self.stale_ticks
    }

    /// Ends the contact. The next one fades in from zero force.
    pub fn release(&mut self) {
        (self.last, self.difference, self.ticks_left) = (Vec3::zeros(), Vec3::zeros(), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spring(epoch: u64, stiffness: f64) -> LocalModel {
        LocalModel {
            epoch,
            origins: vec![Vec3::zeros()],
            directions: vec![-Vec3::y()],
            owners: vec![0],
            forces: vec![0.001 * stiffness],
            responses: vec![-Vec3::y() * stiffness],
            friction: vec![Vec3::zeros()],
        }
    }

    fn one(model: &LocalModel, position: &Vec3) -> (Vec3, Mat3) {
        let mut out = [(Vec3::zeros(), Mat3::zeros())];
        model.forces(&[*position], &mut out);
        out[0]
    }

    #[test]
    fn fingers_feel_each_other_through_the_body_and_held_rows_nobody() {
        // two springs against each other through a common base, and a row that is held
        let mut model = LocalModel {
            epoch: 1,
            origins: vec![Vec3::zeros(), Vec3::x()],
            directions: vec![Vec3::x(), -Vec3::x(), Vec3::y()],
            owners: vec![0, 1, NO_TOOL],
            forces: vec![2.0, 2.0, 1.0],
            responses: Vec::new(),
            friction: vec![Vec3::zeros(), Vec3::y() * 0.5],
        };
        model.set_responses(&[900.0, 300.0, 50.0, 300.0, 900.0, -50.0, 50.0, -50.0, 700.0]);
        let mut out = [(Vec3::zeros(), Mat3::zeros()); 2];
        let at = |x: f64| [Vec3::x() * x, Vec3::x()];
        model.forces(&at(0.0), &mut out);
        assert_eq!(out[0].0, Vec3::x() * 2.0);
        assert_eq!(out[1].0, Vec3::new(-2.0, 0.5, 0.0));
        // the first presses on: both feel it
        model.forces(&at(1e-3), &mut out);
        assert!((out[0].0.x - 2.9).abs() < 1e-12 && (out[1].0.x + 2.3).abs() < 1e-12);
        // it goes: the other keeps what is its own, and friction ends with contact
        model.forces(&at(-3e-3), &mut out);
        assert_eq!(out[0].0, Vec3::zeros());
        assert!((out[1].0.x + 1.1).abs() < 1e-12);
        model.forces(&at(-1e-2), &mut out);
        assert_eq!(out[1].0, Vec3::zeros());
    }

    #[test]
    fn deeper_is_harder_and_out_is_nothing() {
        let model = spring(1, 1000.0);
        let mut inverted = model.clone();
        inverted.set_responses(&[1000.0]);
        assert_eq!(inverted, model);
        let at = |y: f64| one(&model, &Vec3::new(0.0, y, 0.0));
        assert!((at(0.0).0.y + 1.0).abs() < 1e-12);
        assert!((at(-0.001).0.y + 2.0).abs() < 1e-12);
        assert_eq!(at(-0.001).1[(1, 1)], 1000.0);
        assert_eq!(at(0.002), (Vec3::zeros(), Mat3::zeros()));
    }

    #[test]
    fn a_new_model_takes_over_without_a_step_and_an_old_one_fades() {
        let limits = SafetyLimits::default();
        let mut contact = LocalContact::default();
        let still = Vec3::zeros();
        let mut last = 0.0;
        for tick in 0..400 {
            let model = spring(1 + tick / 100, 1000.0 + 300.0 * (tick / 100) as f64);
            let force = -contact
                .step(model.epoch, one(&model, &still), 1e-3, &limits)
                .force
                .y;
            assert!(
                (force - last).abs() < 0.11,
                "tick {tick}: {last} to {force}"
            );
            last = force;
        }
        // each of the four models served for 100 ms and was older than 50 ms in half of them, to a tick
        let stale_ticks = contact.stale_ticks();
        assert!((196..=200).contains(&stale_ticks), "{stale_ticks}");
        let model = spring(4, 1900.0);
        for _ in 0..200 {
            last = -contact
                .step(model.epoch, one(&model, &still), 1e-3, &limits)
                .force
                .y;
        }
        assert!(last == 0.0 && limits.freshness(contact.age) < 1.0);
    }
}
