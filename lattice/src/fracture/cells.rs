//! Cells that broken links have parted.
//!
//! The eight corners of a cell are linked among each other when the body is whole. Where they are not one piece any more by their own links, the
//! cell is parted, and what lies in it belongs to the part of some corner.

use std::collections::BTreeMap;

use crate::asset::sites::Sites;

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

/// Link bit of a step of −1, 0 or 1 along each axis, given as 0, 1 or 2.
fn bit_of([x, y, z]: [usize; 3]) -> usize {
    z * 9 + y * 3 + x
}

/// Calls `visit` with the corners of the cells of the whole body whose smallest corner is `p`: one, or several where cells are split.
fn for_each_cell_from(whole: &Sites, p: u32, mut visit: impl FnMut(Corners)) {
    whole.for_each_linked_at(p as usize, DIAGONAL, |opposite| {
        let mut corners = [p; 8];
        corners[7] = opposite;
        let mut complete = true;
        for (b, corner) in corners.iter_mut().enumerate().take(7).skip(1) {
            let mut found = None;
            let bit = bit_of([1 + (b & 1), 1 + (b >> 1 & 1), 1 + (b >> 2)]);
            whole.for_each_linked_at(p as usize, bit, |c| {
                // the copy that belongs to this diagonal
                if found.is_none() && whole.are_linked(c, opposite) {
                    found = Some(c);
                }
            });
            complete &= found.is_some();
            *corner = found.unwrap_or(p);
        }
        if complete {
            visit(corners);
        }
    });
}

/// The cells of the whole body that have both ends of a link as corners.
pub(crate) fn cells_around(whole: &Sites, [p, q]: [u32; 2]) -> Vec<Corners> {
    let mut found: Vec<Corners> = Vec::new();
    let mut add = |cell: Corners| {
        if cell.contains(&p) && cell.contains(&q) {
            found.push(cell);
        }
    };
    for_each_cell_from(whole, p, &mut add);
    for back in 1..8_usize {
        let bit = bit_of([1 - (back & 1), 1 - (back >> 1 & 1), 1 - (back >> 2)]);
        whole.for_each_linked_at(p as usize, bit, |first| {
            for_each_cell_from(whole, first, &mut add);
        });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bake::particles::find;
    use crate::testing::bodies::slit_bar;

    #[test]
    fn copies_of_split_cells_are_cells_of_their_own() {
        let (sites, _) = find(&slit_bar()).expect("sites");
        let mut all = Vec::new();
        for p in 0..sites.len() as u32 {
            for_each_cell_from(&sites, p, |cell| all.push(cell));
        }
        // 6 by 3 by 2 cells, and copies of 4 by 2
        assert_eq!(all.len(), 36 + 8);
        for p in 0..sites.len() as u32 {
            sites.for_each_linked(p as usize, |q| {
                let mut around = cells_around(&sites, [p, q]);
                let both = |cell: &&Corners| cell.contains(&p) && cell.contains(&q);
                let mut expected: Vec<Corners> = all.iter().filter(both).copied().collect();
                around.sort_unstable();
                expected.sort_unstable();
                assert_eq!(around, expected, "{p} {q}");
            });
        }
    }
}
