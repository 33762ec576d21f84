//! The loop over the ticks of a frame.

use pliant_core::math::Vec3;

use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::events::contact_part::ContactPart;
use crate::step::multirate::events::fired::Fired;
use crate::step::multirate::events::substep_schedule::SubstepSchedule;
use crate::step::multirate::rates::forecast::contact_level;

/// Groups without a finite number are looked for every so many ticks.
const FINITE_EVERY: u32 = 16;

impl CutDynamics {
    /// Moves the body by a frame of `duration` seconds under `gravity` (m/s²). Call [`CutDynamics::ready`] before; afterwards all nodes are at one time,
    /// and the forces of all groups belong to it.
    pub fn fire(&mut self, duration: f64, gravity: &Vec3, contact: &mut ContactPart<'_>) -> Fired {
        let mut fired = Fired::default();
        self.fire_into(duration, gravity, contact, &mut fired);
        fired
    }

    /// [`CutDynamics::fire`] with a report that keeps its memory.
    pub fn fire_into(
        &mut self,
        duration: f64,
        gravity: &Vec3,
        contact: &mut ContactPart<'_>,
        fired: &mut Fired,
    ) {
        fired.begin(self.forest.asset().supports.len());
        let parts = self.steps.parts();
        for part in 0..parts {
            let part_of_frame = duration / f64::from(parts);
            let begin = duration * f64::from(part) / f64::from(parts);
            let schedule = self.schedule(duration, (begin, part_of_frame), contact, 0);
            fired.ticks += schedule.ticks;
            for now in 0..schedule.ticks {
                self.push(&schedule, now, gravity, contact, fired);
                self.bind(&schedule, now, contact, fired);
                self.conclude(&schedule, now, fired);
                if now % FINITE_EVERY == 0 {
                    let power: f64 = self.groups.iter().map(|g| g.found.viscous_power).sum();
                    if !power.is_finite() {
                        break;
                    }
                }
            }
            self.finish(&schedule, gravity, fired);
        }
        self.follow();
    }

    /// The schedule of a part of a frame of `frame` seconds. The part is given by its begin and duration (s); it has at least `2^least` ticks.
    pub(crate) fn schedule(
        &self,
        frame: f64,
        (begin, duration): (f64, f64),
        contact: &ContactPart<'_>,
        least: u8,
    ) -> SubstepSchedule {
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
        SubstepSchedule {
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
}
