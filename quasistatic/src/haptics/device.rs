//! The interface of a force-feedback device, and devices without hardware.

use std::hint::black_box;

use pliant_core::math::Vec3;

/// The reading of a device at a tick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeviceSample {
    /// Tip, world, m.
    pub tip: Vec3,
    /// Whether the device is connected; without it nothing is touched.
    pub connected: bool,
}

impl DeviceSample {
    /// The sample of a disconnected device.
    pub const AWAY: Self = Self {
        tip: Vec3::new(0.0, 0.0, 0.0),
        connected: false,
    };

    /// The sample of a connected device with this tip.
    pub const fn at(tip: Vec3) -> Self {
        Self {
            tip,
            connected: true,
        }
    }
}

/// A device that tracks the position of its tip and exerts a force on it. A driver implements this. A hand is one device with several tips: it also implements the calls for
/// all tips.
///
/// A real-time thread calls these once a millisecond: an implementation must not allocate or take a lock that another thread holds for long.
pub trait HapticDevice {
    /// The tip at `time` (s since the loop started).
    fn sample(&mut self, time: f64) -> DeviceSample;

    /// Applies `force` (N, world) to the hand, the opposite of the force on the body.
    fn apply(&mut self, force: &Vec3);

    /// Loads into the caches what the sample at `time`, which follows at once, will read. Changes no state. A driver with nothing to load does nothing.
    fn warm_up(&mut self, time: f64) {
        let _ = time;
    }

    /// Number of tips.
    fn tips(&self) -> usize {
        1
    }

    /// As [`Self::sample`] for all tips.
    fn sample_all(&mut self, time: f64, out: &mut [DeviceSample]) {
        if let Some(first) = out.first_mut() {
            *first = self.sample(time);
        }
    }

    /// As [`Self::apply`] for all tips.
    fn apply_all(&mut self, forces: &[Vec3]) {
        if let Some(force) = forces.first() {
            self.apply(force);
        }
    }
}

/// Several devices as the tips of one hand.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Hand<D>(pub Vec<D>);

impl<D: HapticDevice> HapticDevice for Hand<D> {
    fn sample(&mut self, time: f64) -> DeviceSample {
        let first = self.0.first_mut();
        first.map_or(DeviceSample::AWAY, |finger| finger.sample(time))
    }

    fn apply(&mut self, force: &Vec3) {
        if let Some(finger) = self.0.first_mut() {
            finger.apply(force);
        }
    }

    fn warm_up(&mut self, time: f64) {
        self.0.iter_mut().for_each(|finger| finger.warm_up(time));
    }

    fn tips(&self) -> usize {
        self.0.len()
    }

    fn sample_all(&mut self, time: f64, out: &mut [DeviceSample]) {
        for (finger, out) in self.0.iter_mut().zip(out) {
            *out = finger.sample(time);
        }
    }

    fn apply_all(&mut self, forces: &[Vec3]) {
        for (finger, force) in self.0.iter_mut().zip(forces) {
            finger.apply(force);
        }
    }
}

/// A device that follows a table of tips at equal intervals and repeats it.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptedDevice {
    tips: Vec<Vec3>,
    interval: f64,
}

impl ScriptedDevice {
    /// Tips (m) `interval` seconds apart, joined by straight lines; the last is followed by the first.
    pub fn new(tips: Vec<Vec3>, interval: f64) -> Self {
        Self { tips, interval }
    }

    /// The same path, shifted (m).
    #[must_use]
    pub fn shifted(mut self, by: &Vec3) -> Self {
        self.tips.iter_mut().for_each(|tip| *tip += by);
        self
    }
}

impl HapticDevice for ScriptedDevice {
    #[inline(never)]
    fn sample(&mut self, time: f64) -> DeviceSample {
        let count = self.tips.len();
        let position = time / self.interval;
        if count == 0 || !(position >= 0.0 && position.is_finite()) {
            return DeviceSample::AWAY;
        }
        let k = position.floor();
        let share = position - k;
        let k = k as usize % count;
        let (a, b) = (self.tips[k], self.tips[(k + 1) % count]);
        DeviceSample::at(a + (b - a) * share)
    }

    fn apply(&mut self, _: &Vec3) {}

    fn warm_up(&mut self, time: f64) {
        black_box(self.sample(time));
    }
}

/// One line of a recorded trace.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TraceRow {
    /// Time since the trace began, s.
    pub time: f64,
    /// Tip, world, m.
    pub tip: Vec3,
}

/// A trace that cannot be played.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TraceError {
    /// A line that does not hold a time and a position.
    #[error("line {line} of the trace is not `time,x,y,z` in seconds and metres: `{text}`")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// Text of the line.
        text: String,
    },
    /// Times that do not rise.
    #[error("line {line} of the trace is not later than the one before")]
    Order {
        /// Number of the line, from 1.
        line: usize,
    },
    /// Nothing to play.
    #[error("the trace has no line with a time and a place")]
    Empty,
}

