//! Contact points of two bodies that touch each other.
//!
//! First the points of the one body are held against the surface of the other, then the other way round. In the second turn a point is left out when it lies above a
//! triangle whose three corners are held already, and is no deeper than they say: its row would follow from theirs.

use pliant_core::math::Vec3;

use crate::detection::cached_contact::CachedContact;
use crate::detection::continuous::{FAST, PointSearch};
use crate::detection::found::Found;
use crate::detection::key::pair_key;
use crate::detection::narrow_phase::pair_rule::PairRule;
use crate::detection::near_list::Scratch;
use crate::detection::touching::{Touching, near_distance};

/// A point is held itself where it is deeper than the corners around it say by more than this, over the contact spacing.
const LEEWAY: f64 = 0.02;

/// A body whose contact spacing is below this share of the other's is the finer one: all of its points are held.
const FINER: f64 = 0.8;

/// Whether the row of that key carried a force in the last frame.
fn carried(cached: &[CachedContact], key: u64) -> bool {
    let row = cached.iter().find(|k| k.key == key);
    row.is_some_and(|k| k.impulse != Vec3::zeros())
}

impl Found {
    /// Points of `a` that touch `b` and points of `b` that touch `a`.
    pub fn between(
        &mut self,
        a: Touching<'_>,
        b: Touching<'_>,
        rule: &PairRule<'_>,
        scratch: &mut Scratch,
    ) {
        let speed = a.deformed.relative_speed(b.deformed);
        let near = |one: &Touching<'_>| near_distance(one.shape.spacing, speed, rule.duration);
        // what is passed within the frame is looked for along the motion
        let passing = (a.deformed.mean_velocity - b.deformed.mean_velocity).norm() * rule.duration;
        let fast = passing > FAST * a.shape.spacing.min(b.shape.spacing);
        let around = if fast {
            [near(&a), near(&b)]
        } else {
            [near(&a).min(b.shape.reach), near(&b).min(a.shape.reach)]
        };
        let travel = if fast { speed * rule.duration } else { 0.0 };
        if a.deformed
            .oriented_box
            .is_apart(&b.deformed.oriented_box, around[0].max(around[1]))
        {
            return;
        }
        b.deformed
            .oriented_box
            .excess(&a.deformed.lanes, &mut scratch.excess[0]);
        a.deformed
            .oriented_box
            .excess(&b.deformed.lanes, &mut scratch.excess[1]);
        let cached = rule.cached_for(a.index, b.index);
        let first = self.candidates.len();
        scratch.held.clear();
        scratch.held.resize(a.deformed.positions.len(), f64::NAN);
        for (turn, (body, other)) in [(a, b), (b, a)].into_iter().enumerate() {
            let Scratch {
                excess, list, held, ..
            } = scratch;
            list.gather(
                &other.deformed.lanes,
                &excess[1 - turn],
                other.shape.reach + travel,
            );
            if list.is_empty() {
                continue;
            }
            let may_follow = turn == 1 && body.shape.spacing >= FINER * other.shape.spacing;
            for (point, _) in excess[turn]
                .iter()
                .enumerate()
                .filter(|(_, e)| **e <= around[turn])
            {
                let search = PointSearch {
                    body,
                    other,
                    list,
                    point,
                };
                let found = search.at(&body.deformed.positions[point], rule.duration);
                let found = found.or_else(|| fast.then(|| search.along_motion(rule.duration))?);
                let Some((place, relative)) = found else {
                    continue;
                };
                if may_follow {
                    let corners = place.triangle.iter().zip(place.weights);
                    let told: f64 = corners
                        .filter(|c| c.1 > 0.0)
                        .map(|(&p, w)| w * held[p as usize])
                        .sum();
                    // a row that carried goes when it is no deeper than the corners say, and comes back when it is deeper by the leeway: it does not come and
                    // go
                    let key = pair_key(a.index, b.index, true, point as u32);
                    let leeway = if carried(cached, key) { 0.0 } else { LEEWAY };
                    // not a number where a corner is not held
                    if place.gap >= told - leeway * other.shape.spacing {
                        continue;
                    }
                }
                self.push_pair(body, other, point, &place, relative, rule.friction);
            }
            if turn == 0 {
                for c in &self.candidates[first..] {
                    held[c.point as usize] = c.gap;
                }
            }
        }
    }
}
