//! Bodies at rest sleep until something touches them.
//!
//! A body falls asleep when it was slower than [`max_rest_speed`] for half a second, and its neighbours are at rest as well. Its velocities are zero, and it is not
//! stepped. It wakes when something that touches it moves or goes away, when it is grabbed or loaded, and when gravity or a parameter changes.

use pliant_core::math::Vec3;
use pliant_core::model::SteppedModel;
use pliant_core::model::rest::{
    Approach, FRAMES_BEFORE_SLEEP, NEIGHBOUR_REST_FRAMES, TOUCHING_DISTANCE, count_rest_frames,
    max_rest_speed, rest_frames,
};

use crate::detection::{Partner, parts_of_key};
use crate::group::body_group::BodyGroup;
use crate::group::state::SleepState;

/// Largest speed of a body that settles, over that of a body at rest.
const SETTLING_SPEED: f64 = 5.0;
/// Speed from which a body that touches a pushed one is pushed as well, over the largest speed at rest.
const PUSHED_SPEED: f64 = 0.02;

impl<M: SteppedModel> BodyGroup<M> {
    /// Wakes all bodies.
    pub(crate) fn wake_all(&mut self) {
        self.sleep.iter_mut().for_each(SleepState::wake);
    }

    /// Wakes bodies that are touched by something that moves. Returns whether there were any.
    pub(crate) fn wake_touched(&mut self, duration: f64) -> bool {
        if self.sleep.iter().all(|r| !r.asleep) {
            return false;
        }
        let count_asleep = |sleep: &[SleepState]| sleep.iter().filter(|r| r.asleep).count();
        let asleep = count_asleep(&self.sleep);
        let gravity = self.gravity.norm();
        for found in &self.found {
            for c in &found.candidates {
                let a = c.body as usize;
                let other = match c.partner {
                    Partner::Body(b) => b as usize,
                    Partner::Tool(_) => a,
                };
                let spacing = self.shapes[a].spacing.min(self.shapes[other].spacing);
                let approach = Approach {
                    gap: c.gap,
                    closing: c.closing_speed(),
                    speed: c.relative.norm(),
                };
                let touching = match c.partner {
                    Partner::Body(_) => approach.touches(spacing, duration),
                    Partner::Tool(_) => c.gap < TOUCHING_DISTANCE * spacing,
                };
                let rest_speed = max_rest_speed(spacing, gravity);
                let hit = approach.hits(touching, rest_speed, duration);
                match c.partner {
                    Partner::Tool(t) => {
                        let moved = self.tools[t as usize].begin != self.tools[t as usize].end;
                        if moved && (touching || hit) && self.sleep[a].asleep {
                            self.sleep[a].wake();
                        }
                    }
                    Partner::Body(b) => {
                        let b = b as usize;
                        let is_disturbed = hit || approach.has_separated(spacing, duration);
                        for (k, other) in [(a, b), (b, a)] {
                            let is_woken =
                                is_disturbed || touching && self.sleep[other].wakes_neighbours();
                            if is_woken && self.sleep[k].asleep {
                                self.sleep[k].wake();
                            }
                        }
                    }
                }
            }
        }
        count_asleep(&self.sleep) < asleep
    }

    /// Marks the bodies that touch something and hardly move: they are slowed when the frame ends.
    pub(crate) fn find_settling(&mut self) {
        let mut settling = std::mem::take(&mut self.settling);
        settling.clear();
        settling.resize(self.models.len(), false);
        for row in self.solver.all_rows() {
            if row.impulse != Vec3::zeros() {
                let (a, partner, _) = parts_of_key(row.key);
                settling[a as usize] = true;
                if let Partner::Body(b) = partner {
                    settling[b as usize] = true;
                }
            }
        }
        let gravity = self.gravity.norm();
        for (k, settling) in settling.iter_mut().enumerate() {
            let rest_speed = max_rest_speed(self.shapes[k].spacing, gravity);
            let slow = self.deformed[k].max_speed < SETTLING_SPEED * rest_speed;
            let free = !self.sleep[k].asleep && !self.sleep[k].driven;
            *settling = *settling && slow && free && self.options.settling > 0.0;
        }
        self.settling = settling;
    }

