//! How strongly a step damps: the gain of region damping and the number of its applications.

use pliant_core::math::Vec3;

/// Largest gain of one application and of two: the latter is a little below the stability limit, because the fastest mode has to be damped too.
const MAX_GAINS: [f64; 2] = [1.0, 0.95 * 6.0];

/// How strongly a step damps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DampingPlan {
    /// Applications of D.
    pub stages: usize,
    /// Gain `k`.
    pub gain: f64,
    /// Part of the requested gain that would need more applications.
    pub missing: f64,
}

impl DampingPlan {
    /// The fewest applications for a gain `k = β α/h`.
    pub fn new(requested: f64) -> Self {
        let requested = if requested.is_nan() {
            0.0
        } else {
            requested.clamp(0.0, 1e9)
        };
        let gain = requested.min(MAX_GAINS[1]);
        Self {
            stages: usize::from(gain > 0.0) + usize::from(gain > MAX_GAINS[0]),
            gain,
            missing: requested - gain,
        }
    }

    /// One application, with a gain of at most `max_gain`.
    pub fn once(requested: f64, max_gain: f64) -> Self {
        let requested = Self::new(requested);
        let requested = requested.gain + requested.missing;
        let gain = requested.min(max_gain);
        Self {
            stages: usize::from(gain > 0.0),
            gain,
            missing: requested - gain,
        }
    }

    /// The applications, in order.
    pub fn recurrence(self) -> impl Iterator<Item = Stage> {
        let stages = self.stages;
        let share = 2.0 * self.gain / (stages * stages + stages) as f64;
        (1..=stages).map(move |stage| {
            let mu = (2 * stage - 1) as f64 / stage as f64;
            Stage {
                is_first: stage == 1,
                mu,
                factor: mu * share,
            }
        })
    }
}

/// One application: `Y_j = μ Y_{j−1} + (1 − μ) Y_{j−2} − μ share D Y_{j−1}`, the recurrence of Legendre's polynomials, with `share = 2 k / (s² + s)`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stage {
    is_first: bool,
    mu: f64,
    /// `μ share`
    factor: f64,
}

impl Stage {
    /// Damps velocity `v`, which was `before` one stage ago; `smoother` is the smooth velocity minus `v`, m/s.
    #[inline(always)]
    pub fn damp(self, v: &mut Vec3, before: &mut Vec3, smoother: Vec3) {
        let (mu, change) = (self.mu, smoother * self.factor);
        let next = if self.is_first {
            *v + change
        } else {
            *v * mu + *before * (1.0 - mu) + change
        };
        (*before, *v) = (*v, next);
    }
}
