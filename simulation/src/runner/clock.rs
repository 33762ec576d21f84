//! Keeping simulated time in step with the wall clock. Only windows use it.

use std::time::Duration;

use web_time::Instant;

/// Says when the next frame is due, and whether the simulation keeps up.
#[derive(Debug)]
pub struct Clock {
    frame: Duration,
    due: Instant,
    speed: f64,
    last: Instant,
}

impl Clock {
    /// A clock for frames of `frame_duration` seconds; the first is due at once.
    pub fn new(frame_duration: f64) -> Self {
        let now = Instant::now();
        Self {
            frame: Duration::from_secs_f64(frame_duration),
            due: now,
            speed: 1.0,
            last: now,
        }
    }

    /// Time to wait until the next frame is due.
    pub fn wait(&self) -> Duration {
        self.due.saturating_duration_since(Instant::now())
    }

    /// Starts a frame. Lost time is not made up for: the simulation slows down instead of jumping.
    pub fn start_frame(&mut self) {
        self.start_frame_at(Instant::now());
    }

    fn start_frame_at(&mut self, now: Instant) {
        self.due = if now > self.due + self.frame {
            now
        } else {
            self.due
        } + self.frame;
        let spent = now.duration_since(self.last).as_secs_f64();
        self.last = now;
        if spent > 0.0 {
            let speed = (self.frame.as_secs_f64() / spent).min(2.0);
            self.speed += 0.05 * (speed - self.speed);
        }
    }

    /// Restarts after a pause: the next frame is due now.
    pub fn restart(&mut self) {
        self.due = Instant::now();
        self.last = self.due;
    }

    /// Simulated time over wall time in the last frames.
    pub fn speed(&self) -> f64 {
        self.speed.min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_jumps_makes_up_for_no_frame_and_the_speed_recovers() {
        let mut clock = Clock::new(0.01);
        let frame = Duration::from_millis(10);
        let mut now = clock.due;
        clock.start_frame_at(now);
        // a machine that slept for ten years: the next frame is one frame away
        now += Duration::from_secs(10 * 365 * 24 * 3600);
        clock.start_frame_at(now);
        assert_eq!(clock.due, now + frame);
        assert!(clock.speed() > 0.9 && clock.speed() <= 1.0);
        // backwards: no panic, no speed that is no number
        clock.start_frame_at(now - Duration::from_secs(5));
        assert!(clock.speed().is_finite());
        clock.restart();
        now = clock.due;
        for _ in 0..200 {
            clock.start_frame_at(now);
            now += frame;
        }
        assert_eq!(clock.due, now);
        assert!(clock.speed() > 0.99);
    }
}
