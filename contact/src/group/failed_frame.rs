//! What happens when the state of a body becomes invalid.
//!
//! The frame is repeated with more steps, which help where a body was hit hard. If they do not, the body repairs its own state, where it can. A body that fails again is
//! held for the frame, if that is allowed, or stops for good where it was. The others go on.

use pliant_core::math::Vec3;
use pliant_core::model::{StepError, SteppedModel};
use pliant_core::stage_timer::StageTimer;

use crate::group::body_group::BodyGroup;
use crate::group::state::{FrozenBody, SleepState};

/// Factor on the number of steps each time a frame is repeated.
const RETRY_FACTOR: u32 = 4;
/// Largest number of steps, over those of the first attempt.
const MAX_FACTOR: u32 = RETRY_FACTOR * RETRY_FACTOR;

impl<M: SteppedModel> BodyGroup<M> {
    /// Advances the bodies that are awake to the end of the frame, without those that fail. Returns the number of steps.
    ///
    /// # Errors
    /// The first error, where no body could go on. All bodies are back where they were.
    pub(crate) fn advance_bodies(
        &mut self,
        duration: f64,
        clock: &mut StageTimer,
    ) -> Result<u32, StepError> {
        let mut factor = 1;
        self.retry_factors.fill(1);
        let mut first = None;
        let frozen = self.frozen.len();
        loop {
            let error = match self.try_frame(duration, factor, clock) {
                Ok(steps) => return Ok(steps),
                Err(error) => error,
            };
            let failed = self.first_failed_body();
            let cause = failed.and_then(|b| self.outcomes[b].clone().err());
            let has_failed_step = failed.is_some_and(|b| self.models[b].failed_step().is_some());
            self.each_awake(M::undo);
            self.refresh(false);
            if has_failed_step && factor < MAX_FACTOR {
                factor *= RETRY_FACTOR;
                self.shorten_steps_of_failed();
                continue;
            }
            factor = 1;
            self.retry_factors.fill(1);
            let cause = cause.unwrap_or(error);
            if let Some(body) = failed {
                if self.models[body].recover() {
                    self.prepare_again(duration);
                    continue;
                }
                let boundary = &self.boundaries[body];
                if self.models[body].hold_at_rest(duration, boundary, &cause.to_string()) {
                    self.refresh(false);
                    self.put_on_hold(body);
                    self.find(duration);
                    continue;
                }
            }
            match failed.filter(|&body| self.others_can_move(body)) {
                Some(body) => {
                    self.freeze(body, cause.to_string());
                    // others touch it differently where it does not move
                    self.find(duration);
                }
                None => {
                    self.release_holds();
                    self.on_hold.clear();
                    for f in self.frozen.drain(frozen..) {
                        self.sleep[f.body as usize] = SleepState::default();
                        self.models[f.body as usize].undo();
                    }
                    self.refresh(false);
                    return Err(first.unwrap_or(cause));
                }
            }
            first.get_or_insert(cause);
        }
    }

    /// The bodies that failed take shorter steps when the frame is repeated.
    fn shorten_steps_of_failed(&mut self) {
        for (factor, outcome) in self.retry_factors.iter_mut().zip(&self.outcomes) {
            if outcome.is_err() {
                *factor *= RETRY_FACTOR;
            }
        }
    }

    /// The body whose forces became invalid first, or else the first that failed.
    fn first_failed_body(&self) -> Option<usize> {
        let failed = (0..self.models.len()).filter(|&b| self.outcomes[b].is_err());
        failed.min_by_key(|&b| (self.models[b].failed_step().unwrap_or(u32::MAX), b))
    }

    /// Whether a body other than `failed` can go on.
    fn others_can_move(&self, failed: usize) -> bool {
        let mut sleep = self.sleep.iter().enumerate();
        sleep.any(|(b, sleep)| b != failed && (!sleep.frozen || self.on_hold.contains(&b)))
    }

    /// Stops a body for good.
    fn freeze(&mut self, body: usize, cause: String) {
        self.stand_still(body);
        self.models[body].stop();
        let body = body as u32;
        self.frozen.push(FrozenBody { body, cause });
    }

    /// Leaves a body out of the present frame.
    fn put_on_hold(&mut self, body: usize) {
        self.stand_still(body);
        self.on_hold.push(body);
    }

    /// A body that failed stays where it was when the frame began, and is not stepped.
    fn stand_still(&mut self, body: usize) {
        self.sleep[body] = SleepState {
            asleep: true,
            frozen: true,
            ..SleepState::default()
        };
        self.deformed[body].set_velocity(Vec3::zeros());
    }

    /// Bodies that were on hold in this frame move in the next one.
    pub(crate) fn release_holds(&mut self) {
        for &body in &self.on_hold {
            self.sleep[body] = SleepState::default();
        }
    }

    /// Lets all move again.
    pub(crate) fn thaw(&mut self) {
        self.frozen.clear();
        self.sleep.fill(SleepState::default());
    }

    /// After a snapshot was restored: lists the bodies that are frozen in it.
    pub(crate) fn update_frozen(&mut self) {
        let sleep = &self.sleep;
        self.frozen.retain(|f| sleep[f.body as usize].frozen);
        for (body, _) in sleep.iter().enumerate().filter(|(_, sleep)| sleep.frozen) {
            let body = body as u32;
            if self.frozen.iter().all(|f| f.body != body) {
                let cause = "its state went wrong before this snapshot was taken".to_string();
                self.frozen.push(FrozenBody { body, cause });
            }
        }
    }

    /// One sentence for each frozen body; bodies count from 1.
    pub(crate) fn frozen_notes(&self) -> impl Iterator<Item = String> {
        let all = self.models.len();
        self.frozen.iter().map(move |f| {
            let (number, cause) = (f.body + 1, &f.cause);
            let note = format!(
                "body {number} of {all} stands still at its last good frame, the others go on: {cause}"
            );
            self.with_name(f.body as usize, &note)
        })
    }
}
