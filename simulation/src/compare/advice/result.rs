//! An advice: what was tried, what came out, and why one candidate is chosen.

use super::candidates::Candidate;
use super::choice::{Choice, CostAndError, Goal};
use super::figures::{CandidateFigures, ErrorMeasure};
use crate::error::Fault;
use crate::reference::Reference;

/// An advice.
#[derive(Debug, Clone)]
pub struct Advice {
    /// What was wanted.
    pub goal: Goal,
    /// The error by which candidates are compared.
    pub error_measure: ErrorMeasure,
    /// What they are compared with.
    pub reference: Reference,
    /// Simulated frames of each candidate.
    pub frames: usize,
    /// All candidates, in the order in which they were tried.
    pub tried: Vec<TriedCandidate>,
    /// Numbers of those that none beats in both cost and error, from the cheapest to the most exact. A skin beyond the limit of the goal counts like a large error.
    pub front: Vec<usize>,
    /// The advised one.
    pub choice: Choice,
    /// Largest ratio of the two smallest medians of a candidate on the front: far from 1 on a machine that is busy with other work.
    pub unsteadiness: f64,
    /// What is advised and why, a sentence each.
    pub reason: Vec<String>,
    /// Wall time of all of it, s.
    pub seconds: f64,
}

/// Why the error of a candidate says less than it seems to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// A finer candidate of its kind is farther off: its errors cancel on this poke.
    ByChance,
    /// Its skin is beyond its limit, and is not the error by which candidates are compared.
    SkinTooFarOff,
}

impl Doubt {
    /// The doubt in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::ByChance => "by chance",
            Self::SkinTooFarOff => "skin too far off",
        }
    }
}

impl Advice {
    /// Why the error of candidate `k` says less than it seems to; `None` for a sound one, and for one that did not run.
    pub fn doubt(&self, k: usize) -> Option<Doubt> {
        let one = self.tried.get(k)?;
        let skin = one.figures()?.skin;
        match one.chance {
            Some(_) => Some(Doubt::ByChance),
            None => self
                .is_skin_too_far_off(skin)
                .then_some(Doubt::SkinTooFarOff),
        }
    }

    /// "adaptive, budget_ms = 4: 3.21 ms, 1.5 %, skin 0.30 %, by chance": candidate `k` with its cost, its errors and what is in doubt about them; `None` where it did not run.
    pub fn summary(&self, k: usize) -> Option<String> {
        let one = self.tried.get(k)?;
        let point = self.point(one)?;
        let mut text = format!(
            "{}, {}: {:.2} ms, {:.1} %",
            one.candidate.method.name(),
            one.candidate.label(),
            point.cost_ms,
            point.error * 100.0
        );
        if self.error_measure == ErrorMeasure::Force {
            text.push_str(&format!(", skin {:.2} %", point.skin * 100.0));
        }
        if let Some(doubt) = self.doubt(k) {
            text.push_str(", ");
            text.push_str(doubt.words());
        }
        Some(text)
    }

    /// Cost, error and skin of a candidate, where it ran.
    pub(super) fn point(&self, one: &TriedCandidate) -> Option<CostAndError> {
        Some(one.figures()?.point(self.error_measure))
    }

    /// Whether a skin (its distance over the diagonal) is beyond its limit, and not the error by which candidates are compared.
    pub fn is_skin_too_far_off(&self, skin: f64) -> bool {
        self.error_measure == ErrorMeasure::Force && skin > self.goal.skin_error()
    }

    /// Largest error that is still good enough, by the measure that candidates are compared with.
    pub fn error_limit(&self) -> f64 {
        match self.error_measure {
            ErrorMeasure::Force => self.goal.error(),
            // both limits are for the skin
            ErrorMeasure::Skin => self.goal.error().min(self.goal.skin_error()),
        }
    }

    /// The advised candidate.
    pub fn advised(&self) -> &Candidate {
        &self.tried[self.choice.index()].candidate
    }

    /// Its figures.
    pub fn advised_figures(&self) -> Option<&CandidateFigures> {
        self.tried[self.choice.index()].figures()
    }
}

/// A candidate and its result.
#[derive(Debug, Clone, PartialEq)]
pub struct TriedCandidate {
    /// Method and settings.
    pub candidate: Candidate,
    /// Its result.
    pub outcome: Outcome,
    /// A finer candidate of its family that is farther off, by its number: its own agreement with the reference is then chance, and it is neither on the front nor advised.
    pub chance: Option<usize>,
}

/// Result of a candidate.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It ran.
    Measured(CandidateFigures),
    /// It cannot run this scene, or did not get to its end.
    Refused(Fault),
    /// It was left out.
    Skipped {
        /// Why.
        reason: String,
    },
}

impl TriedCandidate {
    /// Its figures, where it ran.
    pub fn figures(&self) -> Option<&CandidateFigures> {
        match &self.outcome {
            Outcome::Measured(figures) => Some(figures),
            _ => None,
        }
    }
}
