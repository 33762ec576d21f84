//! The loop over the ticks of a frame.

use pliant_core::math::Vec3;

use crate::force::FINITE_CHECK_INTERVAL;
use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::events::frame_constraints::FrameConstraints;
use crate::step::multirate::events::frame_totals::FrameTotals;
use crate::step::multirate::events::substep_schedule::SubstepSchedule;
use crate::step::multirate::rates::forecast::contact_level;

impl CutDynamics {
    /// Moves the body by a frame of `duration` seconds under `gravity` (m/s²). Call [`CutDynamics::prepare_frame`] before; afterwards all nodes are at one time,
    /// and the forces of all groups belong to it. What happened goes to `totals`.
    pub fn fire(
        &mut self,
        duration: f64,
        gravity: &Vec3,
        contact: &mut FrameConstraints<'_>,
        totals: &mut FrameTotals,
    ) {
        self.fire_watched(duration, gravity, contact, totals, |_, _, _| {});
    }

    /// [`CutDynamics::fire`]; `watch` sees the body after the kicks of each tick. Nodes of the elements that are due at a tick have drifted to it, others may lag behind.
    pub(crate) fn fire_watched(
        &mut self,
        duration: f64,
        gravity: &Vec3,
        contact: &mut FrameConstraints<'_>,
        totals: &mut FrameTotals,
        mut watch: impl FnMut(&Self, &SubstepSchedule, u32),
    ) {
        totals.reset(self.forest.asset().supports.len());
        let parts = self.steps.parts();
        for part in 0..parts {
            let part_of_frame = duration / f64::from(parts);
            let start = duration * f64::from(part) / f64::from(parts);
            let schedule = self.schedule(duration, (start, part_of_frame), contact, 0);
            totals.ticks += schedule.ticks;
            for now in 0..schedule.ticks {
                self.evaluate_and_kick(&schedule, now, gravity, contact, totals);
                self.apply_constraints(&schedule, now, contact, totals);
                self.end_tick(&schedule, now, totals);
                watch(self, &schedule, now);
                if now % FINITE_CHECK_INTERVAL == 0 {
                    let power: f64 = self.groups.iter().map(|g| g.evaluation.viscous_power).sum();
                    if !power.is_finite() {
                        break;
                    }
                }
            }
            self.finish(&schedule, gravity, totals);
        }
        self.update_ghosts();
    }

    /// The schedule of a part of a frame of `frame` seconds. The part is given by its start and duration (s); it has at least `2^min_level` ticks.
    pub(crate) fn schedule(
        &self,
        frame: f64,
        (start, duration): (f64, f64),
        contact: &FrameConstraints<'_>,
        min_level: u8,
    ) -> SubstepSchedule {
        let mut deepest = self.groups.last().map_or(0, |g| g.level()).max(min_level);
        let mut contact_level = contact_level(duration, contact.longest_step);
        for &n in contact.nodes {
            contact_level = contact_level.max(self.node_levels[n as usize]);
        }
        let is_constrained = contact.projection.is_some();
        if is_constrained {
            deepest = deepest.max(contact_level);
        }
        let ticks = 1_u32 << deepest;
        SubstepSchedule {
            frame,
            duration,
            start,
            deepest,
            contact_level,
            is_constrained,
            ticks,
            tick: duration / f64::from(ticks),
        }
    }
}
