//! Caps: polygons on both sides of broken links, which show the inside of the body.
//!
//! Each part of a cell has one corner of caps, which the caps of all its links share: there are no gaps between caps inside of the body. Around a link at the boundary of the lattice some
//! cells are missing. The corners in their places are bound to the neighbouring cell.

use std::collections::BTreeMap;

use pliant_core::math::Vec3;

use crate::asset::LatticeAsset;
use crate::fracture::cells::Corners;
use crate::fracture::skin::cut_skin::{Cut, CutSkin};
use crate::fracture::skin::vertex_binding::{CapCorner, VertexBinding, cell_center, cell_key};

/// Largest number of cap triangles over that of triangles of the skin; more are not drawn.
const MAX_CAP_TRIANGLES: usize = 4;
/// Projections of a corner onto the skin and back into the plane of a blade.
const PROJECTION_ROUNDS: usize = 4;

/// Caps under construction.
#[derive(Debug, Default)]
pub(super) struct Caps {
    pub triangles: Vec<[u32; 3]>,
    pub corners: Vec<VertexBinding>,
    /// for each corner the direction from the cut into its part, m
    pub inward: Vec<Vec3>,
    numbers: BTreeMap<CapCorner, u32>,
}

/// The place of a corner: in a cell or beside it.
#[derive(Debug, Clone, Copy)]
struct CornerSlot {
    cell: Corners,
    /// as in [`CapCorner`]
    side: u8,
}

impl CutSkin {
    /// The caps of all cuts, with vertices from number `first`. Cost: some hundred nanoseconds a cut, and some microseconds for each corner that changed.
    pub(super) fn draw_caps(&mut self, asset: &LatticeAsset, first: u32) -> Caps {
        let mut caps = Caps::default();
        for cut in 0..self.cuts.len() {
            if caps.triangles.len() + 4 > MAX_CAP_TRIANGLES * asset.skin.triangles.len() {
                break;
            }
            let Cut { ends: [p, q], .. } = self.cuts[cut];
            if !self.cuts[cut]
                .around
                .iter()
                .any(|c| self.cells.separates(c, p, q))
            {
                continue;
            }
            for ends in [(p, q), (q, p)] {
                let polygon = polygon(asset, &self.cuts[cut].around, ends);
                let polygon: Vec<u32> = polygon
                    .into_iter()
                    .map(|slot| self.corner(asset, cut, slot, ends, first, &mut caps))
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
        CornerSlot { cell, side }: CornerSlot,
        (p, q): (u32, u32),
        first: u32,
        caps: &mut Caps,
    ) -> u32 {
        let own = cell.iter().position(|&k| k == p).unwrap_or(0);
        let part = self.cells.part(&cell).map_or(0, |part| part[own]);
        let corner = (cell_key(&cell), part, side);
        if let Some(number) = caps.numbers.get(&corner) {
            return *number;
        }
        let binding = match self.cap_corners.get(&corner) {
            Some(binding) => binding.clone(),
            None => {
                let binding = self.place_corner(asset, cut, (&cell, part, side), (p, q));
                self.cap_corners.insert(corner, binding.clone());
                binding
            }
        };
        let number = first + caps.corners.len() as u32;
        caps.corners.push(binding);
        caps.inward.push(self.direction(asset, &cell, part));
        caps.numbers.insert(corner, number);
        number
    }

    /// From the centre of a cell to that of one of its parts, m; perpendicular to the plane of the blade if there is one. Zero for a whole cell.
    pub(super) fn direction(&self, asset: &LatticeAsset, cell: &Corners, part: u8) -> Vec3 {
        let parts = self.cells.part(cell);
        let own = || (0..8).filter(|&b| parts.is_some_and(|parts| parts[b] == part));
        let count = own().count();
        if count == 0 {
            return Vec3::zeros();
        }
        let place = |b: usize| asset.rest_position(cell[b] as usize);
        let mean = own().map(place).sum::<Vec3>() / count as f64;
        let direction = mean - cell_center(asset, cell);
        match self.planes.get(&cell_key(cell)) {
            Some(plane) => plane.across(&direction),
            None => direction,
        }
    }

    /// A new corner at the centre of a cell or of the missing cell beside it, moved into the plane of the blade if there is one, and into the skin.
    fn place_corner(
        &self,
        asset: &LatticeAsset,
        cut: usize,
        (cell, part, side): (&Corners, u8, u8),
        (p, q): (u32, u32),
    ) -> VertexBinding {
        let mut middle = cell_center(asset, cell);
        if let Some(code) = side.checked_sub(1) {
            let sign = if code & 1 == 1 { 1.0 } else { -1.0 };
            middle[usize::from(code / 2)] += sign * asset.cell;
        }
        let mut near = std::iter::once(cell).chain(&self.cuts[cut].around);
        let plane = near.find_map(|c| self.planes.get(&cell_key(c)));
        let out = asset.rest_position(q as usize) - asset.rest_position(p as usize);
        let normal = plane.map_or(out / asset.cell, |plane| plane.facing(&out));
        let place = match plane {
            None => self.inside(asset, &middle),
            // where the skin and the plane meet, by alternating projections
            Some(plane) => (0..PROJECTION_ROUNDS).fold(plane.nearest(&middle), |place, _| {
                plane.nearest(&self.inside(asset, &place))
            }),
        };
        self.bind(asset, (cell, part), place, normal)
    }

    /// The point itself if it is inside the skin, else the nearest point of the skin.
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

/// The corners of the cap of `p` towards `q`, counter-clockwise seen from `q`: in the four cells around the link, or beside two that are neighbours; empty otherwise.
fn polygon(asset: &LatticeAsset, around: &[Corners], (p, q): (u32, u32)) -> Vec<CornerSlot> {
    let [a, b] = [p, q].map(|k| asset.rest_position(k as usize));
    let (out, middle) = (b - a, (a + b) * 0.5);
    let axis = out.iamax();
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut quadrants = [(-1, -1), (1, -1), (1, 1), (-1, 1)];
    if out[axis] < 0.0 {
        quadrants.reverse();
    }
    let sign = |x: f64| if x > 0.0 { 1 } else { -1 };
    let cells = quadrants.map(|quadrant| {
        let is_in_quadrant = |cell: &&Corners| {
            let off = cell_center(asset, cell) - middle;
            (sign(off[u]), sign(off[v])) == quadrant
        };
        around.iter().find(is_in_quadrant).copied()
    });
    let inside = |cell| CornerSlot { cell, side: 0 };
    let all: Vec<CornerSlot> = cells.iter().flatten().map(|c| inside(*c)).collect();
    if all.len() != 2 {
        return if all.len() > 2 { all } else { Vec::new() };
    }
    // the slot of missing cell `k`, beside cell `j`
    let beside = |cell: Corners, k: usize, j: usize| {
        let (to, from) = (quadrants[k], quadrants[j]);
        let (axis, up) = match to.0 == from.0 {
            true => (v, to.1 > from.1),
            false => (u, to.0 > from.0),
        };
        let side = 1 + 2 * axis as u8 + u8::from(up);
        CornerSlot { cell, side }
    };
    let pair = (0..4).find_map(|k| Some((k, cells[k]?, cells[(k + 1) % 4]?)));
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
