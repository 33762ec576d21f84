//! The pointer as a device of force feedback.

use std::time::Duration;

use crossbeam_channel::Sender;
use pliant_core::math::Vec3;
use pliant_quasistatic::haptics::{DeviceSample, HapticDevice};
use web_time::Instant;

use super::place::PointerPlace;
use crate::servo::pace::Pace;

/// Time over which the tip goes to where the pointer was seen last, s. A window says so once a frame, and the hand moves in between.
const GLIDE: f64 = 1.0 / 60.0;

/// What a tick gave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FeltTick {
    pub tip: Vec3,
    pub force: Vec3,
    /// ns
    pub work: u64,
    /// from the pointer to this force where it is the first that knows of a new place, ns
    pub latency: Option<u64>,
    pub ticks: u64,
    pub late: u64,
}

/// The pointer: the tip glides to where it was seen last, and the force goes to whoever shows it.
pub(super) struct PointerDevice {
    place: PointerPlace,
    sender: Sender<FeltTick>,
    seen: u64,
    /// the motion towards the newest place: since when (s), from where, and where to
    glide: Option<(f64, Vec3, Vec3)>,
    tip: Option<Vec3>,
    fresh: Option<Instant>,
    begun: Instant,
    pace: Pace,
    ticks: u64,
}

impl PointerDevice {
    pub(super) fn new(place: PointerPlace, sender: Sender<FeltTick>, tick: f64) -> Self {
        let now = Instant::now();
        Self {
            place,
            sender,
            seen: 0,
            glide: None,
            tip: None,
            fresh: None,
            begun: now,
            pace: Pace::new(now, Duration::from_secs_f64(tick)),
            ticks: 0,
        }
    }
}

impl HapticDevice for PointerDevice {
    fn sample(&mut self, time: f64) -> DeviceSample {
        self.begun = Instant::now();
        if self.ticks == 0 {
            self.pace = self.pace.clone().starting_at(self.begun);
        } else {
            self.pace.begins(self.begun);
        }
        self.ticks += 1;
        if let Some(seen) = self.place.look().filter(|seen| seen.number != self.seen) {
            self.seen = seen.number;
            self.fresh = Some(seen.at);
            self.glide = seen
                .place
                .map(|goal| (time, self.tip.unwrap_or(goal), goal));
        }
        self.tip = self.glide.map(|(since, from, goal)| {
            let share = ((time - since) / GLIDE).clamp(0.0, 1.0);
            from + (goal - from) * share
        });
        self.tip.map_or(DeviceSample::AWAY, |tip| DeviceSample {
            tip,
            connected: true,
        })
    }

    fn apply(&mut self, force: &Vec3) {
        let now = Instant::now();
        let nanoseconds = |since: Instant| now.saturating_duration_since(since).as_nanos() as u64;
        // the channel is full where the window stands still; the count of ticks in the next one makes up for it
        let _ = self.sender.try_send(FeltTick {
            tip: self.tip.unwrap_or_else(Vec3::zeros),
            force: *force,
            work: nanoseconds(self.begun),
            latency: self.fresh.take().map(nanoseconds),
            ticks: self.ticks,
            late: self.pace.late(),
        });
    }
}
