//! The pointer as a device of force feedback.

use std::time::Duration;

use crossbeam_channel::Sender;
use pliant_core::math::Vec3;
use pliant_quasistatic::haptics::{DeviceSample, HapticDevice};
use web_time::Instant;

use super::place::PointerPlace;
use crate::servo::pace::Pace;

/// Time in which the tip glides to the last position of the pointer, s. A window reports positions once a frame, and the hand moves in between.
const GLIDE_TIME: f64 = 1.0 / 60.0;

/// The result of a tick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TickResult {
    pub tip: Vec3,
    pub force: Vec3,
    /// ns
    pub work: u64,
    /// from a new position of the pointer to this force, where it is the first after it, ns
    pub latency: Option<u64>,
    /// due so far, with those that a stall swallowed
    pub ticks: u64,
    /// those of them that began late or never
    pub late: u64,
}

/// The pointer as a device: the tip glides to its last position, and the force goes to the display.
pub(super) struct PointerDevice {
    place: PointerPlace,
    sender: Sender<TickResult>,
    /// number of the last sample
    last_number: u64,
    /// the motion towards the newest place: since when (s), from where, and where to
    glide: Option<(f64, Vec3, Vec3)>,
    tip: Option<Vec3>,
    /// time of a new position without a force yet
    unanswered: Option<Instant>,
    tick_start: Instant,
    pace: Pace,
    ticks: u64,
}

impl PointerDevice {
    pub(super) fn new(place: PointerPlace, sender: Sender<TickResult>, tick: f64) -> Self {
        let now = Instant::now();
        Self {
            place,
            sender,
            last_number: 0,
            glide: None,
            tip: None,
            unanswered: None,
            tick_start: now,
            pace: Pace::new(now, Duration::from_secs_f64(tick)),
            ticks: 0,
        }
    }
}

impl HapticDevice for PointerDevice {
    fn sample(&mut self, time: f64) -> DeviceSample {
        self.tick_start = Instant::now();
        if self.ticks == 0 {
            self.pace = self.pace.clone().starting_at(self.tick_start);
        } else {
            self.pace.start_tick(self.tick_start);
        }
        self.ticks += 1;
        if let Some(sample) = self
            .place
            .try_read()
            .filter(|sample| sample.number != self.last_number)
        {
            self.last_number = sample.number;
            self.unanswered = Some(sample.at);
            self.glide = sample
                .place
                .map(|goal| (time, self.tip.unwrap_or(goal), goal));
        }
        self.tip = self.glide.map(|(since, from, goal)| {
            let share = ((time - since) / GLIDE_TIME).clamp(0.0, 1.0);
            from + (goal - from) * share
        });
        self.tip.map_or(DeviceSample::AWAY, DeviceSample::at)
    }

    fn apply(&mut self, force: &Vec3) {
        let now = Instant::now();
        let nanoseconds = |since: Instant| now.saturating_duration_since(since).as_nanos() as u64;
        // the channel is full where the window stands still; the count of ticks in the next one makes up for it
        let _ = self.sender.try_send(TickResult {
            tip: self.tip.unwrap_or_else(Vec3::zeros),
            force: *force,
            work: nanoseconds(self.tick_start),
            latency: self.unanswered.take().map(nanoseconds),
            ticks: self.ticks.saturating_add(self.pace.swallowed()),
            late: self.pace.late(),
        });
    }
}
