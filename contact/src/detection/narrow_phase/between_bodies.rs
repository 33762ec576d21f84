//! Contact points of two bodies that touch each other.
//!
//! First the points of one body are tested against the surface of the other, then the other way round. In the second turn a point is left out if it lies above a
//! triangle whose three corners are in contact already, and is no deeper than the gap interpolated from theirs: its row would be redundant.

use pliant_core::math::Vec3;

use crate::detection::cached_contact::CachedContact;
use crate::detection::continuous::{FAST_TRAVEL, PointSearch};
use crate::detection::detection_body::{DetectionBody, near_distance};
use crate::detection::found::FoundContacts;
use crate::detection::key::pair_key;
use crate::detection::narrow_phase::pair_parameters::PairParameters;
use crate::detection::near_list::Scratch;

/// Depth beyond the gap interpolated from the corners, over the contact spacing, from which on a point gets a row of its own.
const DEPTH_TOLERANCE: f64 = 0.02;

/// A body whose contact spacing is below this share of the other's is the finer one: none of its points is left out.
const FINER_RATIO: f64 = 0.8;

/// Whether the contact of that key carried force in the last frame.
fn carried_force(cached: &[CachedContact], key: u64) -> bool {
    let row = cached.iter().find(|k| k.key == key);
    row.is_some_and(|k| k.impulse != Vec3::zeros())
}

impl FoundContacts {
    /// Points of `a` that touch `b` and points of `b` that touch `a`.
    pub fn between(
        &mut self,
        a: DetectionBody<'_>,
        b: DetectionBody<'_>,
        parameters: &PairParameters<'_>,
        scratch: &mut Scratch,
    ) {
        let speed = a.deformed.relative_speed(b.deformed);
        let near =
            |one: &DetectionBody<'_>| near_distance(one.shape.spacing, speed, parameters.duration);
        // fast bodies: along the motion as well
        let relative_travel =
            (a.deformed.mean_velocity - b.deformed.mean_velocity).norm() * parameters.duration;
        let fast = relative_travel > FAST_TRAVEL * a.shape.spacing.min(b.shape.spacing);
        let search_distances = if fast {
            [near(&a), near(&b)]
        } else {
            [near(&a).min(b.shape.reach), near(&b).min(a.shape.reach)]
        };
        let travel = if fast {
            speed * parameters.duration
        } else {
            0.0
        };
        if a.deformed.oriented_box.is_apart(
            &b.deformed.oriented_box,
            search_distances[0].max(search_distances[1]),
        ) {
            return;
        }
        b.deformed
            .oriented_box
            .excess(&a.deformed.lanes, &mut scratch.excess[0]);
        a.deformed
            .oriented_box
            .excess(&b.deformed.lanes, &mut scratch.excess[1]);
        let cached = parameters.cached_for(a.index, b.index);
        let first = self.candidates.len();
        scratch.first_gaps.clear();
        scratch
            .first_gaps
            .resize(a.deformed.positions.len(), f64::NAN);
        for (turn, (body, other)) in [(a, b), (b, a)].into_iter().enumerate() {
            let Scratch {
                excess,
                list,
                first_gaps,
                ..
            } = scratch;
            list.gather(
                &other.deformed.lanes,
                &excess[1 - turn],
                other.shape.reach + travel,
            );
            if list.is_empty() {
                continue;
            }
            let may_be_redundant =
                turn == 1 && body.shape.spacing >= FINER_RATIO * other.shape.spacing;
            for (point, _) in excess[turn]
                .iter()
                .enumerate()
                .filter(|(_, e)| **e <= search_distances[turn])
            {
                let search = PointSearch {
                    body,
                    other,
                    list,
                    point,
                };
                let found = search.at(&body.deformed.positions[point], parameters.duration);
                let found =
                    found.or_else(|| fast.then(|| search.along_motion(parameters.duration))?);
                let Some((place, relative)) = found else {
                    continue;
                };
                if may_be_redundant {
                    let corners = place.triangle.iter().zip(place.weights);
                    let interpolated_gap: f64 = corners
                        .filter(|c| c.1 > 0.0)
                        .map(|(&p, w)| w * first_gaps[p as usize])
                        .sum();
                    // hysteresis: a row that carried force goes when it is no deeper than interpolated, and comes back when it is deeper by the tolerance
                    let key = pair_key(a.index, b.index, true, point as u32);
                    let tolerance = if carried_force(cached, key) {
                        0.0
                    } else {
                        DEPTH_TOLERANCE
                    };
                    // not a number where a corner is not in contact
                    if place.gap >= interpolated_gap - tolerance * other.shape.spacing {
                        continue;
                    }
                }
                self.push_pair(body, other, point, &place, relative, parameters.friction);
            }
            if turn == 0 {
                for c in &self.candidates[first..] {
                    first_gaps[c.point as usize] = c.gap;
                }
            }
        }
    }
}
