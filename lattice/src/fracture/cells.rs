//! Cells that broken links have parted.
//!
//! The eight corners of a cell are linked among each other when the body is whole. Where they are not one piece any more by their own links, the
//! cell is parted, and what lies in it belongs to the part of some corner.

use std::collections::BTreeMap;

use crate::sites::Sites;

/// Corners of a cell; corner `b` lies at (b & 1, b >> 1 & 1, b >> 2).
pub(crate) type Corners = [u32; 8];
/// Part of each corner, numbered by first corner.
pub(crate) type Part = [u8; 8];

/// Link bit of the body diagonal towards larger coordinates: a link of this kind belongs to one cell alone.
const DIAGONAL: usize = 26;

/// The parted cells of a body.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cells {
    /// by the corner of smallest coordinates, and the opposite one
    parted: BTreeMap<[u32; 2], (Corners, Part)>,
}

/// The particle linked with `p` at link bit `bit`, the first if there are several.
fn linked(sites: &Sites, p: u32, bit: usize) -> Option<u32> {
    if sites.links[p as usize] >> bit & 1 == 0 {
        return None;
    }
    let mut found = None;
    sites.for_each_linked(p as usize, |q| {
        if found.is_none() && usize::from(sites.bit(p, q)) == bit {
            found = Some(q);
        }
    });
    found
}

/// Corners of the cell of the whole body whose smallest corner is `p`; `None` where there is no such cell.
pub(crate) fn corners_from(whole: &Sites, p: u32) -> Option<Corners> {
    linked(whole, p, DIAGONAL)?;
    let mut corners = [p; 8];
    for (b, corner) in corners.iter_mut().enumerate().skip(1) {
        let step = [b & 1, b >> 1 & 1, b >> 2];
        *corner = linked(
            whole,
            p,
            (step[2] + 1) * 9 + (step[1] + 1) * 3 + step[0] + 1,
        )?;
    }
    Some(corners)
}

/// The cells of the whole body that have both ends of a link as corners.
pub(crate) fn cells_around(whole: &Sites, [p, q]: [u32; 2]) -> Vec<Corners> {
    let mut found = Vec::new();
    for back in 0..8_usize {
        let step = [back & 1, back >> 1 & 1, back >> 2];
        let first = match back {
            0 => Some(p),
            _ => linked(
                whole,
                p,
                (1 - step[2]) * 9 + (1 - step[1]) * 3 + 1 - step[0],
            ),
        };
        let cell = first.and_then(|first| corners_from(whole, first));
        if let Some(cell) = cell.filter(|c| c.contains(&p) && c.contains(&q)) {
            found.push(cell);
        }
    }
    found
}

/// Parts of a cell by the links `now` of its own corners.
fn parts(now: &Sites, corners: &Corners) -> Part {
    let mut part: Part = std::array::from_fn(|b| b as u8);
    for (a, &p) in corners.iter().enumerate() {
        now.for_each_linked(p as usize, |q| {
            let Some(b) = corners.iter().position(|&c| c == q) else {
                return;
            };
            let (low, high) = (part[a].min(part[b]), part[a].max(part[b]));
            part.iter_mut()
                .filter(|l| **l == high)
                .for_each(|l| *l = low);
        });
    }
    part
}

impl Cells {
    /// Looks at the cells around links that broke; returns those that are parted now in another way than before.
    pub fn broke(&mut self, whole: &Sites, now: &Sites, links: &[[u32; 2]]) -> Vec<Corners> {
        let mut changed = Vec::new();
        for link in links {
            for corners in cells_around(whole, *link) {
                let part = parts(now, &corners);
                if part.iter().all(|&l| l == 0) {
                    continue;
                }
                let key = [corners[0], corners[7]];
                let before = self.parted.insert(key, (corners, part));
                if before.is_none_or(|(_, before)| before != part) {
                    changed.push(corners);
                }
            }
        }
        changed
    }

    /// Parts of a cell, if it is parted.
    pub fn part(&self, corners: &Corners) -> Option<&Part> {
        self.parted
            .get(&[corners[0], corners[7]])
            .map(|cell| &cell.1)
    }

    /// Whether two corners of a cell are in different parts of it.
    pub fn parts_between(&self, corners: &Corners, p: u32, q: u32) -> bool {
        let Some(part) = self.part(corners) else {
            return false;
        };
        let of = |p| corners.iter().position(|&c| c == p).map(|b| part[b]);
        of(p) != of(q)
    }
}
