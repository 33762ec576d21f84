//! The thresholds of sleep: the speed and the number of frames at rest, and the motion that wakes.

/// Consecutive frames at rest after which a body or piece falls asleep.
pub const FRAMES_BEFORE_SLEEP: u16 = 30;
/// Consecutive frames for which its neighbours have to be at rest.
pub const NEIGHBOUR_REST_FRAMES: u16 = 10;
/// Largest count of frames at rest.
pub const MAX_REST_FRAMES: u16 = 1000;

/// A body or piece is at rest when it moves by less than this share of the spacing in a frame.
pub const REST_DISTANCE: f64 = 0.01;
/// Two things touch when they are nearer than this share of the spacing.
pub const TOUCHING_DISTANCE: f64 = 0.02;
/// Speed from which something wakes what it touches, in multiples of the largest speed at rest.
const WAKING_SPEED: f64 = 3.0;

/// The number of consecutive frames at rest after one more frame; `before` is the number before it.
pub fn count_rest_frames(before: u16, is_at_rest: bool) -> u16 {
    match is_at_rest {
        true => (before + 1).min(MAX_REST_FRAMES),
        false => 0,
    }
}

/// Distance and relative motion of two things when a frame begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Approach {
    /// Distance, m.
    pub gap: f64,
    /// Speed at which the gap closes, m/s.
    pub closing: f64,
    /// Relative speed, m/s.
    pub speed: f64,
}

impl Approach {
    /// Whether the two touch in a frame of `duration` seconds, or may have touched when the last one began. After a frame of free fall the gap alone is too large.
    pub fn touches(&self, spacing: f64, duration: f64) -> bool {
        self.gap + self.closing.min(0.0) * duration < TOUCHING_DISTANCE * spacing
    }

    /// Whether one wakes the other by its motion: it is fast and touches, or reaches the other within the frame.
    pub fn hits(&self, touches: bool, spacing: f64, duration: f64) -> bool {
        let waking_speed = WAKING_SPEED * REST_DISTANCE * spacing / duration;
        touches && self.speed > waking_speed
            || self.closing > waking_speed && self.closing * duration > self.gap
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reaches_the_other_hits_it_and_what_moves_away_has_touched_it() {
        let (spacing, duration) = (0.1, 0.01);
        let touches_and_hits = |gap: f64, closing: f64| {
            let approach = Approach {
                gap,
                closing,
                speed: closing.abs(),
            };
            let touches = approach.touches(spacing, duration);
            (touches, approach.hits(touches, spacing, duration))
        };
        assert_eq!(touches_and_hits(0.001, 0.0), (true, false));
        assert_eq!(touches_and_hits(0.001, 0.4), (true, true));
        assert_eq!(touches_and_hits(0.01, 0.4), (false, false));
        assert_eq!(touches_and_hits(0.003, 0.4), (false, true));
        assert_eq!(touches_and_hits(0.004, -0.4), (true, true));
        assert_eq!(touches_and_hits(0.01, -0.4), (false, false));
    }

    #[test]
    fn frames_at_rest_are_counted_up_to_a_bound() {
        assert_eq!(count_rest_frames(4, true), 5);
        assert_eq!(count_rest_frames(4, false), 0);
        assert_eq!(count_rest_frames(MAX_REST_FRAMES, true), MAX_REST_FRAMES);
    }
}