    /// Counts frames at rest, and lets bodies fall asleep that were at rest for long enough.
    pub(crate) fn let_sleep(&mut self, duration: f64) {
        if !self.options.sleeping {
            return;
        }
        let gravity = self.gravity.norm();
        let enough = rest_frames(FRAMES_BEFORE_SLEEP, duration);
        let enough_of_neighbours = rest_frames(NEIGHBOUR_REST_FRAMES, duration);
        for ((sleep, deformed), shape) in
            self.sleep.iter_mut().zip(&self.deformed).zip(&self.shapes)
        {
            if sleep.asleep {
                continue;
            }
            let rest_speed = max_rest_speed(shape.spacing, gravity);
            let is_at_rest = deformed.max_speed < rest_speed && !sleep.driven;
            sleep.rest_frames = count_rest_frames(sleep.rest_frames, is_at_rest);
        }
        let mut pushed: Vec<bool> = std::mem::take(&mut self.pushed);
        pushed.clear();
        pushed.resize(self.models.len(), false);
        let mut may: Vec<bool> = std::mem::take(&mut self.may_sleep);
        may.clear();
        may.extend(
            self.sleep
                .iter()
                .map(|r| !r.asleep && r.rest_frames >= enough),
        );
        for row in self.solver.all_rows() {
            if row.impulse_sum == Vec3::zeros() {
                continue;
            }
            let (a, partner, _) = parts_of_key(row.key);
            let a = a as usize;
            match partner {
                Partner::Body(b) => {
                    let b = b as usize;
                    let lets_neighbour_sleep = |k: usize| {
                        self.sleep[k].asleep || self.sleep[k].rest_frames >= enough_of_neighbours
                    };
                    may[a] &= lets_neighbour_sleep(b);
                    may[b] &= lets_neighbour_sleep(a);
                }
                Partner::Tool(t) => {
                    let tool = &self.tools[t as usize];
                    if tool.begin != tool.end {
                        // however slowly it is pushed, it pushes others
                        may[a] = false;
                        self.sleep[a].rest_frames = 0;
                        pushed[a] = true;
                    }
                }
            }
        }
        self.spread_pushes(&mut pushed, &mut may);
        for (k, may) in may.iter().enumerate() {
            if *may {
                self.sleep[k].asleep = true;
                self.models[k].stop();
                self.deformed[k].set_velocity(Vec3::zeros());
            }
        }
        self.may_sleep = may;
        self.pushed = pushed;
    }

    /// What a pushed body pushes is pushed as well, unless it hardly moves: it may not fall asleep.
    fn spread_pushes(&mut self, pushed: &mut [bool], may: &mut [bool]) {
        let gravity = self.gravity.norm();
        let moves = |group: &Self, body: usize| {
            let rest_speed = max_rest_speed(group.shapes[body].spacing, gravity);
            group.deformed[body].max_speed > PUSHED_SPEED * rest_speed
        };
        loop {
            let mut is_complete = true;
            for row in self.solver.all_rows() {
                let (a, Partner::Body(b), _) = parts_of_key(row.key) else {
                    continue;
                };
                if row.impulse_sum == Vec3::zeros() {
                    continue;
                }
                for (k, other) in [(a as usize, b as usize), (b as usize, a as usize)] {
                    if pushed[other] && !pushed[k] && !self.sleep[k].asleep && moves(self, k) {
                        (pushed[k], may[k], self.sleep[k].rest_frames) = (true, false, 0);
                        is_complete = false;
                    }
                }
            }
            if is_complete {
                break;
            }
        }
    }
}
