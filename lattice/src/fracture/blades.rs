//! The search for links that the blades of a frame cross. These links break at the end of the frame, as overstrained links do.
//!
//! Links are tested in the deformed state, not at rest. A blade is given in world coordinates. Its map to the body at rest is not unique outside
//! of the body and where pieces overlap. The test uses the motion of the edge relative to each link from one frame to the next: the body may move
//! through a blade at rest, and a link that swings or stretches cannot slip past the edge between two frames. A particle near the blade is on
//! the same side of it for all of its links.

use std::collections::BTreeMap;

use pliant_core::contact::cutting::{BladeSweep, outcode};
use pliant_core::math::Vec3;
use rayon::prelude::*;

use crate::fracture::strain::{DIRECTIONS, Links, Row};
use crate::numerics::parallel::{PARALLEL_THRESHOLD, fill};

/// Distance from the plane of a blade, in cells, within which the way of a particle decides for all of its links on which side it passes the edge. Users often put blades exactly
/// into planes of particles. While such a plane is cut, its particles move a little towards either side.
const NEAR: f64 = 0.1;
/// Distance from a blade, in cells, within which particles count as on the same side of it: round-off.
const SAME_SIDE: f64 = 1e-6;
/// A blade that cuts a link nearer to one of its ends than this, as a share of the link, makes a lip of the particle there.
const LIP: f64 = 0.1;
/// Cosine of the angle to the normal of a blade from which on a direction counts as along the blade.
const ALONG: f64 = 0.01;
/// The same from which on a direction is clearly on one side.
const ACROSS: f64 = 0.5;

/// The blades of one frame.
#[derive(Debug, Clone, Default)]
pub(crate) struct Blades {
    sweeps: Vec<BladeSweep>,
    /// for each particle the sides of a sweep's box beyond which it stays during the frame, a bit each (Cohen and Sutherland)
    outcodes: Vec<u8>,
}

impl Blades {
    /// Blades of the next frame.
    pub fn set(&mut self, sweeps: &[BladeSweep]) {
        self.sweeps.clear();
        self.sweeps.extend_from_slice(sweeps);
    }

    /// The links that the blades crossed in a frame in which particles moved from `from` to `to` (m), ascending, with the fraction of its length at which each was
    /// crossed. Clears the blades.
    ///
    /// Cost: nothing without blades. For each about a nanosecond a particle and a tenth a link, and a tenth of a microsecond a link near it.
    pub fn crossed(&mut self, links: &Links, from: &[Vec3], to: &[Vec3]) -> Vec<([u32; 2], f64)> {
        let Self { sweeps, outcodes } = self;
        let parallel = to.len() > PARALLEL_THRESHOLD;
        let mut all = Vec::new();
        for sweep in sweeps.drain(..) {
            let cell = links.cell();
            let crossings = sweep.consistent_crossings(SAME_SIDE * cell, NEAR * cell);
            let bounds = sweep.bounds().inflated(NEAR * cell);
            outcodes.resize(to.len(), 0);
            fill(parallel, outcodes, |start, outcodes| {
                let motions = from[start..].iter().zip(&to[start..]);
                for (bits, (from, to)) in outcodes.iter_mut().zip(motions) {
                    *bits = outcode(&bounds, from, to);
                }
            });
            let outcodes = outcodes.as_slice();
            let crossed_in = |direction: usize| -> Vec<([u32; 2], f64)> {
                let rows = links.rows(direction).iter();
                let near = rows.flat_map(|row| links_near_box(row, outcodes));
                let crossed = near.filter_map(|ends| {
                    let [p, q] = ends.map(|p| sweep.places(&from[p as usize], &to[p as usize]));
                    let (begin, end) = ([p[0], q[0]], [p[1], q[1]]);
                    Some((ends, crossings.crossing(begin, end)?))
                });
                crossed.collect()
            };
            let found: Vec<Vec<([u32; 2], f64)>> = match parallel {
                true => (0..DIRECTIONS).into_par_iter().map(crossed_in).collect(),
                false => (0..DIRECTIONS).map(crossed_in).collect(),
            };
            all.extend(found.into_iter().flatten());
        }
        // two blades may cross the same link
        all.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        all.dedup_by_key(|(ends, _)| *ends);
        all
    }
}

/// Leaves those links out of `crossed` that would cut a lip off: where the blade passes just beside a particle, and an `earlier` cut has separated it on its other side. A
/// blade that goes in and out again through a plane of particles would otherwise cut them off as a sheet of their own, when the lips have moved a little. `rest` is the
/// position of a particle at rest, m; `linked` are the particles that a particle is still linked with. While a link on the other side is still whole, the particle is no lip yet: it passed the
/// plane of the blade during the cut, and belongs to either side until all of its links on one side are cut.
pub(crate) fn leave_out_lips(
    crossed: &mut Vec<([u32; 2], f64)>,
    earlier: impl Iterator<Item = ([u32; 2], f64)>,
    rest: impl Fn(u32) -> Vec3,
    linked: impl Fn(u32) -> Vec<u32>,
) {
    let direction = |p: u32, q: u32| (rest(q) - rest(p)).try_normalize(0.0);
    // the particle beside which a link is cut, and the direction in which the link leaves it
    let lip_of = |(ends, fraction): ([u32; 2], f64)| {
        let [p, q] = match fraction {
            near if near < LIP => ends,
            far if far > 1.0 - LIP => [ends[1], ends[0]],
            _ => return None,
        };
        Some((p, direction(p, q)?))
    };
    // for each such particle the sum of the directions, and the range of its products with the directions of earlier cuts beside it
    let none = [f64::INFINITY, f64::NEG_INFINITY];
    let mut lips: BTreeMap<u32, (Vec3, [f64; 2])> = BTreeMap::new();
    for (p, direction) in crossed.iter().filter_map(|link| lip_of(*link)) {
        lips.entry(p).or_insert((Vec3::zeros(), none)).0 += direction;
    }
    if lips.is_empty() {
        return;
    }
    for (p, direction) in earlier.filter_map(lip_of) {
        if let Some((now, [least, greatest])) = lips.get_mut(&p) {
            let product = now.dot(&direction);
            *least = least.min(product);
            *greatest = greatest.max(product);
        }
    }
    lips.retain(|&p, (now, [least, greatest])| {
        let across = -ACROSS * now.norm();
        let is_cut = |q: u32| {
            crossed
                .binary_search_by_key(&[p.min(q), p.max(q)], |c| c.0)
                .is_ok()
        };
        let is_across = |&q: &u32| {
            let way = direction(p, q);
            way.is_some_and(|way| now.dot(&way) < across) && !is_cut(q)
        };
        // a direction along the blade is on neither side, and alone it shows no lip
        *greatest < -ALONG * now.norm() && *least < across && !linked(p).iter().any(is_across)
    });
    crossed.retain(|link| !lip_of(*link).is_some_and(|(p, _)| lips.contains_key(&p)));
}

/// The links of a row that may meet the box to which the `outcodes` of the particles refer.
fn links_near_box<'a>(row: &Row, outcodes: &'a [u8]) -> impl Iterator<Item = [u32; 2]> + 'a {
    let Row { p, q, count } = *row;
    let part = |first: u32| &outcodes[first as usize..(first + count) as usize];
    let both = (0..).zip(part(p).iter().zip(part(q)));
    both.filter(|(_, (a, b))| **a & **b == 0)
        .map(move |(k, _)| [p + k, q + k])
}
