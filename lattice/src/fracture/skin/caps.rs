//! Caps: polygons on both sides of broken links, which show what was inside of the body.
//!
//! Corners of caps lie in cells, one for each part of a cell, so that the caps of all links of a part share them: inside of the body caps end nowhere. Around a link at the boundary of the lattice, where
//! cells are missing on one side, corners in their places go with the cell beside.

use std::collections::BTreeMap;

use pliant_core::math::Vec3;

use crate::asset::LatticeAsset;
use crate::fracture::cells::Corners;
use crate::fracture::skin::cut_skin::{Cut, CutSkin};
use crate::fracture::skin::follower::{CapCorner, Follower, cap_corner, center, key};

/// Most triangles, as a multiple of those of the skin; more are not drawn.
const BUDGET: usize = 4;
/// Projections of a corner onto the skin and back into the plane of a blade.
const ROUNDS: usize = 4;

/// Caps under way.
#[derive(Debug, Default)]
pub(super) struct Caps {
    pub triangles: Vec<[u32; 3]>,
    /// what each vertex follows
    pub corners: Vec<Follower>,
    /// to the side of each, m
    pub inward: Vec<Vec3>,
    numbers: BTreeMap<CapCorner, u32>,
}

/// Where a corner is wanted: in or beside a cell, for a particle of it.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    cell: Corners,
    side: u8,
}

impl CutSkin {
    /// The caps of all cuts, with vertices from number `first`. Cost: some hundred nanoseconds a cut, and some microseconds for each corner that changed.
    pub(super) fn draw_caps(&mut self, asset: &LatticeAsset, first: u32) -> Caps {
        let mut caps = Caps::default();
        for cut in 0..self.cuts.len() {
            if caps.triangles.len() + 4 > BUDGET * asset.skin.triangles.len() {
                break;
            }
            let Cut { ends: [p, q], .. } = self.cuts[cut];
            if !self.cuts[cut]
                .around
                .iter()
                .any(|c| self.cells.parts_between(c, p, q))
            {
                continue;
            }
            for ends in [(p, q), (q, p)] {
                let polygon = polygon(asset, &self.cuts[cut].around, ends);
                let polygon: Vec<u32> = polygon
                    .into_iter()
                    .map(|wanted| self.corner(asset, cut, wanted, ends, first, &mut caps))
                    .collect();
                if let [a, others @ ..] = &polygon[..] {
                    let fan = others.windows(2).map(|pair| [*a, pair[0], pair[1]]);
                    caps.triangles.extend(fan);
                }
            }
        }
        caps
    }

    fn corner(
        &mut self,
        asset: &LatticeAsset,
        cut: usize,
        Wanted { cell, side }: Wanted,
        (p, q): (u32, u32),
        first: u32,
        caps: &mut Caps,
    ) -> u32 {
        let own = cell.iter().position(|&k| k == p).unwrap_or(0);
        let part = self.cells.part(&cell).map_or(0, |part| part[own]);
        let wanted = (key(&cell), part, side);
        if let Some(known) = caps.numbers.get(&wanted) {
            return *known;
        }
        let follower = match self.cap_corners.get(&wanted) {
            Some(known) => known.clone(),
            None => {
                let placed = self.place_corner(asset, cut, (&cell, side), (p, q));
                self.cap_corners.insert(wanted, placed.clone());
                placed
            }
        };
        let number = first + caps.corners.len() as u32;
        caps.corners.push(follower);
        caps.inward.push(self.direction(asset, &cell, part));
        caps.numbers.insert(wanted, number);
        number
    }

    /// From the middle of a cell to the middle of one of its parts, m; across the plane of the blade if there is one, and zero for a cell that is whole.
    pub(super) fn direction(&self, asset: &LatticeAsset, cell: &Corners, part: u8) -> Vec3 {
        let parts = self.cells.part(cell);
        let own = || (0..8).filter(|&b| parts.is_some_and(|parts| parts[b] == part));
        let count = own().count();
        if count == 0 {
            return Vec3::zeros();
        }
        let place = |b: usize| asset.rest_position(cell[b] as usize);
        let mean = own().map(place).sum::<Vec3>() / count as f64;
        let direction = mean - center(asset, cell);
        match self.planes.get(&key(cell)) {
            Some(plane) => plane.across(&direction),
            None => direction,
        }
    }

