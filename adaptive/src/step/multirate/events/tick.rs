//! One tick: groups that are due kick their nodes, constraints act on their nodes, and loads do work.

use pliant_core::math::Vec3;

use crate::params::Scheme;
use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::events::frame_constraints::FrameConstraints;
use crate::step::multirate::events::frame_totals::FrameTotals;
use crate::step::multirate::events::substep_schedule::SubstepSchedule;

impl CutDynamics {
    /// Evaluates the groups that are due at tick `now`, and applies their kicks.
    pub(crate) fn evaluate_and_kick(
        &mut self,
        schedule: &SubstepSchedule,
        now: u32,
        gravity: &Vec3,
        contact: &mut FrameConstraints<'_>,
        totals: &mut FrameTotals,
    ) {
        if now > 0 {
            for k in 0..self.groups.len() {
                if schedule.is_due(self.groups[k].level(), now) {
                    self.evaluate(k, now, schedule.tick, schedule.deepest);
                    totals.count(&self.groups[k]);
                }
            }
        }
        let jumps = self.params.scheme == Scheme::NodeJump;
        if schedule.contact_is_due(now) {
            if !jumps {
                for &n in contact.nodes {
                    self.drift(n, now, schedule.tick);
                }
            }
            if let Some(work) = contact.work.as_deref_mut() {
                let before = if now == 0 {
                    &self.half_step_velocities
                } else {
                    &self.velocities
                };
                work.save_before_kick(before);
            }
        }
        // the other half of the first kick was given at the end of the last frame
        let share = if now == 0 && !jumps { 0.5 } else { 1.0 };
        for k in 0..self.groups.len() {
            let level = self.groups[k].level();
            if schedule.is_due(level, now) {
                self.kick(k, share * schedule.step(level), gravity, totals);
            }
        }
    }

    /// Applies constraints at tick `now`, if they are due.
    pub(crate) fn apply_constraints(
        &mut self,
        schedule: &SubstepSchedule,
        now: u32,
        contact: &mut FrameConstraints<'_>,
        totals: &mut FrameTotals,
    ) {
        if !schedule.contact_is_due(now) {
            return;
        }
        totals.impulses += 1;
        let step = schedule.step(schedule.contact_level);
        let time = schedule.start + f64::from(now) * schedule.tick;
        if let Some(work) = contact.work.as_deref_mut() {
            work.save_after_kick(&self.velocities);
        }
        if let Some(projection) = contact.projection.as_deref_mut() {
            projection.project(
                &mut self.velocities,
                &self.positions,
                &self.inverse_masses,
                time,
                step,
                schedule.frame,
            );
        }
        if let Some(work) = contact.work.as_deref_mut() {
            totals.work += work.work_of_step(&self.velocities, &self.masses);
        }
    }

    /// Ends tick `now`, whose velocities are final: jumps of nodes, and the work of loads.
    pub(crate) fn end_tick(
        &mut self,
        schedule: &SubstepSchedule,
        now: u32,
        totals: &mut FrameTotals,
    ) {
        let jumps = self.params.scheme == Scheme::NodeJump;
        for k in 0..self.groups.len() {
            let level = self.groups[k].level();
            if jumps && schedule.is_due(level, now) {
                self.jump(k, schedule.step(level));
            }
        }
        for k in 0..self.groups.len() {
            let level = self.groups[k].level();
            if schedule.is_due(level, now) {
                totals.work += self.work_of_loads(k, schedule.step(level));
            }
        }
    }

    /// Drifts all nodes to the end of the frame, evaluates all groups there and applies half of their kicks. Velocities then belong to the same time as
    /// positions, and the next frame starts with the same forces.
    pub(crate) fn finish(
        &mut self,
        schedule: &SubstepSchedule,
        gravity: &Vec3,
        totals: &mut FrameTotals,
    ) {
        let SubstepSchedule {
            duration,
            tick,
            ticks,
            ..
        } = *schedule;
        let jumps = self.params.scheme == Scheme::NodeJump;
        for k in 0..self.operators.active().len() {
            let n = self.operators.active()[k] as usize;
            if self.inverse_masses[n] > 0.0 {
                // where nodes jump the last jump ended here
                if !jumps {
                    let elapsed = f64::from(ticks - self.node_ticks[n]) * tick;
                    self.positions[n] += self.velocities[n] * elapsed;
                }
            } else if let Some(support) = self.forest.support(n as u32) {
                let carried = self.loads[n] + gravity * self.true_mass(n as u32);
                totals.support_impulses[support] += carried * duration;
            }
            self.node_ticks[n] = 0;
        }
        for &n in self.operators.active() {
            self.half_step_velocities[n as usize] = self.velocities[n as usize];
        }
        if jumps {
            self.mean_velocities.copy_from_slice(&self.velocities);
        } else {
            // the fastest group writes last: its mean is over the shortest time
            for group in &self.groups {
                let step = duration / f64::from(1_u32 << group.level());
                group.mean_velocities(&self.positions, step, &mut self.mean_velocities);
            }
        }
        self.evaluate_groups();
        for group in &self.groups {
            totals.count(group);
        }
        for k in 0..self.groups.len() {
            let step = duration / f64::from(1_u32 << self.groups[k].level());
            if !jumps {
                self.kick(k, 0.5 * step, gravity, totals);
            }
        }
        totals.dissipated += self.apply_drag(duration);
        self.forces_are_current = true;
    }
}
