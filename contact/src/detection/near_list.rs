//! The points of a body that are near another one, searched one by one.
//!
//! Within a pair of bodies these are a few dozen. Vector instructions test them faster than a search in a grid.

use std::cell::RefCell;

use pulp::{Simd, WithSimd};

use pliant_core::math::Vec3;
use pliant_core::simd::arch;

use crate::surface::Lanes;

/// Points that are tested together.
const LANES: usize = 8;

/// Memory for the search of one pair; each thread has its own.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// how far each point of the two bodies is outside of the other's box, m
    pub excess: [Vec<f64>; 2],
    pub list: NearList,
    /// gap of each point of the first body that is in contact with the second, else not a number
    pub first_gaps: Vec<f64>,
}

/// Runs `work` with the memory of this thread.
pub(crate) fn with_scratch(work: impl FnOnce(&mut Scratch)) {
    thread_local! {
        static SCRATCH: RefCell<Scratch> = RefCell::default();
    }
    SCRATCH.with_borrow_mut(work);
}

/// Some points of a body.
#[derive(Debug, Default)]
pub(crate) struct NearList {
    ids: Vec<u32>,
    lanes: Lanes,
}

impl NearList {
    /// Takes those of `points` whose `excess` is at most `reach`.
    pub fn gather(&mut self, points: &Lanes, excess: &[f64], reach: f64) {
        self.ids.clear();
        let chosen = excess.iter().enumerate().filter(|(_, e)| **e <= reach);
        self.ids.extend(chosen.map(|(p, _)| p as u32));
        let full = self.ids.len().next_multiple_of(LANES);
        for (lane, all) in self.lanes.iter_mut().zip(points) {
            lane.clear();
            lane.extend(self.ids.iter().map(|&p| all[p as usize]));
            lane.resize(full, f64::INFINITY);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Squared distance (m²) and number of the point nearest to `x`, the lowest number of several; infinity where there is none.
    pub fn nearest(&self, x: &Vec3) -> (f64, u32) {
        let (squared, at) = arch().dispatch(Search { list: self, x });
        (squared, self.ids.get(at).copied().unwrap_or(0))
    }
}

struct Search<'a> {
    list: &'a NearList,
    x: &'a Vec3,
}

impl WithSimd for Search<'_> {
    type Output = (f64, usize);

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Self::Output {
        let [xs, ys, zs] = &self.list.lanes;
        let mut best = [f64::INFINITY; LANES];
        // numbers of blocks as f64, so that they are as wide as the distances
        let mut blocks = [0.0; LANES];
        let mut block = 0.0;
        let (xs, _) = xs.as_chunks::<LANES>();
        let (ys, _) = ys.as_chunks::<LANES>();
        let (zs, _) = zs.as_chunks::<LANES>();
        for ((x, y), z) in xs.iter().zip(ys).zip(zs) {
            for l in 0..LANES {
                let (a, b, c) = (x[l] - self.x.x, y[l] - self.x.y, z[l] - self.x.z);
                let d = a * a + b * b + c * c;
                let nearer = d < best[l];
                best[l] = if nearer { d } else { best[l] };
                blocks[l] = if nearer { block } else { blocks[l] };
            }
            block += 1.0;
        }
        let mut found = (f64::INFINITY, usize::MAX);
        for l in 0..LANES {
            let at = blocks[l] as usize * LANES + l;
            if best[l] < found.0 || best[l] == found.0 && at < found.1 {
                found = (best[l], at);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_finds_the_same_point_as_a_plain_loop() {
        let points: Vec<Vec3> = (0..53)
            .map(|k| {
                let t = f64::from(k % 40);
                Vec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin())
            })
            .collect();
        let lanes: Lanes = [0, 1, 2].map(|k| points.iter().map(|x| x[k]).collect());
        let excess: Vec<f64> = (0..53).map(|k| f64::from(k % 5)).collect();
        let mut list = NearList::default();
        for reach in [-1.0, 0.0, 2.0, 5.0] {
            list.gather(&lanes, &excess, reach);
            for x in &points {
                let x = x * 1.1;
                let mut best = (f64::INFINITY, 0);
                for (p, y) in points.iter().enumerate() {
                    let d = (y - x).norm_squared();
                    if excess[p] <= reach && d < best.0 {
                        best = (d, p as u32);
                    }
                }
                assert_eq!(list.nearest(&x), best);
            }
            assert_eq!(list.is_empty(), reach < 0.0);
        }
    }
}
