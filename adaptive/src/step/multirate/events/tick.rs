//! What happens at one tick: groups that are due kick their nodes, constraints act on the nodes that they hold, and loads do work.

use pliant_core::math::Vec3;

use crate::params::Scheme;
use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::events::contact_part::ContactPart;
use crate::step::multirate::events::fired::Fired;
use crate::step::multirate::events::substep_schedule::SubstepSchedule;

impl CutDynamics {
    /// What is due at tick `now` is evaluated and kicks.
    pub(crate) fn push(
        &mut self,
        schedule: &SubstepSchedule,
        now: u32,
        gravity: &Vec3,
        contact: &mut ContactPart<'_>,
        fired: &mut Fired,
    ) {
        if now > 0 {
            for k in 0..self.groups.len() {
                if schedule.is_due(self.groups[k].level(), now) {
                    self.evaluate(k, now, schedule.tick, schedule.deepest);
                    fired.count(&self.groups[k]);
                }
            }
        }
        let jumps = self.params.scheme == Scheme::NodeJump;
        if schedule.contact_is_due(now) {
            if !jumps {
                self.drift(contact.nodes, now, schedule.tick);
            }
            if let Some(work) = contact.work.as_deref_mut() {
                let before = if now == 0 {
                    &self.lead
                } else {
                    &self.velocities
                };
                work.before(before);
            }
        }
        // the other half of the first kick was given at the end of the last frame
        let share = if now == 0 && !jumps { 0.5 } else { 1.0 };
        for k in 0..self.groups.len() {
            let level = self.groups[k].level();
            if schedule.is_due(level, now) {
                self.kick(k, share * schedule.step(level), gravity, fired);
            }
        }
    }

    /// Constraints act at tick `now`, if they are due.
    pub(crate) fn bind(
        &mut self,
        schedule: &SubstepSchedule,
        now: u32,
        contact: &mut ContactPart<'_>,
        fired: &mut Fired,
    ) {
        if !schedule.contact_is_due(now) {
            return;
        }
        fired.impulses += 1;
        let step = schedule.step(schedule.contact_level);
        let time = schedule.begin + f64::from(now) * schedule.tick;
        if let Some(work) = contact.work.as_deref_mut() {
            work.kicked(&self.velocities);
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
            fired.work += work.after(&self.velocities, &self.masses);
        }
    }

    /// What follows from the velocities that tick `now` leaves.
    pub(crate) fn conclude(&mut self, schedule: &SubstepSchedule, now: u32, fired: &mut Fired) {
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
                fired.work += self.work_of_loads(k, schedule.step(level));
            }
        }
    }

    /// Brings everything to the end of the frame, evaluates all groups there and gives half of their kicks: velocities belong to the same time as
    /// positions, and the same forces begin the next frame.
    pub(crate) fn finish(&mut self, schedule: &SubstepSchedule, gravity: &Vec3, fired: &mut Fired) {
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
                    let late = f64::from(ticks - self.clock[n]) * tick;
                    self.positions[n] += self.velocities[n] * late;
                }
            } else if let Some(support) = self.forest.support(n as u32) {
                let carried = self.loads[n] + gravity * self.true_mass(n as u32);
                fired.support_impulses[support] += carried * duration;
            }
            self.clock[n] = 0;
        }
        for &n in self.operators.active() {
            self.lead[n as usize] = self.velocities[n as usize];
        }
        if jumps {
            self.means.copy_from_slice(&self.velocities);
        } else {
            // the fastest comes last: its mean is that of the least time ago
            for group in &self.groups {
                let step = duration / f64::from(1_u32 << group.level());
                group.mean_velocities(&self.positions, step, &mut self.means);
            }
        }
        self.refresh();
        for group in &self.groups {
            fired.count(group);
        }
        for k in 0..self.groups.len() {
            let step = duration / f64::from(1_u32 << self.groups[k].level());
            if !jumps {
                self.kick(k, 0.5 * step, gravity, fired);
            }
        }
        fired.dissipated += self.drag_for(duration);
        self.is_fresh = true;
    }
}
