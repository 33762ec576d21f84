//! What a frame costs: the smallest of several medians.

use super::figures::CandidateFigures;

/// Medians whose ratio is at most this agree.
const AGREEMENT_RATIO: f64 = 1.15;
/// Most runs of the same frames.
pub(super) const MAX_RUNS: usize = 4;
/// Ratio of two medians of the same frames above which the machine is busy, and costs are uncertain.
pub(super) const UNSTEADY_RATIO: f64 = 1.25;

/// Median wall times (ms) of a frame in runs of the same frames, ascending.
pub(super) struct Medians(Vec<f64>);

impl Medians {
    /// Of one run.
    pub(super) fn new(median_ms: f64) -> Self {
        Self(vec![median_ms])
    }

    /// Adds that of another run, and keeps the smallest times in `figures`: other work on the machine only ever adds to them.
    pub(super) fn add(&mut self, run: &CandidateFigures, figures: &mut CandidateFigures) {
        self.0.push(run.median_ms);
        self.0.sort_by(f64::total_cmp);
        figures.median_ms = self.0[0];
        figures.p99_ms = figures.p99_ms.min(run.p99_ms);
    }

    /// Ratio of the two smallest ones; 1 for a single run.
    pub(super) fn unsteadiness(&self) -> f64 {
        match self.0[..] {
            [first, second, ..] => second / first.max(f64::MIN_POSITIVE),
            _ => 1.0,
        }
    }

    /// Whether two runs agree.
    pub(super) fn agree(&self) -> bool {
        self.0.len() > 1 && self.unsteadiness() <= AGREEMENT_RATIO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_runs_do_not_count_once_two_agree() {
        let of = |median_ms: f64| CandidateFigures {
            median_ms,
            ..CandidateFigures::default()
        };
        let mut kept = of(0.54);
        let mut medians = Medians::new(kept.median_ms);
        assert!(!medians.agree());
        medians.add(&of(0.40), &mut kept);
        assert!(!medians.agree() && medians.unsteadiness() > UNSTEADY_RATIO);
        medians.add(&of(0.41), &mut kept);
        assert!(medians.agree() && medians.unsteadiness() < 1.03);
        assert_eq!(kept.median_ms, 0.40);
    }
}