    /// The middle of a cell or of the place beside it, in the plane of the blade if there is one, and inside of the skin.
    fn place_corner(
        &self,
        asset: &LatticeAsset,
        cut: usize,
        (cell, side): (&Corners, u8),
        (p, q): (u32, u32),
    ) -> Follower {
        let mut middle = center(asset, cell);
        if let Some(code) = side.checked_sub(1) {
            let sign = if code & 1 == 1 { 1.0 } else { -1.0 };
            middle[usize::from(code / 2)] += sign * asset.cell;
        }
        let mut near = std::iter::once(cell).chain(&self.cuts[cut].around);
        let plane = near.find_map(|c| self.planes.get(&key(c)));
        let out = asset.rest_position(q as usize) - asset.rest_position(p as usize);
        let normal = plane.map_or(out / asset.cell, |plane| plane.facing(&out));
        let place = match plane {
            None => self.inside(asset, &middle),
            // where the skin and the plane meet, by alternating projections
            Some(plane) => (0..ROUNDS).fold(plane.nearest(&middle), |place, _| {
                plane.nearest(&self.inside(asset, &place))
            }),
        };
        cap_corner(asset, &self.cells, cell, p, place, normal)
    }

    /// The place itself if it is inside the skin, or the nearest point of the skin.
    fn inside(&self, asset: &LatticeAsset, place: &Vec3) -> Vec3 {
        let Some(closest) = self.tree.closest(place) else {
            return *place;
        };
        let outward = asset.skin.area_vector(closest.triangle as usize);
        if (place - closest.point).dot(&outward) > 0.0 {
            closest.point
        } else {
            *place
        }
    }
}

/// The corners of the cap of `p` towards `q`, counter-clockwise from `q`: in the four cells around the link, or beside two of them. None where fewer are left.
fn polygon(asset: &LatticeAsset, around: &[Corners], (p, q): (u32, u32)) -> Vec<Wanted> {
    let [a, b] = [p, q].map(|k| asset.rest_position(k as usize));
    let (out, middle) = (b - a, (a + b) * 0.5);
    let axis = out.iamax();
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut quadrants = [(-1, -1), (1, -1), (1, 1), (-1, 1)];
    if out[axis] < 0.0 {
        quadrants.reverse();
    }
    let sign = |x: f64| if x > 0.0 { 1 } else { -1 };
    let there = quadrants.map(|quadrant| {
        let is_there = |cell: &&Corners| {
            let off = center(asset, cell) - middle;
            (sign(off[u]), sign(off[v])) == quadrant
        };
        around.iter().find(is_there).copied()
    });
    let inside = |cell| Wanted { cell, side: 0 };
    let all: Vec<Wanted> = there.iter().flatten().map(|c| inside(*c)).collect();
    if all.len() != 2 {
        return if all.len() > 2 { all } else { Vec::new() };
    }
    // the place of missing cell `k`, beside cell `j`
    let beside = |cell: Corners, k: usize, j: usize| {
        let (to, from) = (quadrants[k], quadrants[j]);
        let (axis, up) = match to.0 == from.0 {
            true => (v, to.1 > from.1),
            false => (u, to.0 > from.0),
        };
        let side = 1 + 2 * axis as u8 + u8::from(up);
        Wanted { cell, side }
    };
    let pair = (0..4).find_map(|k| Some((k, there[k]?, there[(k + 1) % 4]?)));
    match pair {
        Some((k, first, second)) => {
            let [j, l, m] = [1, 2, 3].map(|n| (k + n) % 4);
            vec![
                inside(first),
                inside(second),
                beside(second, l, j),
                beside(first, m, k),
            ]
        }
        None => Vec::new(),
    }
}
