//! Which moments of a run become shots of an animation.

use pliant_simulation::command::Command;

/// Between two shots, s.
pub const INTERVAL: f64 = 0.05;
/// Frames of the window in which the timeline may take to reach a frame that it has announced to be there.
const PATIENCE: u32 = 120;

/// What the window knows at a frame of it.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// Time of the window, s.
    pub time: f64,
    /// The frame of the timeline that is shown.
    pub frame: u64,
    /// Whether the timeline is on its way to another frame.
    pub approaching: bool,
    /// Whether the last shot has been taken.
    pub taken: bool,
}

/// What is to be done at a frame of the window.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Nothing.
    Wait,
    /// A shot, with its time in the animation, s.
    Take(f64),
    /// The simulation is asked for something.
    Ask(Command),
    /// The stretch is over.
    Done,
}

/// A stretch of a run that is recorded.
#[derive(Debug, Clone, PartialEq)]
pub enum Stretch {
    /// What comes in the next seconds of wall time.
    Next {
        /// Time of the window at which it began, s.
        begun: f64,
        /// Length, s.
        seconds: f64,
        /// When the next shot is due, s from the beginning.
        due: f64,
    },
    /// A part of the timeline, which is gone through frame by frame, as slowly as that is.
    Part {
        /// First and last frame.
        part: [u64; 2],
        /// Frames from one shot to the next.
        stride: u64,
        /// Duration of a frame, s.
        frame_duration: f64,
        /// The frame of the next shot.
        target: u64,
        /// Whether the simulation was asked for it.
        asked: bool,
        /// The frame of the last shot.
        last: Option<u64>,
        /// Frames of the window since it was asked for.
        waited: u32,
    },
}

impl Stretch {
    /// The next `seconds` from `time` of the window on.
    pub fn next(time: f64, seconds: f64) -> Self {
        Self::Next {
            begun: time,
            seconds,
            due: 0.0,
        }
    }

    /// From the first frame of `part` to the last; `frame_duration` in s.
    pub fn part(part: [u64; 2], frame_duration: f64) -> Self {
        Self::Part {
            part,
            stride: ((INTERVAL / frame_duration).round() as u64).max(1),
            frame_duration,
            target: part[0],
            asked: false,
            last: None,
            waited: 0,
        }
    }

    /// What is to be done now.
    pub fn step(&mut self, now: Moment) -> Step {
        match self {
            Self::Next {
                begun,
                seconds,
                due,
            } => {
                let time = now.time - *begun;
                if time > *seconds {
                    return Step::Done;
                }
                if time < *due || !now.taken {
                    return Step::Wait;
                }
                *due = ((time / INTERVAL).floor() + 1.0) * INTERVAL;
                Step::Take(time)
            }
            Self::Part {
                part,
                stride,
                frame_duration,
                target,
                asked,
                last,
                waited,
            } => {
                if !now.taken || now.approaching {
                    return Step::Wait;
                }
                if !*asked {
                    if *target > part[1] {
                        return Step::Done;
                    }
                    (*asked, *waited) = (true, 0);
                    return Step::Ask(Command::Seek(*target));
                }
                *waited += 1;
                // a frame that had other parameters is reached as nearly as possible
                if now.frame != *target && *waited < PATIENCE {
                    return Step::Wait;
                }
                let is_last = *target == part[1];
                *target = if is_last {
                    part[1] + 1
                } else {
                    (*target + *stride).min(part[1])
                };
                *asked = false;
                if last.is_some_and(|last| now.frame <= last) {
                    return Step::Wait;
                }
                *last = Some(now.frame);
                Step::Take(now.frame.saturating_sub(part[0]) as f64 * *frame_duration)
            }
        }
    }

    /// How far it is, in words.
    pub fn told(&self, time: f64) -> String {
        match self {
            Self::Next { begun, seconds, .. } => {
                let done = (time - begun).clamp(0.0, *seconds);
                format!("recording the panes: {done:.1} of {seconds:.0} s")
            }
            Self::Part { part, target, .. } => {
                let whole = (part[1] - part[0]).max(1) as f64;
                let done = (target.saturating_sub(part[0]) as f64 / whole).min(1.0);
                format!("recording the marked part: {:.0} %", 100.0 * done)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(time: f64, frame: u64) -> Moment {
        Moment {
            time,
            frame,
            approaching: false,
            taken: true,
        }
    }

    #[test]
    fn what_comes_is_taken_twenty_times_a_second_or_as_fast_as_the_window_is() {
        let mut stretch = Stretch::next(10.0, 1.0);
        let mut times = Vec::new();
        for k in 0..200 {
            match stretch.step(moment(10.0 + f64::from(k) * 0.016, 0)) {
                Step::Take(time) => times.push(time),
                Step::Done => break,
                _ => {}
            }
        }
        assert!((19..=21).contains(&times.len()), "{times:?}");
        assert!(times.is_sorted() && times[0] == 0.0);
        let mut slow = Stretch::next(0.0, 1.0);
        let step = |k: u32| slow.step(moment(f64::from(k) * 0.2, 0));
        let steps: Vec<Step> = (0..7).map(step).collect();
        assert!(
            steps[..5].iter().all(|s| matches!(s, Step::Take(_))),
            "{steps:?}"
        );
        assert_eq!(steps[6], Step::Done);
    }

    #[test]
    fn a_part_is_gone_through_frame_by_frame_however_long_each_takes() {
        let mut stretch = Stretch::part([30, 40], 1.0 / 60.0);
        let (mut frame, mut wanted, mut times) = (99, None, Vec::new());
        for k in 0..400 {
            // the simulation needs a few frames of the window to get there
            if k % 5 == 0
                && let Some(there) = wanted.take()
            {
                frame = there;
            }
            let now = Moment {
                approaching: wanted.is_some(),
                ..moment(0.0, frame)
            };
            match stretch.step(now) {
                Step::Ask(Command::Seek(target)) => wanted = Some(target),
                Step::Take(time) => times.push((frame, (time * 60.0).round() as u64)),
                Step::Done => break,
                Step::Wait => {}
                Step::Ask(other) => panic!("{other:?}"),
            }
        }
        assert_eq!(times, [(30, 0), (33, 3), (36, 6), (39, 9), (40, 10)]);
    }

    #[test]
    fn frames_that_cannot_be_reached_are_left_out() {
        let mut stretch = Stretch::part([0, 6], 1.0 / 60.0);
        let mut times = Vec::new();
        for _ in 0..2000 {
            // it always stops at frame 2
            match stretch.step(moment(0.0, 2)) {
                Step::Take(time) => times.push(time),
                Step::Done => break,
                _ => {}
            }
        }
        assert_eq!(times.len(), 1);
    }
}
