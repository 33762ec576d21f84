//! Strips of triangles between boundaries of skin and caps that run beside each other.

use std::collections::BTreeMap;

use super::patch::Patch;
use super::sides::{Side, inward, sides};
use crate::math::Vec3;

/// Farthest that the two ends of a rung are from each other, over the spacing. Both sides of a cut are two spacings apart where they are compared.
const REACH: f64 = 1.5;

/// Joins boundaries of the skin to boundaries of caps, rung by rung.
pub(super) fn join(patch: &mut Patch<'_>, spacing: f64) {
    let all = sides(patch);
    let skin = || all.iter().filter(|side| side.is_skin);
    let length = |side: &Side| (patch.place(side.to) - patch.place(side.from)).norm();
    let mean = skin().map(length).sum::<f64>() / skin().count().max(1) as f64;
    let step = spacing.max(mean);
    let inward = inward(patch, &all);
    let at = all.iter().zip(&inward);
    let at = at.map(|(side, inward)| patch.place(side.from) + inward * step);
    let at: Vec<Vec3> = at.collect();
    let compared = all.iter().zip(&at).map(|(side, at)| (side.from, *at));
    patch.compared = compared.collect();
    let mut strips = Strips {
        at,
        used: vec![false; all.len()],
        sides: &all,
        reach: REACH * step,
    };
    for (_, lip, cap) in strips.seeds(patch) {
        for forwards in [true, false] {
            strips.extend([lip, cap], forwards, patch);
        }
    }
}

/// Strips under way. A rung is a side of the skin and one of a cap, and joins their first vertices. Along a strip sides of the skin go forwards, those of caps backwards.
struct Strips<'a> {
    sides: &'a [Side],
    /// where first vertices are compared, m
    at: Vec<Vec3>,
    /// sides that a strip closes
    used: Vec<bool>,
    /// m
    reach: f64,
}

impl Strips<'_> {
    /// For each side of the skin the nearest of a cap within reach, nearest pairs first.
    fn seeds(&self, patch: &Patch<'_>) -> Vec<(f64, usize, usize)> {
        let key = |x: &Vec3| -> [i64; 3] { x.map(|c| (c / self.reach).floor() as i64).into() };
        let mut cells: BTreeMap<[i64; 3], Vec<usize>> = BTreeMap::new();
        for (k, at) in self.at.iter().enumerate() {
            if !self.sides[k].is_skin {
                cells.entry(key(at)).or_default().push(k);
            }
        }
        let mut found = Vec::new();
        for (k, at) in self.at.iter().enumerate() {
            if !self.sides[k].is_skin {
                continue;
            }
            let [x, y, z] = key(at);
            let around = (0..27).map(|n| [x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1]);
            let near = around.filter_map(|cell| cells.get(&cell)).flatten();
            let pairs = near.map(|&cap| (self.length([k, cap], patch), k, cap));
            let best = pairs.min_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
            found.extend(best.filter(|pair| pair.0 <= self.reach));
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found
    }

    /// How far the ends of a rung are apart, m; a vertex is no rung, and neither are places on two pieces.
    fn length(&self, rung: [usize; 2], patch: &Patch<'_>) -> f64 {
        let [lip, cap] = rung.map(|k| self.sides[k].from);
        match lip != cap && patch.are_one_piece(lip, cap) {
            true => (self.at[rung[0]] - self.at[rung[1]]).norm(),
            false => f64::INFINITY,
        }
    }

    /// Adds triangles from a rung on, forwards along the skin and backwards along the cap or the other way, until the strip ends.
    fn extend(&mut self, mut rung: [usize; 2], forwards: bool, patch: &mut Patch<'_>) {
        let sides = self.sides;
        // the next side of the skin and of the cap, and the two sides that a triangle may close
        let beyond = |[lip, cap]: [usize; 2]| match forwards {
            true => {
                let previous = sides[cap].previous;
                ([sides[lip].next, previous], [lip, previous])
            }
            false => {
                let previous = sides[lip].previous;
                ([previous, sides[cap].next], [previous, cap])
            }
        };
        if beyond(rung).1.iter().any(|&side| self.used[side]) {
            return;
        }
        loop {
            let [lip, cap] = rung;
            let ([next_lip, next_cap], closes) = beyond(rung);
            let rungs = [[next_lip, cap], [lip, next_cap]];
            let Some(is_lip) = self.choice(closes, rungs, patch) else {
                return;
            };
            let which = usize::from(!is_lip);
            let closed = sides[closes[which]];
            let tip = match is_lip == forwards {
                true => closed.to,
                false => closed.from,
            };
            let [a, c] = rung.map(|k| sides[k].from);
            patch.add(match (forwards, is_lip) {
                (true, true) => [tip, a, c],
                (true, false) => [a, c, tip],
                (false, _) => [a, tip, c],
            });
            self.used[closes[which]] = true;
            rung = rungs[which];
        }
    }

    /// Whether the strip goes on along the skin or along the cap, to the shorter rung; `None` where it ends. `closes` are the sides that either would close.
    fn choice(
        &self,
        closes: [usize; 2],
        rungs: [[usize; 2]; 2],
        patch: &Patch<'_>,
    ) -> Option<bool> {
        let length = |k: usize| {
            let length = self.length(rungs[k], patch);
            (!self.used[closes[k]] && length <= self.reach).then_some(length)
        };
        match (length(0), length(1)) {
            (None, None) => None,
            (lip, cap) => Some(lip.unwrap_or(f64::INFINITY) <= cap.unwrap_or(f64::INFINITY)),
        }
    }
}
