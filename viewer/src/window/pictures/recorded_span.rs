//! The part of a run that is recorded as an animation, and the times of its shots.

use pliant_simulation::command::Command;

/// Time between two shots, s.
pub const INTERVAL: f64 = 0.05;
/// Most frames of the window that the timeline may need to reach a frame.
const MAX_SEEK_FRAMES: u32 = 120;

/// State of the window and the timeline at a frame of the window.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// Time of the window, s.
    pub time: f64,
    /// The frame of the timeline that is shown.
    pub frame: u64,
    /// Whether the timeline is seeking another frame.
    pub is_seeking: bool,
    /// Whether the last shot has been taken.
    pub taken: bool,
}

/// What to do at a frame of the window.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Nothing.
    Wait,
    /// Take a shot, with this time in the animation, s.
    Take(f64),
    /// Send a command to the simulation.
    Send(Command),
    /// The recording is complete.
    Done,
}

/// The part of a run that is recorded.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordedSpan {
    /// The next seconds of wall time.
    Next {
        /// Time of the window at the start, s.
        start: f64,
        /// Length, s.
        seconds: f64,
        /// When the next shot is due, s from the beginning.
        due: f64,
    },
    /// A part of the timeline, which is shown frame by frame, however long each takes.
    Part {
        /// First and last frame.
        part: [u64; 2],
        /// Frames from one shot to the next.
        stride: u64,
        /// Duration of a frame, s.
        frame_duration: f64,
        /// The frame of the next shot.
        target: u64,
        /// Whether the simulation was requested to seek it.
        is_requested: bool,
        /// The frame of the last shot.
        last: Option<u64>,
        /// Frames of the window since the request.
        waited: u32,
    },
}

impl RecordedSpan {
    /// The next `seconds` from `time` of the window on.
    pub fn next(time: f64, seconds: f64) -> Self {
        Self::Next {
            start: time,
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
            is_requested: false,
            last: None,
            waited: 0,
        }
    }

    /// What to do now.
    pub fn step(&mut self, now: Moment) -> Step {
        match self {
            Self::Next {
                start,
                seconds,
                due,
            } => {
                let time = now.time - *start;
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
                is_requested,
                last,
                waited,
            } => {
                if !now.taken || now.is_seeking {
                    return Step::Wait;
                }
                if !*is_requested {
                    if *target > part[1] {
                        return Step::Done;
                    }
                    (*is_requested, *waited) = (true, 0);
                    return Step::Send(Command::Seek(*target));
                }
                *waited += 1;
                // a frame with other parameters cannot be reached exactly
                if now.frame != *target && *waited < MAX_SEEK_FRAMES {
                    return Step::Wait;
                }
                let is_last = *target == part[1];
                *target = if is_last {
                    part[1] + 1
                } else {
                    (*target + *stride).min(part[1])
                };
                *is_requested = false;
                if last.is_some_and(|last| now.frame <= last) {
                    return Step::Wait;
                }
                *last = Some(now.frame);
                Step::Take(now.frame.saturating_sub(part[0]) as f64 * *frame_duration)
            }
        }
    }

    /// Progress as text.
    pub fn progress_text(&self, time: f64) -> String {
        match self {
            Self::Next { start, seconds, .. } => {
                let done = (time - start).clamp(0.0, *seconds);
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
            is_seeking: false,
            taken: true,
        }
    }

    #[test]
    fn the_next_seconds_are_recorded_twenty_times_a_second_or_as_fast_as_the_window_is() {
        let mut span = RecordedSpan::next(10.0, 1.0);
        let mut times = Vec::new();
        for k in 0..200 {
            match span.step(moment(10.0 + f64::from(k) * 0.016, 0)) {
                Step::Take(time) => times.push(time),
                Step::Done => break,
                _ => {}
            }
        }
        assert!((19..=21).contains(&times.len()), "{times:?}");
        assert!(times.is_sorted() && times[0] == 0.0);
        let mut slow = RecordedSpan::next(0.0, 1.0);
        let step = |k: u32| slow.step(moment(f64::from(k) * 0.2, 0));
        let steps: Vec<Step> = (0..7).map(step).collect();
        assert!(
            steps[..5].iter().all(|s| matches!(s, Step::Take(_))),
            "{steps:?}"
        );
        assert_eq!(steps[6], Step::Done);
    }

    #[test]
    fn a_part_is_recorded_frame_by_frame_however_long_each_takes() {
        let mut span = RecordedSpan::part([30, 40], 1.0 / 60.0);
        let (mut frame, mut requested, mut times) = (99, None, Vec::new());
        for k in 0..400 {
            // the simulation needs a few frames of the window to get there
            if k % 5 == 0
                && let Some(reached) = requested.take()
            {
                frame = reached;
            }
            let now = Moment {
                is_seeking: requested.is_some(),
                ..moment(0.0, frame)
            };
            match span.step(now) {
                Step::Send(Command::Seek(target)) => requested = Some(target),
                Step::Take(time) => times.push((frame, (time * 60.0).round() as u64)),
                Step::Done => break,
                Step::Wait => {}
                Step::Send(other) => panic!("{other:?}"),
            }
        }
        assert_eq!(times, [(30, 0), (33, 3), (36, 6), (39, 9), (40, 10)]);
    }

    #[test]
    fn frames_that_cannot_be_reached_are_skipped() {
        let mut span = RecordedSpan::part([0, 6], 1.0 / 60.0);
        let mut times = Vec::new();
        for _ in 0..2000 {
            // it always stops at frame 2
            match span.step(moment(0.0, 2)) {
                Step::Take(time) => times.push(time),
                Step::Done => break,
                _ => {}
            }
        }
        assert_eq!(times.len(), 1);
    }
}
