//! Caps: squares on both sides of broken links, which show what was inside of the body.

use std::sync::Arc;

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::surface_frame::CutSurface;

use crate::asset::LatticeAsset;
use crate::fracture::cells::Corners;
use crate::fracture::skin::cut_skin::{Cap, Cut, CutSkin};
use crate::fracture::skin::follower::{cap_corner, center, key};

/// Most triangles, as a multiple of those of the skin; more are not drawn.
const BUDGET: usize = 4;
/// Projections of a corner onto the skin and back into the plane of a blade.
const ROUNDS: usize = 4;

impl CutSkin {
    /// Caps a cut that has opened, or has its caps follow what is left of their cells.
    pub(super) fn open_cut(&mut self, asset: &LatticeAsset, cut: usize, open: &mut SurfaceMesh) {
        if let Some(caps) = &self.cuts[cut].caps {
            for cap in caps {
                for (k, cell) in cap.cells.iter().enumerate() {
                    let (_, follower) = &mut self.followers[cap.first + k];
                    let (rest, normal) = (follower.rest, follower.normal);
                    *follower = cap_corner(asset, &self.cells, cell, cap.particle, rest, normal);
                }
            }
            return;
        }
        let Cut { ends, around, .. } = &self.cuts[cut];
        let [p, q] = *ends;
        let full = open.triangles.len() + 4 > BUDGET * asset.skin.triangles.len();
        if !full && around.iter().all(|c| self.cells.parts_between(c, p, q)) {
            let around = around.clone();
            let caps = [(p, q), (q, p)].map(|(p, q)| self.cap(asset, &around, p, q, open));
            self.cuts[cut].caps = Some(caps);
        }
    }

    /// A square between `p` and `q` that follows `p` and its part of the cells around.
    fn cap(
        &mut self,
        asset: &LatticeAsset,
        around: &[Corners],
        p: u32,
        q: u32,
        open: &mut SurfaceMesh,
    ) -> Cap {
        let (a, b) = (
            asset.rest_position(p as usize),
            asset.rest_position(q as usize),
        );
        let out = (b - a) / asset.cell;
        let axis = out.iamax();
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut square = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)];
        if out[axis] < 0.0 {
            square.reverse();
        }
        let first = open.positions.len() as u32;
        let mut cap = Cap {
            particle: p,
            first: self.followers.len(),
            cells: [None; 4],
        };
        for (k, (du, dv)) in square.into_iter().enumerate() {
            let mut middle = (a + b) * 0.5;
            middle[u] += du * asset.cell;
            middle[v] += dv * asset.cell;
            let near = |c: &&Corners| (center(asset, c) - middle).norm() < 0.1 * asset.cell;
            cap.cells[k] = around.iter().find(near).copied();
            let own = cap.cells[k].iter().chain(around);
            let plane = own.filter_map(|c| self.planes.get(&key(c))).next();
            let normal = plane.map_or(out, |plane| plane.facing(&out));
            let plane = plane.copied();
            let place = match plane {
                None => self.inside(asset, &middle),
                // where the skin and the plane meet, by alternating projections
                Some(plane) => (0..ROUNDS).fold(plane.nearest(&middle), |place, _| {
                    plane.nearest(&self.inside(asset, &place))
                }),
            };
            let follower = cap_corner(asset, &self.cells, &cap.cells[k], p, place, normal);
            self.followers.push((first + k as u32, follower));
            open.positions.push(place);
            Arc::make_mut(&mut self.copied).push(CutSurface::CAP);
        }
        open.triangles.push([first, first + 1, first + 2]);
        open.triangles.push([first, first + 2, first + 3]);
        cap
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
