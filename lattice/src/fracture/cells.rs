//! Cells that broken links have separated into parts.
//!
//! In a whole body the eight corners of a cell are linked with each other. A cell is parted if its corners are no longer connected by the links among
//! them. Each point in a parted cell belongs to the part of one of its corners.

use std::collections::BTreeMap;

use crate::asset::sites::Sites;

/// Corners of a cell; corner `b` lies at (b & 1, b >> 1 & 1, b >> 2).
pub(crate) type Corners = [u32; 8];
/// The part of each corner of a cell: the number of its first corner.
pub(crate) type CornerParts = [u8; 8];

/// Link bit of the body diagonal towards larger coordinates. Such a link belongs to one cell alone.
const DIAGONAL: usize = 26;

/// The parted cells of a body.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cells {
    /// by the corner with the smallest coordinates and the opposite one
    parted: BTreeMap<[u32; 2], (Corners, CornerParts)>,
}

/// Link bit of an offset of −1, 0 or 1 along each axis, given as 0, 1 or 2.
fn link_bit([x, y, z]: [usize; 3]) -> usize {
    z * 9 + y * 3 + x
}

/// The corners of each cell of the whole body whose smallest corner is `p`: one cell, or several where cells are split.
fn cells_from(whole: &Sites, p: u32) -> impl Iterator<Item = Corners> {
    let complete = move |opposite: u32| {
        let mut corners = [p; 8];
        corners[7] = opposite;
        for (b, corner) in corners.iter_mut().enumerate().take(7).skip(1) {
            let bit = link_bit([1 + (b & 1), 1 + (b >> 1 & 1), 1 + (b >> 2)]);
            // the copy that belongs to this diagonal
            let mut copies = whole.linked_at(p as usize, bit);
            *corner = copies.find(|&c| whole.are_linked(c, opposite))?;
        }
        Some(corners)
    };
    whole.linked_at(p as usize, DIAGONAL).filter_map(complete)
}

/// The cells of the whole body that have both ends of a link as corners.
pub(crate) fn cells_around(whole: &Sites, [p, q]: [u32; 2]) -> Vec<Corners> {
    let before = (1..8_usize).flat_map(|back| {
        let bit = link_bit([1 - (back & 1), 1 - (back >> 1 & 1), 1 - (back >> 2)]);
        whole.linked_at(p as usize, bit)
    });
    let smallest = std::iter::once(p).chain(before);
    let cells = smallest.flat_map(|p| cells_from(whole, p));
    let has_both = |cell: &Corners| cell.contains(&p) && cell.contains(&q);
    cells.filter(has_both).collect()
}

/// Parts of a cell by the `current` links among its corners.
fn parts(current: &Sites, corners: &Corners) -> CornerParts {
    let mut part: CornerParts = std::array::from_fn(|b| b as u8);
    for (a, &p) in corners.iter().enumerate() {
        current.for_each_linked(p as usize, |q| {
            let Some(b) = corners.iter().position(|&c| c == q) else {
                return;
            };
            let (lower, upper) = (part[a].min(part[b]), part[a].max(part[b]));
            part.iter_mut()
                .filter(|l| **l == upper)
                .for_each(|l| *l = lower);
        });
    }
    part
}

impl Cells {
    /// Updates the cells around links that broke. Returns the cells whose parts have changed.
    pub fn update(&mut self, whole: &Sites, current: &Sites, links: &[[u32; 2]]) -> Vec<Corners> {
        let mut changed = Vec::new();
        for link in links {
            for corners in cells_around(whole, *link) {
                let part = parts(current, &corners);
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
    pub fn part(&self, corners: &Corners) -> Option<&CornerParts> {
        self.parted
            .get(&[corners[0], corners[7]])
            .map(|cell| &cell.1)
    }

    /// Whether two corners of a cell are in different parts of it.
    pub fn separates(&self, corners: &Corners, p: u32, q: u32) -> bool {
        let Some(part) = self.part(corners) else {
            return false;
        };
        let part_of = |p| corners.iter().position(|&c| c == p).map(|b| part[b]);
        part_of(p) != part_of(q)
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
            all.extend(cells_from(&sites, p));
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