/// Largest time (s) and coordinate (m) of a trace, so that the difference of any two is finite.
const MAX_MAGNITUDE: f64 = 1e9;

/// The beginning of a line for a message, with control characters replaced: they could move the cursor of a terminal.
fn printable(line: &str) -> String {
    let visible = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    line.chars().take(60).map(visible).collect()
}

/// A device that plays a recorded trace once and is disconnected at its end.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedDevice {
    rows: Vec<TraceRow>,
    at: usize,
}

impl RecordedDevice {
    /// Reads lines `time,x,y,z[,...]` (s, m) and skips empty lines and a first line of names.
    ///
    /// # Errors
    /// [`TraceError`] with the line.
    pub fn parse(text: &str) -> Result<Self, TraceError> {
        let mut rows: Vec<TraceRow> = Vec::new();
        for (k, line) in text.lines().enumerate() {
            let line_number = k + 1;
            let cells: Vec<&str> = line.split(',').map(str::trim).collect();
            let numbers: Vec<f64> = cells.iter().map_while(|c| c.parse().ok()).collect();
            if line.trim().is_empty() || (rows.is_empty() && numbers.is_empty() && k == 0) {
                continue;
            }
            let line_error = || TraceError::Line {
                line: line_number,
                text: printable(line),
            };
            let &[time, x, y, z, ..] = numbers.as_slice() else {
                return Err(line_error());
            };
            if ![time, x, y, z].iter().all(|v| v.abs() <= MAX_MAGNITUDE) {
                return Err(line_error());
            }
            if rows.last().is_some_and(|last| time <= last.time) {
                return Err(TraceError::Order { line: line_number });
            }
            rows.push(TraceRow {
                time,
                tip: Vec3::new(x, y, z),
            });
        }
        if rows.is_empty() {
            return Err(TraceError::Empty);
        }
        Ok(Self { rows, at: 0 })
    }

    /// Length of the trace, s.
    pub fn duration(&self) -> f64 {
        self.rows.last().map_or(0.0, |row| row.time)
    }
}

impl HapticDevice for RecordedDevice {
    fn sample(&mut self, time: f64) -> DeviceSample {
        while self.at + 1 < self.rows.len() && self.rows[self.at + 1].time <= time {
            self.at += 1;
        }
        let current = self.rows[self.at];
        let tip = match self.rows.get(self.at + 1) {
            Some(next) => {
                let share = (time - current.time) / (next.time - current.time);
                current.tip + (next.tip - current.tip) * share.clamp(0.0, 1.0)
            }
            None => current.tip,
        };
        DeviceSample {
            tip,
            connected: time <= self.duration(),
        }
    }

    fn apply(&mut self, _: &Vec3) {}

    fn warm_up(&mut self, _: f64) {
        black_box((self.rows[self.at], self.rows.get(self.at + 1)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_of_absurd_numbers_or_control_characters_is_refused_in_one_line() {
        for line in [
            "1,1e308,0,0",
            "-1e308,0,0,0",
            "1,nan,0,0",
            "1,2\r\u{1b}[2J,3",
        ] {
            let text = format!("0,0,0,0\n{line}\n");
            let error = RecordedDevice::parse(&text).expect_err(line);
            assert!(matches!(error, TraceError::Line { line: 2, .. }), "{error}");
            assert!(!error.to_string().contains(char::is_control), "{error:?}");
        }
    }

    #[test]
    fn scripts_repeat_and_traces_end() {
        let tips = vec![Vec3::zeros(), Vec3::x(), Vec3::y()];
        let mut script = ScriptedDevice::new(tips, 0.5);
        assert_eq!(script.sample(0.25).tip, Vec3::x() * 0.5);
        assert_eq!(script.sample(1.5).tip, Vec3::zeros());
        assert_eq!(script.sample(1.25).tip, Vec3::y() * 0.5);
        assert!(!ScriptedDevice::new(Vec::new(), 1.0).sample(0.0).connected);

        let text = "time,x,y,z,fx\n0,0,0,0,1\n\n0.1, 1,0,0,2\n";
        let mut trace = RecordedDevice::parse(text).expect("valid");
        assert_eq!(trace.sample(0.05).tip, Vec3::x() * 0.5);
        assert!(trace.sample(0.1).connected && !trace.sample(0.2).connected);
        let order = RecordedDevice::parse("0,0,0,0\n0,1,1,1");
        assert_eq!(order, Err(TraceError::Order { line: 2 }));
        let line = RecordedDevice::parse("0,0,0,0\n1,2,x,3");
        assert!(matches!(line, Err(TraceError::Line { line: 2, .. })));
        assert!(matches!(
            RecordedDevice::parse("0,nan,0,0"),
            Err(TraceError::Line { line: 1, .. })
        ));
        assert_eq!(RecordedDevice::parse("t,x,y,z\n"), Err(TraceError::Empty));
    }
}
