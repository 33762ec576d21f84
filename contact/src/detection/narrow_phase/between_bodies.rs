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
use crate::surface::Nearest;

/// Depth beyond the gap interpolated from the corners, over the contact spacing, from which on a point gets a row of its own.
const DEPTH_TOLERANCE: f64 = 0.02;

/// A body whose contact spacing is below this share of the other's is the finer one: none of its points is left out.
const FINER_RATIO: f64 = 0.8;

/// Whether the contact of that key carried force in the last frame.
fn carried_force(cached: &[CachedContact], key: u64) -> bool {
    let row = cached.iter().find(|k| k.key == key);
    row.is_some_and(|k| k.impulse != Vec3::zeros())
}

/// Whether the row of a point that touches the first body at `place` is redundant: the corners of the triangle are in contact, with the gaps `first_gaps` of the points of that body, and the
/// point is less than `tolerance` deeper than interpolated from theirs, all in m.
fn is_redundant(place: &Nearest, first_gaps: &[f64], tolerance: f64) -> bool {
    let corners = place.triangle.iter().zip(place.weights);
    let interpolated_gap: f64 = corners
        .filter(|c| c.1 > 0.0)
        .map(|(&p, w)| w * first_gaps[p as usize])
        .sum();
    // not a number where a corner is not in contact
    place.gap >= interpolated_gap - tolerance
}

/// How far away points are that may touch the other of two bodies in a frame.
struct SearchRange {
    /// largest distance of a point of each body from the box of the other, m
    distances: [f64; 2],
    /// whether contact is looked for along the motion as well
    is_fast: bool,
    /// length of that motion, m; 0 where it is not looked at
    travel: f64,
}

impl SearchRange {
    fn new(a: &DetectionBody<'_>, b: &DetectionBody<'_>, duration: f64) -> Self {
        let speed = a.deformed.relative_speed(b.deformed);
        let near = |one: &DetectionBody<'_>| near_distance(one.shape.spacing, speed, duration);
        let relative_travel =
            (a.deformed.mean_velocity - b.deformed.mean_velocity).norm() * duration;
        let is_fast = relative_travel > FAST_TRAVEL * a.shape.spacing.min(b.shape.spacing);
        let (distances, travel) = match is_fast {
            true => ([near(a), near(b)], speed * duration),
            false => (
                [near(a).min(b.shape.reach), near(b).min(a.shape.reach)],
                0.0,
            ),
        };
        Self {
            distances,
            is_fast,
            travel,
        }
    }
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
        let range = SearchRange::new(&a, &b, parameters.duration);
        let farthest = range.distances[0].max(range.distances[1]);
        let b_box = &b.deformed.oriented_box;
        if a.deformed.oriented_box.is_apart(b_box, farthest) {
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
                other.shape.reach + range.travel,
            );
            if list.is_empty() {
                continue;
            }
            let may_be_redundant =
                turn == 1 && body.shape.spacing >= FINER_RATIO * other.shape.spacing;
            for (point, _) in excess[turn]
                .iter()
                .enumerate()
                .filter(|(_, e)| **e <= range.distances[turn])
            {
                let search = PointSearch {
                    body,
                    other,
                    list,
                    point,
                };
                let found = search.at(&body.deformed.positions[point], parameters.duration);
                let along_motion = || search.along_motion(parameters.duration);
                let found = found.or_else(|| range.is_fast.then(along_motion)?);
                let Some((place, relative)) = found else {
                    continue;
                };
                if may_be_redundant {
                    // hysteresis: a row that carried force goes when it is no deeper than interpolated, and comes back when it is deeper by the tolerance
                    let key = pair_key(a.index, b.index, true, point as u32);
                    let tolerance = match carried_force(cached, key) {
                        true => 0.0,
                        false => DEPTH_TOLERANCE,
                    };
                    if is_redundant(&place, first_gaps, tolerance * other.shape.spacing) {
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
