//! The numbers of the rule: how calm is calm, how long, and which motion wakes.

/// Frames for which something has to be calm before it sleeps.
pub const CALM_FRAMES: u16 = 30;
/// Frames for which what touches it has to be calm.
pub const NEIGHBOUR_FRAMES: u16 = 10;
/// From here on calm frames are not counted.
pub const MOST_CALM_FRAMES: u16 = 1000;

/// Something is calm when it moves by less than this share of the spacing a frame.
pub const CALM: f64 = 0.01;
/// What is nearer than this share of the spacing touches.
pub const TOUCHING: f64 = 0.02;
/// What moves this many times as fast as something calm wakes what it touches.
const WAKE: f64 = 3.0;

/// Calm frames after one more, of which there were `before`.
pub fn calm_frames(before: u16, is_calm: bool) -> u16 {
    match is_calm {
        true => (before + 1).min(MOST_CALM_FRAMES),
        false => 0,
    }
}

/// How two things are to each other when a frame begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Approach {
    /// m
    pub gap: f64,
    /// At which the gap closes, m/s.
    pub closing: f64,
    /// Of one relative to the other, m/s.
    pub speed: f64,
}

impl Approach {
    /// Whether the two touch in a frame of `duration` seconds, or may have touched when the last one began: what falls is beyond the margin after a frame.
    pub fn touches(&self, spacing: f64, duration: f64) -> bool {
        self.gap + self.closing.min(0.0) * duration < TOUCHING * spacing
    }

    /// Whether one wakes the other by its motion: it is fast and touches, or gets there within the frame.
    pub fn hits(&self, touches: bool, spacing: f64, duration: f64) -> bool {
        let lively = WAKE * CALM * spacing / duration;
        touches && self.speed > lively
            || self.closing > lively && self.closing * duration > self.gap
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_gets_there_hits_and_what_leaves_has_touched() {
        let (spacing, duration) = (0.1, 0.01);
        let told = |gap: f64, closing: f64| {
            let approach = Approach {
                gap,
                closing,
                speed: closing.abs(),
            };
            let touches = approach.touches(spacing, duration);
            (touches, approach.hits(touches, spacing, duration))
        };
        assert_eq!(told(0.001, 0.0), (true, false));
        assert_eq!(told(0.001, 0.4), (true, true));
        assert_eq!(told(0.01, 0.4), (false, false));
        assert_eq!(told(0.003, 0.4), (false, true));
        assert_eq!(told(0.004, -0.4), (true, true));
        assert_eq!(told(0.01, -0.4), (false, false));
    }

    #[test]
    fn calm_frames_are_counted_up_to_a_bound() {
        assert_eq!(calm_frames(4, true), 5);
        assert_eq!(calm_frames(4, false), 0);
        assert_eq!(calm_frames(MOST_CALM_FRAMES, true), MOST_CALM_FRAMES);
    }
}
