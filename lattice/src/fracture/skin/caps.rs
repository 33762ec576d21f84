//! Caps: squares on both sides of broken links, which show what was inside of the body.

use std::sync::Arc;

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::surface_frame::CutSurface;

use crate::asset::LatticeAsset;
use crate::fracture::cells::Corners;
use crate::fracture::skin::cut_skin::{Cut, CutSkin};
use crate::fracture::skin::follower::{Follower, cap_corner, center, key};

/// Most triangles, as a multiple of those of the skin; more are not drawn.
const BUDGET: usize = 4;
/// Projections of a corner onto the skin and back into the plane of a blade.
const ROUNDS: usize = 4;

impl CutSkin {
    /// Caps a cut that has opened in one of the cells around it, or has its caps follow what is left of their cells, in the planes that are known now.
    pub(super) fn open_cut(&mut self, asset: &LatticeAsset, cut: usize, open: &mut SurfaceMesh) {
        let Cut { ends, around, .. } = &self.cuts[cut];
        let (around, sides) = (around.clone(), [(ends[0], ends[1]), (ends[1], ends[0])]);
        if let Some(caps) = self.cuts[cut].caps {
            for (first, ends) in caps.into_iter().zip(sides) {
                for (k, follower) in self
                    .cap_corners(asset, &around, ends)
                    .into_iter()
                    .enumerate()
                {
                    let (number, known) = &mut self.followers[first + k];
                    open.positions[*number as usize] = follower.rest;
                    *known = follower;
                }
            }
            return;
        }
        let (p, q) = sides[0];
        let full = open.triangles.len() + 4 > BUDGET * asset.skin.triangles.len();
        if !full && around.iter().any(|c| self.cells.parts_between(c, p, q)) {
            let caps = sides.map(|ends| self.cap(asset, &around, ends, open));
            self.cuts[cut].caps = Some(caps);
        }
    }

    /// A square between `p` and `q` that follows `p` and its part of the cells around; the number of its first follower.
    fn cap(
        &mut self,
        asset: &LatticeAsset,
        around: &[Corners],
        ends: (u32, u32),
        open: &mut SurfaceMesh,
    ) -> usize {
        let first = open.positions.len() as u32;
        let first_follower = self.followers.len();
        for (k, follower) in (0..).zip(self.cap_corners(asset, around, ends)) {
            open.positions.push(follower.rest);
            self.followers.push((first + k, follower));
            Arc::make_mut(&mut self.copied).push(CutSurface::CAP);
        }
        open.triangles.push([first, first + 1, first + 2]);
        open.triangles.push([first, first + 2, first + 3]);
        first_follower
    }

    /// The four corners of the cap of `p` towards `q`.
    fn cap_corners(
        &self,
        asset: &LatticeAsset,
        around: &[Corners],
        (p, q): (u32, u32),
    ) -> [Follower; 4] {
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
        square.map(|(du, dv)| {
            let mut middle = (a + b) * 0.5;
            middle[u] += du * asset.cell;
            middle[v] += dv * asset.cell;
            let near = |c: &&Corners| (center(asset, c) - middle).norm() < 0.1 * asset.cell;
            let cell = around.iter().find(near).copied();
            let own = cell.iter().chain(around);
            let plane = own.filter_map(|c| self.planes.get(&key(c))).next();
            let normal = plane.map_or(out, |plane| plane.facing(&out));
            let place = match plane {
                None => self.inside(asset, &middle),
                // where the skin and the plane meet, by alternating projections
                Some(plane) => (0..ROUNDS).fold(plane.nearest(&middle), |place, _| {
                    plane.nearest(&self.inside(asset, &place))
                }),
            };
            cap_corner(asset, &self.cells, &cell, p, place, normal)
        })
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
