//! The loop of a frame: groups fire at their ticks, constraints act with the nodes that they hold, everything drifts.

use pliant_core::math::Vec3;
use pliant_core::model::ForceTap;

use crate::params::Scheme;
use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::events::substep_schedule::Beat;
use crate::step::multirate::events::substep_schedule::{ContactPart, Fired};
use crate::step::multirate::group::Group;
use crate::step::multirate::rates::forecast::contact_level;

/// Groups without a finite number are looked for every so many ticks.
const FINITE_EVERY: u32 = 16;

impl CutDynamics {
    /// Moves the body by a frame of `duration` seconds under `gravity` (m/s²). Call [`CutDynamics::ready`] before; afterwards all nodes are at one time,
    /// and the forces of all groups belong to it.
    pub fn fire(
        &mut self,
        duration: f64,
        gravity: &Vec3,
        contact: &mut ContactPart<'_>,
        mut tap: Option<(&mut (dyn ForceTap + '_), &mut Vec<Vec3>)>,
    ) -> Fired {
        let mut fired = Fired::default();
        self.fire_into(duration, gravity, contact, tap.take(), &mut fired);
        fired
    }

    /// [`CutDynamics::fire`] with a report that keeps its memory.
    pub fn fire_into(
        &mut self,
        duration: f64,
        gravity: &Vec3,
        contact: &mut ContactPart<'_>,
        mut tap: Option<(&mut (dyn ForceTap + '_), &mut Vec<Vec3>)>,
        fired: &mut Fired,
    ) {
        fired.begin(self.forest.asset().supports.len());
        let parts = self.steps.parts();
        for part in 0..parts {
            let part_of_frame = duration / f64::from(parts);
            let begin = duration * f64::from(part) / f64::from(parts);
            let beat = self.beat(duration, (begin, part_of_frame), contact, 0);
            let mut tap = tap
                .as_mut()
                .map(|(tap, forces)| (&mut **tap, &mut **forces));
            fired.ticks += beat.ticks;
            for now in 0..beat.ticks {
                self.push(&beat, now, gravity, contact, fired);
                self.bind(&beat, now, contact, &mut tap, fired);
                self.conclude(&beat, now, fired);
                if now % FINITE_EVERY == 0 {
                    let power: f64 = self.groups.iter().map(|g| g.found.viscous_power).sum();
                    if !power.is_finite() {
                        break;
                    }
                }
            }
            self.finish(&beat, gravity, fired);
        }
        self.follow();
    }

    /// The ticks of the part of a frame of `frame` seconds that begins and lasts as told (s), at least `2^least`.
    pub(crate) fn beat(
        &self,
        frame: f64,
        (begin, duration): (f64, f64),
        contact: &ContactPart<'_>,
        least: u8,
    ) -> Beat {
        let mut deepest = self.groups.last().map_or(0, |g| g.level()).max(least);
        let mut contact_level = contact_level(duration, contact.longest);
        for &n in contact.nodes {
            contact_level = contact_level.max(self.finest[n as usize]);
        }
        let is_constrained = contact.projection.is_some();
        if is_constrained {
            deepest = deepest.max(contact_level);
        }
        let ticks = 1_u32 << deepest;
        Beat {
            frame,
            duration,
            begin,
            deepest,
            contact_level,
            is_constrained,
            ticks,
            tick: duration / f64::from(ticks),
        }
    }

    /// What is due at tick `now` is evaluated and kicks.
    pub(crate) fn push(
        &mut self,
        beat: &Beat,
        now: u32,
        gravity: &Vec3,
        contact: &mut ContactPart<'_>,
        fired: &mut Fired,
    ) {
        if now > 0 {
            for k in 0..self.groups.len() {
                if beat.is_due(self.groups[k].level(), now) {
                    self.evaluate(k, now, beat.tick, beat.deepest);
                    fired.count(&self.groups[k]);
                }
            }
        }
        let jumps = self.params.scheme == Scheme::NodeJump;
        if beat.contact_is_due(now) {
            if !jumps {
                self.drift(contact.nodes, now, beat.tick);
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
            if beat.is_due(level, now) {
                self.kick(k, share * beat.step(level), gravity, fired);
            }
        }
    }

    /// Constraints act at tick `now`, if they are due.
    pub(crate) fn bind(
        &mut self,
        beat: &Beat,
        now: u32,
        contact: &mut ContactPart<'_>,
        tap: &mut Option<(&mut (dyn ForceTap + '_), &mut Vec<Vec3>)>,
        fired: &mut Fired,
    ) {
        if !beat.contact_is_due(now) {
            return;
        }
        fired.impulses += 1;
        let step = beat.step(beat.contact_level);
        let time = beat.begin + f64::from(now) * beat.tick;
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
                beat.frame,
            );
            if let Some((tap, forces)) = tap.as_mut() {
                projection.substep_forces(step, forces);
                tap.sample(time + step, forces);
            }
        }
        if let Some(work) = contact.work.as_deref_mut() {
            fired.work += work.after(&self.velocities, &self.masses);
        }
    }

    /// What follows from the velocities that tick `now` leaves.
    pub(crate) fn conclude(&mut self, beat: &Beat, now: u32, fired: &mut Fired) {
        let jumps = self.params.scheme == Scheme::NodeJump;
        for k in 0..self.groups.len() {
            let level = self.groups[k].level();
            if jumps && beat.is_due(level, now) {
                self.jump(k, beat.step(level));
            }
        }
        for k in 0..self.groups.len() {
            let level = self.groups[k].level();
            if beat.is_due(level, now) {
                fired.work += self.work_of_loads(k, beat.step(level));
            }
        }
    }

    /// Brings everything to the end of the frame, evaluates all groups there and gives half of their kicks: velocities belong to the same time as
    /// positions, and the same forces begin the next frame.
    pub(crate) fn finish(&mut self, beat: &Beat, gravity: &Vec3, fired: &mut Fired) {
        let Beat {
            duration,
            tick,
            ticks,
            ..
        } = *beat;
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
        if self.params.scheme == Scheme::ElementImpulses {
            // the fastest comes last: its mean is that of the least time ago
            for group in &self.groups {
                let step = duration / f64::from(1_u32 << group.level());
                group.mean_velocities(&self.positions, step, &mut self.means);
            }
        } else {
            self.means.copy_from_slice(&self.velocities);
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

    /// Forces of group `k` at tick `now`; a tick is a step of level `deepest`.
    fn evaluate(&mut self, k: usize, now: u32, tick: f64, deepest: u8) {
        if self.params.scheme != Scheme::ElementImpulses {
            self.evaluate_nodes(k, now, tick);
            return;
        }
        let Self {
            groups,
            positions,
            velocities,
            clock,
            inverse_masses,
            ..
        } = self;
        let (slower, rest) = groups.split_at_mut(k);
        let Some(group) = rest.first_mut() else {
            return;
        };
        let step = |g: &Group| tick * f64::from(1_u32 << (deepest - g.level()));
        let factor = |g: &Group| {
            let ticks = 1 << (deepest - g.level());
            let passed = f64::from(now % ticks) / f64::from(ticks);
            0.5 * step(g).powi(2) * passed * (1.0 - passed)
        };
        for &n in group.masters() {
            drift_one(n as usize, now, tick, positions, velocities, clock);
        }
        group.follow(positions, step(group), slower, factor, inverse_masses);
        group.evaluate();
    }

    pub(crate) fn drift(&mut self, nodes: &[u32], now: u32, tick: f64) {
        for &n in nodes {
            let n = n as usize;
            if self.inverse_masses[n] > 0.0 {
                drift_one(
                    n,
                    now,
                    tick,
                    &mut self.positions,
                    &self.velocities,
                    &mut self.clock,
                );
            }
        }
    }

    fn kick(&mut self, k: usize, step: f64, gravity: &Vec3, fired: &mut Fired) {
        let by_node = self.params.scheme != Scheme::ElementImpulses;
        let group = &self.groups[k];
        let fall = gravity * step;
        for ((&n, force), is_finest) in group
            .masters()
            .iter()
            .zip(group.master_forces())
            .zip(&group.is_finest)
        {
            let n = n as usize;
            let w = self.inverse_masses[n];
            if by_node && !is_finest {
                continue;
            }
            if *is_finest {
                self.velocities[n] += (force + self.loads[n]) * (w * step) + fall * self.weights[n];
            } else {
                self.velocities[n] += force * (w * step);
            }
        }
        let held = group.held().iter().zip(group.held_forces());
        for ((&n, force), is_carried) in held.zip(&group.is_carried) {
            if let Some(support) = self.forest.support(n)
                && *is_carried
            {
                fired.support_impulses[support] += force * step;
            }
        }
        fired.dissipated += step * group.found.viscous_power * group.power_share;
        fired.blended = fired.blended.max(group.found.blended);
    }

    fn work_of_loads(&self, k: usize, step: f64) -> f64 {
        let group = &self.groups[k];
        let mut work = 0.0;
        for (&n, is_finest) in group.masters().iter().zip(&group.is_finest) {
            if *is_finest {
                work += step * self.loads[n as usize].dot(&self.velocities[n as usize]);
            }
        }
        work
    }

    /// Kinetic energy at the end of the last frame, J. `extra` is the change of velocity of a node by the last impulse of constraints, half of which
    /// belongs to the next frame.
    pub fn kinetic_energy_between(&self, extra: impl Fn(usize) -> Vec3) -> f64 {
        let mut sum = 0.0;
        for &n in self.operators.active() {
            let n = n as usize;
            if self.inverse_masses[n] > 0.0 {
                let v = self.velocities[n] + extra(n) * 0.5;
                sum += 0.5 * self.masses[n] * v.norm_squared();
            }
        }
        sum
    }
}

pub(crate) fn drift_one(
    n: usize,
    now: u32,
    tick: f64,
    positions: &mut [Vec3],
    velocities: &[Vec3],
    clock: &mut [u32],
) {
    if clock[n] != now {
        let late = f64::from(now.wrapping_sub(clock[n])) * tick;
        positions[n] += velocities[n] * late;
        clock[n] = now;
    }
}
