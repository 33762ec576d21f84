//! A frame of co-stepping: equal steps, between which contact changes velocities. A step is one tick or several; what fires within a step does so while the body
//! drifts.
//!
//! Half of the first kick belongs to the end of the last frame and half of the last one to the next, as in a frame of one body. So contact acts once more when the last
//! step is over: what rests is at rest between frames, too.

use pliant_core::math::Vec3;

use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::events::contact_part::ContactPart;
use crate::step::multirate::events::fired::Fired;
use crate::step::multirate::events::kick::drift_one;
use crate::step::multirate::events::substep_schedule::SubstepSchedule;
use crate::step::multirate::groups::group::Group;
use crate::step::multirate::rates::step_level::DEEPEST;

impl CutDynamics {
    /// The schedule of a frame of `duration` seconds that is taken in `steps` equal steps, a power of two. Call [`CutDynamics::ready`] before.
    pub(crate) fn begin_co_stepping(
        &self,
        duration: f64,
        steps: u32,
        contact: &ContactPart<'_>,
        fired: &mut Fired,
    ) -> SubstepSchedule {
        fired.begin(self.forest.asset().supports.len());
        let least = steps.trailing_zeros().min(u32::from(DEEPEST)) as u8;
        let schedule = self.schedule(duration, (0.0, duration), contact, least);
        fired.ticks = schedule.ticks;
        schedule
    }

    /// Brings everything to tick `now`.
    pub(crate) fn drift_all(&mut self, schedule: &SubstepSchedule, now: u32) {
        for k in 0..self.operators.active().len() {
            let n = self.operators.active()[k] as usize;
            if self.inverse_masses[n] > 0.0 {
                let (positions, velocities) = (&mut self.positions, &self.velocities);
                drift_one(
                    n,
                    now,
                    schedule.tick,
                    positions,
                    velocities,
                    &mut self.clock,
                );
            }
        }
    }

    /// Moves on from tick `now`, whose velocities are final, to tick `until`.
    pub(crate) fn drift_from(
        &mut self,
        schedule: &SubstepSchedule,
        (now, until): (u32, u32),
        gravity: &Vec3,
        contact: &mut ContactPart<'_>,
        fired: &mut Fired,
    ) {
        self.conclude(schedule, now, fired);
        for tick in now + 1..until {
            self.push(schedule, tick, gravity, contact, fired);
            self.bind(schedule, tick, contact, fired);
            self.conclude(schedule, tick, fired);
        }
        self.drift_all(schedule, until);
    }

    /// Firings a frame, in the mean over the elements.
    pub(crate) fn mean_firings(&self) -> f64 {
        let count = |g: &Group| g.element_count() as f64;
        let firings = |g: &Group| count(g) * f64::from(1_u32 << g.level());
        let all: f64 = self.groups.iter().map(count).sum();
        self.groups.iter().map(firings).sum::<f64>() / all.max(1.0)
    }

    /// The fastest step level around these nodes.
    pub(crate) fn level_around(&self, nodes: &[u32]) -> u8 {
        let levels = nodes.iter().map(|&n| self.finest[n as usize]);
        levels.max().unwrap_or(0)
    }
}
