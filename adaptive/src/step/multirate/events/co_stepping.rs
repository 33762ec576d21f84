//! A frame of co-stepping: equal steps, between which contact changes velocities. A step is one tick or several; elements may fire within a step, while the body
//! drifts.
//!
//! Half of the first kick belongs to the end of the last frame and half of the last one to the next, as in a frame of one body. So contact acts once more after the last
//! step: a body at rest is at rest between frames, too.

use pliant_core::math::Vec3;

use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::events::frame_constraints::FrameConstraints;
use crate::step::multirate::events::frame_totals::FrameTotals;
use crate::step::multirate::events::substep_schedule::SubstepSchedule;
use crate::step::multirate::groups::group::Group;
use crate::step::multirate::rates::step_level::DEEPEST;

impl CutDynamics {
    /// The schedule of a frame of `duration` seconds that is taken in `steps` equal steps, a power of two. Call [`CutDynamics::prepare_frame`] before.
    pub(crate) fn begin_co_stepping(
        &self,
        duration: f64,
        steps: u32,
        contact: &FrameConstraints<'_>,
        totals: &mut FrameTotals,
    ) -> SubstepSchedule {
        totals.reset(self.forest.asset().supports.len());
        let min_level = steps.trailing_zeros().min(u32::from(DEEPEST)) as u8;
        let schedule = self.schedule(duration, (0.0, duration), contact, min_level);
        totals.ticks = schedule.ticks;
        schedule
    }

    /// Drifts all nodes to tick `now`.
    pub(crate) fn drift_all(&mut self, schedule: &SubstepSchedule, now: u32) {
        for k in 0..self.operators.active().len() {
            self.drift(self.operators.active()[k], now, schedule.tick);
        }
    }

    /// Continues from tick `now`, whose velocities are final, to tick `until`.
    pub(crate) fn drift_from(
        &mut self,
        schedule: &SubstepSchedule,
        (now, until): (u32, u32),
        gravity: &Vec3,
        contact: &mut FrameConstraints<'_>,
        totals: &mut FrameTotals,
    ) {
        self.end_tick(schedule, now, totals);
        for tick in now + 1..until {
            self.evaluate_and_kick(schedule, tick, gravity, contact, totals);
            self.apply_constraints(schedule, tick, contact, totals);
            self.end_tick(schedule, tick, totals);
        }
        self.drift_all(schedule, until);
    }

    /// Firings a frame, mean over the elements. Frames of a group are only halved, so that they have one part.
    pub(crate) fn mean_firings(&self) -> f64 {
        let count = |g: &Group| g.element_count() as f64;
        let firings = |g: &Group| count(g) * f64::from(1_u32 << g.level());
        let all: f64 = self.groups.iter().map(count).sum();
        self.groups.iter().map(firings).sum::<f64>() / all.max(1.0)
    }

    /// The fastest step level around these nodes.
    pub(crate) fn level_around(&self, nodes: &[u32]) -> u8 {
        let levels = nodes.iter().map(|&n| self.node_levels[n as usize]);
        levels.max().unwrap_or(0)
    }
}
