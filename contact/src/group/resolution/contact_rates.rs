//! How often contact acts on bodies whose elements have steps of their own.
//!
//! Contact with a tool acts as often as the forces of the body where it is touched, and contact between two bodies as often as those of the faster one. Forces that act
//! on a node less than half as often as contact do work that is not force times distance (docs/decisions/014): the slower one of two bodies follows the other at half its
//! rate.

use rayon::prelude::*;

use pliant_core::model::SteppedModel;

use crate::detection::Partner;
use crate::group::body_group::BodyGroup;

impl<M: SteppedModel> BodyGroup<M> {
    /// Tells all that are awake how often contact with faster bodies acts in a frame of `duration` seconds; all have chosen their steps.
    pub(super) fn follow_faster_bodies(&mut self, duration: f64) {
        let all = self.steps_by_themselves(duration);
        let Self {
            models,
            sleep,
            found,
            contact_steps,
            faster_steps,
            ..
        } = self;
        let (sleep, found) = (&*sleep, &*found);
        contact_steps.clear();
        contact_steps.extend(
            models
                .iter()
                .zip(sleep)
                .map(|(model, sleep)| match sleep.asleep {
                    true => 0,
                    false => model.contact_steps().unwrap_or(all),
                }),
        );
        let is_awake = |body: u32| !sleep[body as usize].asleep;
        let pairs = || {
            let candidates = found.iter().flat_map(|found| &found.candidates);
            candidates.filter_map(|c| match c.partner {
                Partner::Body(b) if b != c.body && is_awake(c.body) && is_awake(b) => {
                    Some([c.body as usize, b as usize])
                }
                _ => None,
            })
        };
        // partners of a body that follows may have to follow it in turn
        loop {
            let mut is_settled = true;
            for [a, b] in pairs() {
                let least = contact_steps[a].max(contact_steps[b]) / 2;
                for body in [a, b] {
                    if contact_steps[body] < least {
                        contact_steps[body] = least;
                        is_settled = false;
                    }
                }
            }
            if is_settled {
                break;
            }
        }
        faster_steps.clear();
        faster_steps.resize(models.len(), 0);
        for [a, b] in pairs() {
            let (slow, fast) = match contact_steps[a] < contact_steps[b] {
                true => (a, b),
                false => (b, a),
            };
            if contact_steps[slow] < contact_steps[fast] {
                faster_steps[slow] = faster_steps[slow].max(contact_steps[fast]);
            }
        }
        let bodies = models.par_iter_mut().zip(sleep).zip(&*faster_steps);
        bodies.for_each(|((model, sleep), steps)| {
            if !sleep.asleep {
                model.follow_contact(*steps);
            }
        });
    }

    /// Steps of a frame of `duration` seconds that bodies need if none follows another one.
    fn steps_by_themselves(&self, duration: f64) -> u32 {
        let moving = self.models.iter().zip(&self.sleep).filter(|b| !b.1.frozen);
        let needed = moving.map(|(model, sleep)| match model.contact_steps() {
            Some(steps) if !sleep.asleep => steps,
            _ => model.least_steps(duration),
        });
        self.fitting_steps(needed.max().unwrap_or(1))
    }
}
