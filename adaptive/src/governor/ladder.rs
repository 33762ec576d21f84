//! What is given up when a frame cost more than its budget although the cut does not: steps, rung by rung.
//!
//! Resolution is the governor's to withhold, and always goes first. But a coarse element that a tool crushes may ask for so many steps, each with all impulses of
//! contact, that even the coarsest cut is too dear. Each rung halves the rate that elements are followed at ([`crate::multirate`], `yielding`): what needs more gets inertia
//! instead, with the forces and statics that it had. A rung is climbed after a frame that was too dear and did not change its cut, at most one a frame; it is left after half a second in which
//! a frame with twice the steps would have fitted, or nothing needed the inertia. Decisions depend on work units alone; the state belongs to the snapshot.

/// Highest rung: a thirty-second of the rate.
const HIGHEST: u8 = 5;
/// Frames in a row that would have fitted, before a rung is left.
const QUIET: u8 = 30;

/// Where a body stands on the ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ladder {
    rung: u8,
    quiet: u8,
    frames: u32,
}

impl Ladder {
    /// Numbers that a snapshot takes.
    pub(crate) const SAVED: usize = 2;

    /// The present rung; 0 gives up nothing.
    pub fn rung(&self) -> u8 {
        self.rung
    }

    /// Frames since the last reset on a rung above the ground in which elements had inertia for steps.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// Share of the full rate that elements are followed at.
    pub fn share(&self) -> f64 {
        1.0 / f64::from(1_u32 << self.rung)
    }

    /// Looks at a frame of `units` of the `budget` that it had; `has_changed` tells that a change of the cut is part of it, `yields` that an element has inertia for steps. Returns whether the rung is another.
    pub(crate) fn look(
        &mut self,
        units: u64,
        budget: u64,
        has_changed: bool,
        yields: bool,
    ) -> bool {
        let before = self.rung;
        self.frames += u32::from(self.rung > 0 && yields);
        if units > budget {
            self.quiet = 0;
            if !has_changed && self.rung < HIGHEST {
                self.rung += 1;
            }
        } else if self.rung > 0 && (2 * units <= budget || !yields) {
            self.quiet += 1;
            if self.quiet >= QUIET {
                (self.rung, self.quiet) = (self.rung - 1, 0);
            }
        } else {
            self.quiet = 0;
        }
        self.rung != before
    }

    /// One sentence, where something is given up.
    pub(crate) fn note(&self) -> Option<String> {
        (self.rung > 0).then(|| {
            format!(
                "frames cost more than the budget on the coarsest elements that contact allows: what needs more than 1/{} of the usual rate of steps gets inertia",
                1_u32 << self.rung
            )
        })
    }

    pub(crate) fn save(&self, to: &mut Vec<f64>) {
        to.extend([f64::from(self.rung), f64::from(self.quiet)]);
    }

    /// Takes back what was saved; the number of frames goes on.
    pub(crate) fn restore(&mut self, rung: f64, quiet: f64) {
        self.rung = (rung as u8).min(HIGHEST);
        self.quiet = (quiet as u8).min(QUIET);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rungs_are_climbed_one_by_one_and_left_after_quiet_frames() {
        let mut ladder = Ladder::default();
        assert!(!ladder.look(100, 100, false, true), "it fits");
        assert!(
            !ladder.look(101, 100, true, true),
            "the change of the cut was it"
        );
        for rung in 1..=HIGHEST {
            assert!(ladder.look(101, 100, false, true));
            assert_eq!(ladder.rung(), rung);
            assert_eq!(ladder.share(), 0.5_f64.powi(i32::from(rung)));
        }
        assert!(
            !ladder.look(1000, 100, false, true),
            "there is no higher one"
        );
        for _ in 0..3 * QUIET {
            assert!(
                !ladder.look(51, 100, false, true),
                "twice of that does not fit"
            );
        }
        for rung in (0..HIGHEST).rev() {
            for _ in 1..QUIET {
                assert!(!ladder.look(50, 100, false, true));
            }
            assert!(ladder.look(50, 100, false, true));
            assert_eq!(ladder.rung(), rung);
        }
        assert!(ladder.note().is_none());
        // a rung that nothing needs is left however full frames are
        ladder.look(101, 100, false, true);
        for k in 1..=QUIET {
            assert_eq!(ladder.look(99, 100, false, false), k == QUIET);
        }
        // a dear frame makes the wait begin anew
        ladder.look(101, 100, false, true);
        for _ in 1..QUIET {
            ladder.look(50, 100, false, true);
        }
        ladder.look(60, 100, false, true);
        assert!(!ladder.look(50, 100, false, true));
        let mut saved = Vec::new();
        ladder.save(&mut saved);
        let mut other = Ladder::default();
        other.restore(saved[0], saved[1]);
        assert_eq!((other.rung, other.quiet), (ladder.rung, ladder.quiet));
        assert_eq!(saved.len(), Ladder::SAVED);
    }
}
