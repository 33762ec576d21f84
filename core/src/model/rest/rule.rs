//! The thresholds of sleep: the speed and the number of frames at rest, and the motion that wakes.

/// Consecutive frames at rest after which a body or piece falls asleep.
pub const FRAMES_BEFORE_SLEEP: u16 = 30;
/// Consecutive frames for which its neighbours have to be at rest.
pub const NEIGHBOUR_REST_FRAMES: u16 = 10;
/// Largest count of frames at rest.
pub const MAX_REST_FRAMES: u16 = 30_000;
/// Frames a second for which the numbers of frames at rest are meant.
const FRAME_RATE: f64 = 60.0;
/// A body at rest is slower than anything that has fallen for this time, s.
const FALL_TIME: f64 = 1e-3;
/// A motion that nobody sees, spacings a second: without gravity a body at rest is slower than this.
const NEGLIGIBLE_SPEED: f64 = 1e-6;

/// A body or piece is at rest when it moves by less than this share of the spacing in a frame.
pub const REST_DISTANCE: f64 = 0.01;
/// Two things touch when they are nearer than this share of the spacing.
pub const TOUCHING_DISTANCE: f64 = 0.02;
/// Speed from which something wakes what it touches, in multiples of the largest speed at rest.
const WAKING_SPEED: f64 = 3.0;

/// Largest speed of a body of a group at rest, m/s, for contact points at a distance of `spacing` (m) and a gravity of `gravity` (m/s²).
///
/// It is a hundredth of a spacing in a sixtieth of a second, but at most the speed of something that has fallen for 1 ms: what falls, slides or
/// oscillates with more than a small part of its weight is not at rest. Without gravity it is a millionth of a spacing a second.
pub fn max_rest_speed(spacing: f64, gravity: f64) -> f64 {
    (REST_DISTANCE * spacing * FRAME_RATE)
        .min(FALL_TIME * gravity)
        .max(NEGLIGIBLE_SPEED * spacing)
}

/// The number of frames of `duration` seconds that take as long as `frames` frames at 60 frames a second, but no fewer than these.
pub fn rest_frames(frames: u16, duration: f64) -> u16 {
    let same_time = f64::from(frames) / (FRAME_RATE * duration);
    frames.max(same_time.min(f64::from(MAX_REST_FRAMES)) as u16)
}

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

    /// Whether the two touched when the last frame began and do not any more.
    pub fn has_separated(&self, spacing: f64, duration: f64) -> bool {
        self.gap >= TOUCHING_DISTANCE * spacing && self.touches(spacing, duration)
    }

    /// Whether one wakes the other by its motion: it is fast and touches, or reaches the other within the frame. `rest_speed` is the largest speed at rest, m/s.
    pub fn hits(&self, touches: bool, rest_speed: f64, duration: f64) -> bool {
        let waking_speed = WAKING_SPEED * rest_speed;
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
            (
                touches,
                approach.hits(touches, REST_DISTANCE * spacing / duration, duration),
            )
        };
        assert_eq!(touches_and_hits(0.001, 0.0), (true, false));
        assert_eq!(touches_and_hits(0.001, 0.4), (true, true));
        assert_eq!(touches_and_hits(0.01, 0.4), (false, false));
        assert_eq!(touches_and_hits(0.003, 0.4), (false, true));
        assert_eq!(touches_and_hits(0.004, -0.4), (true, true));
        assert_eq!(touches_and_hits(0.01, -0.4), (false, false));
    }

    #[test]
    fn rest_belongs_to_seconds_and_to_gravity_not_to_frames() {
        for (frame_rate, frames) in [(10.0, 30), (60.0, 30), (240.0, 120), (2000.0, 1000)] {
            assert_eq!(rest_frames(30, 1.0 / frame_rate), frames);
        }
        // small bodies, large bodies, and large bodies on a small moon
        assert!((max_rest_speed(1e-4, 9.81) - 6e-5).abs() < 1e-12);
        assert!((max_rest_speed(0.1, 9.81) - 9.81e-3).abs() < 1e-12);
        assert!((max_rest_speed(0.1, 0.1) - 1e-4).abs() < 1e-12);
        assert!((max_rest_speed(0.1, 0.0) - 1e-7).abs() < 1e-20);
    }

    #[test]
    fn frames_at_rest_are_counted_up_to_a_bound() {
        assert_eq!(count_rest_frames(4, true), 5);
        assert_eq!(count_rest_frames(4, false), 0);
        assert_eq!(count_rest_frames(MAX_REST_FRAMES, true), MAX_REST_FRAMES);
    }
}
