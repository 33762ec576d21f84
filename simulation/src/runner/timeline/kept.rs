//! Kept states of all methods, and which of them are removed when memory is short.
//!
//! Older states are thinned out first: gaps grow with the age of a state, so that the last seconds stay quick to reach. A gap is never longer than
//! [`MAX_GAP`], because all of its frames may have to be stepped again. When nothing can be thinned out any more, the oldest state is removed.

use std::collections::VecDeque;

use crate::runner::snapshot::PaneState;
use crate::world::WorldSnapshot;

/// Frames between two kept states, where there is memory: a tenth of a second.
pub(super) const KEPT_INTERVAL: u64 = 6;
/// Most frames between two kept states: two seconds.
pub(super) const MAX_GAP: u64 = 120;

/// One method in a kept state.
#[derive(Debug, Clone)]
pub(super) struct KeptPane {
    /// Whether it ran.
    pub state: PaneState,
    /// Everything that changes from frame to frame.
    pub world: WorldSnapshot,
}

/// All methods at the end of one frame.
#[derive(Debug, Clone)]
pub(super) struct KeptState {
    /// Which frame.
    pub frame: u64,
    /// In the order of the panes; `None` for one that has no model.
    pub panes: Vec<Option<KeptPane>>,
}

impl KeptState {
    fn bytes(&self) -> usize {
        self.panes.iter().flatten().map(|p| p.world.bytes()).sum()
    }
}

/// Kept states, oldest first.
#[derive(Debug, Default)]
pub(super) struct KeptStates {
    states: VecDeque<KeptState>,
    bytes: usize,
}

impl KeptStates {
    /// Memory of all states, bytes, about.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Number of states.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// The oldest frame.
    pub fn first(&self) -> Option<u64> {
        self.states.front().map(|s| s.frame)
    }

    /// The newest frame.
    pub fn last(&self) -> Option<u64> {
        self.states.back().map(|s| s.frame)
    }

    /// The newest state that is not later than `frame`.
    pub fn not_after(&self, frame: u64) -> Option<&KeptState> {
        let later = self.states.partition_point(|s| s.frame <= frame);
        self.states.get(later.checked_sub(1)?)
    }

    /// The oldest frame that is not before `frame`.
    pub fn not_before(&self, frame: u64) -> Option<u64> {
        let earlier = self.states.partition_point(|s| s.frame < frame);
        self.states.get(earlier).map(|s| s.frame)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.states.clear();
        self.bytes = 0;
    }

    /// Keeps a state and forgets those that are not before it.
    pub fn push(&mut self, state: KeptState) {
        if let Some(before) = state.frame.checked_sub(1) {
            self.forget_after(before);
        } else {
            self.clear();
        }
        self.bytes += state.bytes();
        self.states.push_back(state);
    }

    /// Forgets states later than `frame`.
    pub fn forget_after(&mut self, frame: u64) {
        while self.last().is_some_and(|last| last > frame)
            && let Some(removed) = self.states.pop_back()
        {
            self.bytes -= removed.bytes();
        }
    }

    /// Forgets the oldest state, unless it is the only one; whether there was another.
    pub fn forget_oldest(&mut self) -> bool {
        if self.states.len() < 2 {
            return false;
        }
        if let Some(removed) = self.states.pop_front() {
            self.bytes -= removed.bytes();
        }
        true
    }

    /// Removes the state whose removal leaves the smallest gap relative to its age; returns whether one could be removed.
    pub fn thin(&mut self) -> bool {
        let Some(last) = self.last() else {
            return false;
        };
        let frame = |k: usize| self.states[k].frame;
        let inner = 1..self.states.len().saturating_sub(1);
        let gap = |k: usize| frame(k + 1) - frame(k - 1);
        let relative = |k: usize| gap(k) as f64 / (last - frame(k)) as f64;
        let smallest = inner
            .filter(|&k| gap(k) <= MAX_GAP)
            .min_by(|&a, &b| relative(a).total_cmp(&relative(b)));
        let removed = smallest.and_then(|k| self.states.remove(k));
        self.bytes -= removed.as_ref().map_or(0, KeptState::bytes);
        removed.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(frames: impl Iterator<Item = u64>) -> KeptStates {
        let mut kept = KeptStates::default();
        for frame in frames {
            kept.push(KeptState {
                frame,
                panes: Vec::new(),
            });
        }
        kept
    }

    #[test]
    fn gaps_grow_with_age_and_stay_bounded() {
        let mut kept = states((0..=600).map(|k| 6 * k));
        for _ in 0..500 {
            assert!(kept.thin());
        }
        let frames: Vec<u64> = kept.states.iter().map(|s| s.frame).collect();
        assert_eq!((frames[0], frames[frames.len() - 1]), (0, 3600));
        let gaps: Vec<u64> = frames.windows(2).map(|w| w[1] - w[0]).collect();
        assert!(gaps.iter().all(|g| *g <= MAX_GAP), "{gaps:?}");
        let (old, young) = gaps.split_at(gaps.len() / 2);
        let mean = |g: &[u64]| g.iter().sum::<u64>() as f64 / g.len() as f64;
        assert!(mean(old) > 2.0 * mean(young), "{gaps:?}");
        assert_eq!(gaps[gaps.len() - 1], 6);
        while kept.thin() {}
        let frames: Vec<u64> = kept.states.iter().map(|s| s.frame).collect();
        assert!(frames.windows(2).all(|w| w[1] - w[0] <= MAX_GAP));
        assert!(kept.len() >= 30 && kept.forget_oldest());
        assert!(kept.first() > Some(0));
    }

    #[test]
    fn a_new_state_takes_the_place_of_later_ones() {
        let mut kept = states([0, 6, 12, 18].into_iter());
        assert_eq!(kept.not_after(11).map(|s| s.frame), Some(6));
        assert_eq!(kept.not_after(12).map(|s| s.frame), Some(12));
        kept.push(KeptState {
            frame: 12,
            panes: Vec::new(),
        });
        assert_eq!((kept.len(), kept.last()), (3, Some(12)));
        kept.push(KeptState {
            frame: 0,
            panes: Vec::new(),
        });
        assert_eq!((kept.len(), kept.last()), (1, Some(0)));
        assert!(!kept.forget_oldest() && !kept.thin());
    }
}
