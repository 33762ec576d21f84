//! How strongly a step damps: the gain of region damping and the number of its applications.

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
}
