//! What happens when the state of a body goes wrong.
//!
//! The frame is taken again with more steps, which save what was hit hard. If that does not help, the body takes back what may be at fault in it, where it knows how. A
//! body that fails all the same is put on hold for the frame, if it may be, or stops for good where it was. The others go on.

use pliant_core::math::Vec3;
use pliant_core::model::{StepError, SteppedModel};
use pliant_core::stage_timer::StageTimer;

use crate::group::body_group::BodyGroup;
use crate::group::state::{FrozenBody, Rest};

/// Each time a frame is taken again, it has so many times the steps.
const MORE: u32 = 4;
/// At most so many times those of the first attempt.
const MOST: u32 = MORE * MORE;

impl<M: SteppedModel> BodyGroup<M> {
    /// Moves the bodies that are awake to the end of the frame, without those that cannot be moved. Returns the number of steps.
    ///
    /// # Errors
    /// The first error, where no body could go on. All are where they were then.
    pub(crate) fn move_all(
        &mut self,
        duration: f64,
        clock: &mut StageTimer,
    ) -> Result<u32, StepError> {
        let mut more = 1;
        let mut first = None;
        let frozen = self.frozen.len();
        loop {
            let error = match self.try_to_move(duration, more, clock) {
                Ok(steps) => return Ok(steps),
                Err(error) => error,
            };
            let failed = self.culprit();
            let cause = failed.and_then(|b| self.outcomes[b].clone().err());
            let under_way = failed.is_some_and(|b| self.models[b].failed_step().is_some());
            self.each_awake(M::undo);
            self.refresh(false);
            if under_way && more < MOST {
                more *= MORE;
                continue;
            }
            more = 1;
            let cause = cause.unwrap_or(error);
            if let Some(body) = failed {
                if self.models[body].recover() {
                    self.begin_again(duration);
                    continue;
                }
                let boundary = &self.boundaries[body];
                if self.models[body].hold_for(duration, boundary, &cause.to_string()) {
                    self.refresh(false);
                    self.put_on_hold(body);
                    self.find(duration);
                    continue;
                }
            }
            match failed.filter(|&body| self.others_move(body)) {
                Some(body) => {
                    self.freeze(body, cause.to_string());
                    // it is not where it was about to go
                    self.find(duration);
                }
                None => {
                    self.release_holds();
                    self.on_hold.clear();
                    for f in self.frozen.drain(frozen..) {
                        self.rest[f.body as usize] = Rest::default();
                        self.models[f.body as usize].undo();
                    }
                    self.refresh(false);
                    return Err(first.unwrap_or(cause));
                }
            }
            first.get_or_insert(cause);
        }
    }

    /// The body whose forces went wrong first, or else the first that failed.
    fn culprit(&self) -> Option<usize> {
        let failed = (0..self.models.len()).filter(|&b| self.outcomes[b].is_err());
        failed.min_by_key(|&b| (self.models[b].failed_step().unwrap_or(u32::MAX), b))
    }

    /// Whether a body other than `failed` can go on.
    fn others_move(&self, failed: usize) -> bool {
        let mut rest = self.rest.iter().enumerate();
        rest.any(|(b, rest)| b != failed && (!rest.frozen || self.on_hold.contains(&b)))
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

    /// A body that went wrong is where it was when the frame began, and is not stepped.
    fn stand_still(&mut self, body: usize) {
        self.rest[body] = Rest {
            asleep: true,
            frozen: true,
            ..Rest::default()
        };
        self.now[body].set_velocity(Vec3::zeros());
    }

    /// What was on hold in this frame moves in the next one.
    pub(crate) fn release_holds(&mut self) {
        for &body in &self.on_hold {
            self.rest[body] = Rest::default();
        }
    }

    /// Lets all move again.
    pub(crate) fn thaw(&mut self) {
        self.frozen.clear();
        self.rest.fill(Rest::default());
    }

    /// After a snapshot was taken back: what is known of the bodies that it froze.
    pub(crate) fn name_frozen(&mut self) {
        let rest = &self.rest;
        self.frozen.retain(|f| rest[f.body as usize].frozen);
        for (body, _) in rest.iter().enumerate().filter(|(_, rest)| rest.frozen) {
            let body = body as u32;
            if self.frozen.iter().all(|f| f.body != body) {
                let cause = "its state went wrong before this snapshot was taken".to_string();
                self.frozen.push(FrozenBody { body, cause });
            }
        }
    }

    /// One sentence a frozen body; bodies count from 1.
    pub(crate) fn frozen_notes(&self) -> impl Iterator<Item = String> {
        let all = self.models.len();
        self.frozen.iter().map(move |f| {
            let number = f.body + 1;
            format!(
                "body {number} of {all} stands still at its last good frame, the others go on: {}",
                f.cause
            )
        })
    }
}
