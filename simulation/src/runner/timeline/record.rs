//! The timeline itself: inputs, kept states, and which frames they reproduce.

use super::inputs::{FrameInput, Inputs};
use super::kept::{KEPT_INTERVAL, KeptState, KeptStates};
use super::parameters::ParameterLog;
use super::status::TimelineStatus;
use crate::world::Interaction;

/// Most memory of the timeline, bytes.
const MAX_BYTES: usize = 256_000_000;
/// Most frames that can be gone back: two minutes at the default rate.
const MAX_FRAMES: u64 = 7200;

/// Inputs and states of the last frames.
///
/// ```text
/// first ......... exact_from ........ now ........ last ........ end
///   kept states only │   every frame, by stepping again │ input of the hand only
/// ```
pub(in crate::runner) struct Timeline {
    inputs: Inputs,
    kept: KeptStates,
    /// the newest frame that was computed with the present parameters
    last: u64,
    /// kept states from here on, and inputs, reproduce every frame up to `last`
    exact_from: u64,
    /// frame that is being approached
    pub seek_target: Option<u64>,
    /// whether the history is repeated when it is over
    pub loops: bool,
    /// what the user set of the models that run
    pub parameters: ParameterLog,
    max_bytes: usize,
}

impl Default for Timeline {
    fn default() -> Self {
        Self::with_memory(MAX_BYTES)
    }
}

impl Timeline {
    /// Nothing has happened yet; `max_bytes` may be kept.
    pub fn with_memory(max_bytes: usize) -> Self {
        Self {
            inputs: Inputs::default(),
            kept: KeptStates::default(),
            last: 0,
            exact_from: 0,
            seek_target: None,
            loops: false,
            parameters: ParameterLog::default(),
            max_bytes,
        }
    }

    /// Clears inputs and states: another scene, another model, or a reset. Parameters stay.
    pub fn clear(&mut self) {
        self.kept.clear();
        self.inputs.clear(0);
        (self.last, self.exact_from, self.seek_target) = (0, 0, None);
        // there is nothing to repeat: a loop would show one frame for ever
        self.loops = false;
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.kept.first().is_none()
    }

    /// Begins with a state.
    pub(super) fn begin(&mut self, state: KeptState) {
        self.clear();
        self.inputs.clear(state.frame);
        (self.last, self.exact_from) = (state.frame, state.frame);
        self.parameters.computed(state.frame);
        self.kept.push(state);
    }

    /// Whether the state at the end of `frame` is to be kept.
    pub fn keeps(&self, frame: u64) -> bool {
        self.kept
            .last()
            .is_none_or(|last| frame >= last + KEPT_INTERVAL)
    }

    /// The frame from `from` to `from + 1` was computed anew from `input`.
    pub fn record(&mut self, from: u64, input: FrameInput) {
        self.inputs.set(from, input);
        self.parameters.computed(from);
        self.last = from + 1;
    }

    /// Keeps a state of the newest frame, and makes room for it.
    pub(super) fn keep(&mut self, state: KeptState) {
        let oldest = state.frame.saturating_sub(MAX_FRAMES);
        self.kept.push(state);
        while self.bytes() > self.max_bytes && (self.kept.thin() || self.kept.forget_oldest()) {}
        while self.kept.first().is_some_and(|first| first < oldest) && self.kept.forget_oldest() {}
        let first = self.kept.first().unwrap_or(0);
        self.inputs.forget_before(first);
        // frames can only be stepped again from a state that has the present parameters
        self.exact_from = self.kept.not_before(self.exact_from).unwrap_or(first);
    }

    /// What is known of the frame that begins at `frame`: its input, and whether the present parameters have been used with it already.
    pub fn input(&self, frame: u64) -> Option<(&FrameInput, bool)> {
        let is_computed = frame >= self.exact_from && frame < self.last;
        self.inputs.at(frame).map(|input| (input, is_computed))
    }

    /// How to get from `now` to `frame`: the frame that can be reached, and the state to start from; `None` where `now` itself is the best start.
    pub(super) fn route(&self, now: u64, frame: u64) -> (u64, Option<&KeptState>) {
        let kept = self.kept.not_after(frame);
        let reachable = match kept {
            Some(state) if frame < self.exact_from => state.frame,
            _ => frame.min(self.last),
        };
        let steps_on = (self.exact_from..=reachable).contains(&now);
        let is_nearer = kept.is_none_or(|state| state.frame <= now);
        (reachable, kept.filter(|_| !(steps_on && is_nearer)))
    }

    /// What the hand did in all frames that are known, each with its number.
    pub fn interactions(&self) -> impl Iterator<Item = (u64, &Interaction)> {
        self.inputs
            .all()
            .map(|(frame, input)| (frame, &input.interaction))
    }

    /// The oldest frame that can be gone back to.
    pub fn first(&self) -> u64 {
        self.kept.first().unwrap_or(0)
    }

    /// The frame up to which the hand's input is known.
    pub fn end(&self) -> u64 {
        self.inputs.end()
    }

    /// From `now` on everything is computed anew; the input of the hand is kept and repeated.
    pub fn compute_anew(&mut self, now: u64) {
        self.kept.forget_after(now);
        (self.last, self.exact_from, self.seek_target) = (now, now, None);
    }

    /// Whether frames after `now` have to be computed anew, because those that are known had other parameters.
    pub fn is_outdated(&self, now: u64) -> bool {
        now < self.exact_from
    }

    /// The kept state that follows `now`.
    pub fn next_kept(&self, now: u64) -> Option<u64> {
        self.kept.not_before(now + 1)
    }

    /// The user takes over at `now`: removes all that came after it.
    pub fn forget_after(&mut self, now: u64) {
        self.seek_target = None;
        if self.is_empty() {
            return;
        }
        self.inputs.forget_from(now);
        self.kept.forget_after(now);
        self.last = self.last.min(now);
        self.exact_from = self.exact_from.min(now);
    }

    /// Memory of all that is kept, bytes.
    pub fn bytes(&self) -> usize {
        self.kept.bytes() + self.inputs.bytes()
    }

    /// Its status for a window at frame `now`.
    pub fn status(&self, now: u64) -> TimelineStatus {
        let is_empty = self.is_empty();
        let or_now = |frame: u64| if is_empty { now } else { frame };
        TimelineStatus {
            first: or_now(self.first()),
            now,
            last: or_now(self.last),
            end: or_now(self.end()),
            exact_from: or_now(self.exact_from),
            seek_target: self.seek_target,
            loops: self.loops,
            bytes: self.bytes(),
        }
    }
}
