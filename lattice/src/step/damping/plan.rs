//! How strongly a step damps: the gain of region damping and the number of its applications.

/// Largest gain of one application, and of two: the latter a little below the stable one, because the fastest mode has to be damped too.
const GAINS: [f64; 2] = [1.0, 0.95 * 6.0];

/// How strongly a step damps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DampingPlan {
    /// Applications of D.
    pub stages: usize,
    /// Gain `k`.
    pub gain: f64,
    /// Gain that was wanted but would cost more applications.
    pub missing: f64,
}

impl DampingPlan {
    /// The cheapest way to a gain `k = β α/h`.
    pub fn new(wanted: f64) -> Self {
        let wanted = if wanted.is_nan() {
            0.0
        } else {
            wanted.clamp(0.0, 1e9)
        };
        let gain = wanted.min(GAINS[1]);
        Self {
            stages: usize::from(gain > 0.0) + usize::from(gain > GAINS[0]),
            gain,
            missing: wanted - gain,
        }
    }

    /// One application of at most `largest`, whatever is wanted.
    pub fn once(wanted: f64, largest: f64) -> Self {
        let wanted = Self::new(wanted);
        let wanted = wanted.gain + wanted.missing;
        let gain = wanted.min(largest);
        Self {
            stages: usize::from(gain > 0.0),
            gain,
            missing: wanted - gain,
        }
    }
}
