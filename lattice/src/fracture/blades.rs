//! Which links the blades of a frame cross: they break when the frame ends, as links do that are strained too much.
//!
//! Links are tested where they are, not where they were at rest. A blade is in the world, and carrying it back into the body at rest has no unique answer outside
//! the body and where pieces lie over each other. What counts is the motion of the edge relative to each link from one frame to the next: the body may move
//! through a blade at rest, and a link that swings or stretches cannot slip past the edge between two frames.

use pliant_core::contact::cutting::{BladeSweep, sides_beyond};
use pliant_core::math::Vec3;
use rayon::prelude::*;

use crate::fracture::strain::{DIRECTIONS, Links, Row};
use crate::numerics::parallel::{PARALLEL_THRESHOLD, fill};

/// The blades of one frame.
#[derive(Debug, Clone, Default)]
pub(crate) struct Blades {
    sweeps: Vec<BladeSweep>,
    /// for each particle beyond which sides of a sweep's box it stays in this frame
    beyond: Vec<u8>,
}

impl Blades {
    /// Blades of the next frame.
    pub fn set(&mut self, sweeps: &[BladeSweep]) {
        self.sweeps.clear();
        self.sweeps.extend_from_slice(sweeps);
    }

    /// The links that the blades crossed in a frame in which particles went from `from` to `to` (m), ascending, with the share of each at which it was crossed;
    /// the blades are used up.
    ///
    /// Cost: nothing without blades. For each about a nanosecond a particle and a tenth a link, and a tenth of a microsecond a link near it.
    pub fn crossed(&mut self, links: &Links, from: &[Vec3], to: &[Vec3]) -> Vec<([u32; 2], f64)> {
        let Self { sweeps, beyond } = self;
        let parallel = to.len() > PARALLEL_THRESHOLD;
        let mut all = Vec::new();
        for sweep in sweeps.drain(..) {
            // round-off of the test itself
            let bounds = sweep.bounds().inflated(1e-6 * links.cell());
            beyond.resize(to.len(), 0);
            fill(parallel, beyond, |start, beyond| {
                let ways = from[start..].iter().zip(&to[start..]);
                for (beyond, (from, to)) in beyond.iter_mut().zip(ways) {
                    *beyond = sides_beyond(&bounds, from, to);
                }
            });
            let beyond = beyond.as_slice();
            let look = |direction: usize| -> Vec<([u32; 2], f64)> {
                let rows = links.rows(direction).iter();
                let near = rows.flat_map(|row| near(row, beyond));
                let crossed = near.filter_map(|ends| {
                    let at = |x: &[Vec3]| ends.map(|p| x[p as usize]);
                    Some((ends, sweep.crossing_moving(at(from), at(to))?))
                });
                crossed.collect()
            };
            let found: Vec<Vec<([u32; 2], f64)>> = match parallel {
                true => (0..DIRECTIONS).into_par_iter().map(look).collect(),
                false => (0..DIRECTIONS).map(look).collect(),
            };
            all.extend(found.into_iter().flatten());
        }
        // two blades may cross the same link
        all.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        all.dedup_by_key(|(ends, _)| *ends);
        all
    }
}

/// The links of a row that may meet the box for which particles are `beyond` these sides.
fn near<'a>(row: &Row, beyond: &'a [u8]) -> impl Iterator<Item = [u32; 2]> + 'a {
    let Row { p, q, count } = *row;
    let part = |first: u32| &beyond[first as usize..(first + count) as usize];
    let both = (0..).zip(part(p).iter().zip(part(q)));
    both.filter(|(_, (a, b))| **a & **b == 0)
        .map(move |(k, _)| [p + k, q + k])
}
