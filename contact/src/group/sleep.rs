//! Bodies at rest are left alone until something touches them.
//!
//! A body sleeps when it was slower than a hundredth of its contact spacing a frame for half a second, and its neighbours are calm as well. Its velocities are zero, and
//! it is not stepped. It wakes when something that touches it moves or goes away, when it is grabbed or loaded, and when gravity or a parameter changes.

use pliant_core::math::Vec3;
use pliant_core::model::SteppedModel;
use pliant_core::model::rest::{
    Approach, CALM, CALM_FRAMES, NEIGHBOUR_FRAMES, TOUCHING, calm_frames,
};

use crate::detection::{Partner, parts_of_key};
use crate::group::body_group::BodyGroup;
use crate::group::state::Rest;

/// A body that moves at most this many times as fast as a calm one settles.
const SETTLING: f64 = 5.0;

impl<M: SteppedModel> BodyGroup<M> {
    /// Wakes all bodies.
    pub(crate) fn wake_all(&mut self) {
        self.rest.iter_mut().for_each(Rest::wake);
    }

    /// Wakes bodies that something in motion touches. Returns whether there were any.
    pub(crate) fn wake_touched(&mut self, duration: f64) -> bool {
        if self.rest.iter().all(|r| !r.asleep) {
            return false;
        }
        let sleepers = |rest: &[Rest]| rest.iter().filter(|r| r.asleep).count();
        let asleep = sleepers(&self.rest);
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
                    closing: -c.normal.dot(&c.relative),
                    speed: c.relative.norm(),
                };
                let touching = match c.partner {
                    Partner::Body(_) => approach.touches(spacing, duration),
                    Partner::Tool(_) => c.gap < TOUCHING * spacing,
                };
                let hit = approach.hits(touching, spacing, duration);
                match c.partner {
                    Partner::Tool(t) => {
                        let moved = self.tools[t as usize].begin != self.tools[t as usize].end;
                        if moved && (touching || hit) {
                            self.rest[a].wake();
                        }
                    }
                    Partner::Body(b) => {
                        let b = b as usize;
                        let driven = |k: usize| self.rest[k].driven;
                        if hit || touching && (driven(a) || driven(b)) {
                            for k in [a, b] {
                                if self.rest[k].asleep {
                                    self.rest[k].wake();
                                }
                            }
                        }
                    }
                }
            }
        }
        sleepers(&self.rest) < asleep
    }

    /// Marks what touches something and hardly moves: it is slowed when the frame ends.
    pub(crate) fn find_settling(&mut self, duration: f64) {
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
        for (k, settling) in settling.iter_mut().enumerate() {
            let slow = self.now[k].speed * duration < SETTLING * CALM * self.shapes[k].spacing;
            let free = !self.rest[k].asleep && !self.rest[k].driven;
            *settling = *settling && slow && free && self.options.settling > 0.0;
        }
        self.settling = settling;
    }

    /// Counts calm frames, and sends to sleep what was calm for long enough.
    pub(crate) fn let_sleep(&mut self, duration: f64) {
        if !self.options.sleeping {
            return;
        }
        for ((rest, now), shape) in self.rest.iter_mut().zip(&self.now).zip(&self.shapes) {
            if rest.asleep {
                continue;
            }
            let calm = now.speed * duration < CALM * shape.spacing && !rest.driven;
            rest.calm = calm_frames(rest.calm, calm);
        }
        let mut may: Vec<bool> = std::mem::take(&mut self.may_sleep);
        may.clear();
        may.extend(self.rest.iter().map(|r| !r.asleep && r.calm >= CALM_FRAMES));
        for row in self.solver.all_rows() {
            if row.impulse_sum == Vec3::zeros() {
                continue;
            }
            let (a, partner, _) = parts_of_key(row.key);
            let a = a as usize;
            match partner {
                Partner::Body(b) => {
                    let b = b as usize;
                    let quiet =
                        |k: usize| self.rest[k].asleep || self.rest[k].calm >= NEIGHBOUR_FRAMES;
                    may[a] &= quiet(b);
                    may[b] &= quiet(a);
                }
                Partner::Tool(t) => {
                    let tool = &self.tools[t as usize];
                    may[a] &= tool.begin == tool.end;
                }
            }
        }
        for (k, may) in may.iter().enumerate() {
            if *may {
                self.rest[k].asleep = true;
                self.models[k].stop();
                self.now[k].set_velocity(Vec3::zeros());
            }
        }
        self.may_sleep = may;
    }
}
