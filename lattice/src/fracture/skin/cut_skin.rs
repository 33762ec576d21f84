//! The skin of a broken body: cut open along parted cells, with caps that show what was inside.
//!
//! A vertex in a parted cell exists once for each part of the cell that one of its triangles belongs to: that of the corner nearest to the middle
//! of the triangle at rest. It follows the corners of its part alone, each of which carries it along with the rotation of its region. Caps
//! lie halfway between the ends of broken links along the axes, a polygon on either side, with corners in the middle of the cells around
//! the link, or on the skin where that is outside of the body. [`pliant_core::mesh::seam`] joins them to the skin.
//!
//! The first vertices are those of the skin, in its order. Where a blade cut, caps lie in its plane and the skin ends there ([`super::lips`]); elsewhere the edge of
//! a cut is as ragged as the triangles are.

use std::collections::{BTreeMap, BTreeSet};

use pliant_core::math::Vec3;
use pliant_core::mesh::adjacency::vertex_triangles;
use pliant_core::mesh::{Csr, SkinPart, SurfaceFrame, SurfaceMesh, TriangleTree};

use crate::asset::LatticeAsset;
use crate::asset::sites::Sites;
use crate::fracture::cells::{Cells, Corners, cells_around};
use crate::fracture::skin::drawn::Drawn;
use crate::fracture::skin::follower::{CapCorner, Follower, center, key, sorted, weights_at};
use crate::fracture::skin::middle_cells::{MiddleCells, cell_of};
use crate::fracture::skin::plane::Plane;

/// A broken link along an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cut {
    pub ends: [u32; 2],
    pub around: Vec<Corners>,
}

/// The skin of a body that has broken.
#[derive(Debug, Clone)]
pub(crate) struct CutSkin {
    pub(super) whole: Sites,
    pub(super) cells: Cells,
    /// vertices of each cell, by its smallest and opposite corner
    pub(super) vertices: BTreeMap<[u32; 2], Vec<u32>>,
    /// triangles of each vertex
    stars: Csr,
    middle_cells: MiddleCells,
    pub(super) normals: Vec<Vec3>,
    pub(super) tree: TriangleTree,
    /// skin in parts, without caps, once there are any
    open: Option<SurfaceMesh>,
    /// for each of its vertices beyond those of the skin the one that it is a copy of
    pub(super) copied: Vec<u32>,
    /// vertices of the skin around which triangles have changed
    pub(super) touched: Vec<bool>,
    /// what corners of caps follow
    pub(super) cap_corners: BTreeMap<CapCorner, Follower>,
    drawn: Option<Drawn>,
    /// vertices of `open` that do not follow their whole cell
    pub(super) followers: Vec<(u32, Follower)>,
    /// follower of each vertex that goes with a part of a cell: cell, part, vertex
    copies: BTreeMap<([u32; 2], u8, u32), usize>,
    /// the same by vertex: cell, part, follower
    pub(super) copies_of: BTreeMap<u32, Vec<(Corners, u8, usize)>>,
    /// vertices whose own number is that of one of their copies
    pub(super) taken: BTreeSet<u32>,
    /// vertices in parted cells that contact knows elsewhere than they are drawn, and what they follow there
    pub(super) unmoved: BTreeMap<u32, Follower>,
    /// where blades cut links, by their ends, at rest, m
    pub(super) places: BTreeMap<[u32; 2], Vec3>,
    /// planes in which blades went through cells
    pub(super) planes: BTreeMap<[u32; 2], Plane>,
    pub(super) cuts: Vec<Cut>,
    /// cuts through each cell
    through: BTreeMap<[u32; 2], Vec<usize>>,
}

impl CutSkin {
    /// `None` for a body without a skin, or where a vertex is not attached to the corners of a cell.
    pub fn new(asset: &LatticeAsset, whole: &Sites) -> Option<Self> {
        let skin = &asset.skin;
        if skin.triangles.is_empty() || asset.embedding.len() != skin.vertex_count() {
            return None;
        }
        let mut vertices: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
        for v in 0..skin.vertex_count() {
            let corners: Corners = asset.embedding.row(v).0.try_into().ok()?;
            vertices.entry(key(&corners)).or_default().push(v as u32);
        }
        Some(Self {
            whole: whole.clone(),
            cells: Cells::default(),
            vertices,
            stars: vertex_triangles(skin.vertex_count(), &skin.triangles),
            middle_cells: MiddleCells::new(asset, whole),
            normals: skin.vertex_normals(),
            tree: TriangleTree::new(&skin.positions, &skin.triangles),
            open: None,
            copied: Vec::new(),
            touched: vec![false; skin.vertex_count()],
            cap_corners: BTreeMap::new(),
            drawn: None,
            followers: Vec::new(),
            copies: BTreeMap::new(),
            copies_of: BTreeMap::new(),
            taken: BTreeSet::new(),
            unmoved: BTreeMap::new(),
            places: BTreeMap::new(),
            planes: BTreeMap::new(),
            cuts: Vec::new(),
            through: BTreeMap::new(),
        })
    }

    /// What there is to be seen; `None` while no cell is parted.
    pub fn drawn(&self) -> Option<&Drawn> {
        self.drawn.as_ref()
    }

    /// Follows links that broke, with the share of each at which a blade cut it, if one did. Cost: some ten microseconds a cell that parts, a copy of the skin, and about a microsecond a cap.
    pub fn broke(
        &mut self,
        asset: &LatticeAsset,
        now: &Sites,
        links: &[[u32; 2]],
        shares: &[Option<f64>],
    ) {
        for (&[p, q], share) in links.iter().zip(shares) {
            if let Some(share) = share {
                let [from, to] = [p, q].map(|k| asset.rest_position(k as usize));
                self.places
                    .insert(sorted([p, q]), from + (to - from) * *share);
            }
        }
        for &[p, q] in links {
            let (a, b) = (asset.sites[p as usize], asset.sites[q as usize]);
            if (0..3).filter(|&k| a[k] != b[k]).count() == 1 {
                let around = cells_around(&self.whole, [p, q]);
                for cell in &around {
                    self.through
                        .entry(key(cell))
                        .or_default()
                        .push(self.cuts.len());
                }
                self.cuts.push(Cut {
                    ends: [p, q],
                    around,
                });
            }
        }
        let changed = self.cells.broke(&self.whole, now, links);
        if changed.is_empty() {
            return;
        }
        let mut open = self
            .open
            .take()
            .unwrap_or_else(|| SurfaceMesh::clone(&asset.skin));
        let mut touched: BTreeSet<u32> = BTreeSet::new();
        let mut lips: BTreeSet<u32> = BTreeSet::new();
        for cell in &changed {
            self.find_plane(asset, cell);
            self.follow_parts(asset, cell, &mut lips);
            touched.extend(self.middle_cells.triangles(cell));
            for &v in self.vertices.get(&key(cell)).map_or(&[][..], Vec::as_slice) {
                touched.extend(self.star(v));
            }
        }
        for t in touched {
            self.part_triangle(asset, t as usize, &mut open);
            lips.extend(&asset.skin.triangles[t as usize]);
        }
        self.draw_lips(asset, &lips, &mut open);
        self.follow_own_parts(asset, &changed, lips);
        let through = changed
            .iter()
            .filter_map(|cell| self.through.get(&key(cell)));
        let cuts: BTreeSet<usize> = through.flatten().copied().collect();
        // corners of caps lie in the planes of the cells around
        let mut stale: BTreeSet<[u32; 2]> = BTreeSet::new();
        for cut in cuts {
            stale.extend(self.cuts[cut].around.iter().map(key));
        }
        self.cap_corners
            .retain(|(cell, ..), _| !stale.contains(cell));
        self.drawn = Some(self.draw(asset, &open));
        self.open = Some(open);
    }

    /// Triangles of a vertex of the skin.
    pub(super) fn star(&self, v: u32) -> &[u32] {
        self.stars.row(v as usize)
    }

    /// Has the copies that go with parts of a cell follow the corners that are left, and notes of which vertices they are.
    fn follow_parts(&mut self, asset: &LatticeAsset, cell: &Corners, of: &mut BTreeSet<u32>) {
        let all = (key(cell), 0, 0)..=(key(cell), u8::MAX, u32::MAX);
        for (&(_, part, v), &at) in self.copies.range(all) {
            self.followers[at].1 = self.copy(asset, cell, part, v);
            of.insert(v);
        }
    }

    /// A vertex that goes with a part of a cell, which need not be its own.
    pub(super) fn copy(&self, asset: &LatticeAsset, cell: &Corners, part: u8, v: u32) -> Follower {
        let place = asset.skin.positions[v as usize];
        let member = |b: usize| self.cells.part(cell).is_none_or(|p| p[b] == part);
        let weights = weights_at(asset, cell, &place);
        Follower::new(cell, &weights, member, place, self.normals[v as usize])
    }

    /// Gives a triangle the copies of its vertices on its side of the cuts.
    fn part_triangle(&mut self, asset: &LatticeAsset, t: usize, open: &mut SurfaceMesh) {
        let skin = &asset.skin;
        let triangle = skin.triangles[t];
        let middle = triangle
            .iter()
            .map(|&v| skin.positions[v as usize])
            .sum::<Vec3>()
            / 3.0;
        let cell_of = |v: u32| cell_of(asset, v);
        let far = |c: &Corners| (center(asset, c) - middle).norm_squared();
        let parted = triangle
            .map(cell_of)
            .into_iter()
            .chain(self.middle_cells.cell(t as u32))
            .filter(|c| self.cells.part(c).is_some());
        let Some(anchor) = parted.min_by(|a, b| far(a).total_cmp(&far(b))) else {
            return;
        };
        let side = self.nearest_part(asset, &anchor, &middle);
        let members = |c: &Corners, side: u8| {
            let part = self.cells.part(c).copied().unwrap_or([side; 8]);
            (0..8)
                .filter(move |&b| part[b] == side)
                .map(|b| c[b])
                .collect::<Vec<u32>>()
        };
        let goes_with = members(&anchor, side);
        let mut wanted = triangle.map(|v| (cell_of(v), 0, v));
        for (cell, part, _) in &mut wanted {
            *part = self.nearest_part(asset, cell, &middle);
            let own = members(cell, *part);
            if !own.iter().any(|p| goes_with.contains(p)) {
                // the triangle reaches across the cut
                (*cell, *part) = (anchor, side);
            }
        }
        for (corner, (cell, part, v)) in open.triangles[t].iter_mut().zip(wanted) {
            if self.cells.part(&cell).is_none() {
                *corner = v;
                continue;
            }
            let next = self.followers.len();
            let at = *self.copies.entry((key(&cell), part, v)).or_insert(next);
            if at == next {
                let own = cell == cell_of(v) && self.taken.insert(v);
                let number = if own { v } else { open.positions.len() as u32 };
                if !own {
                    open.positions.push(skin.positions[v as usize]);
                    self.copied.push(v);
                }
                self.copies_of.entry(v).or_default().push((cell, part, at));
                self.followers
                    .push((number, self.copy(asset, &cell, part, v)));
            }
            *corner = self.followers[at].0;
        }
        if open.triangles[t] != triangle {
            for v in triangle {
                self.touched[v as usize] = true;
            }
        }
    }

    /// Part of the corner of a cell that is nearest to a place, on its side of the blade where one cut the cell.
    pub(super) fn nearest_part(&self, asset: &LatticeAsset, corners: &Corners, place: &Vec3) -> u8 {
        let Some(part) = self.cells.part(corners) else {
            return 0;
        };
        let distance =
            |b: &usize| (asset.rest_position(corners[*b] as usize) - place).norm_squared();
        let plane = self.planes.get(&key(corners));
        let places = corners.map(|p| asset.rest_position(p as usize));
        let above = plane.map(|plane| (plane.height(place) > 0.0, plane.sides(&places, part)));
        let beyond = |b: usize| above.is_some_and(|(above, sides)| above != sides[b]);
        let nearest = (0..8).min_by(|a, b| {
            let sides = beyond(*a).cmp(&beyond(*b));
            sides.then(distance(a).total_cmp(&distance(b)))
        });
        nearest.map_or(0, |b| part[b])
    }

    /// Completes the whole skin for contact and probes: vertices that go with a part of their cell, as they are in the frame that is `drawn`, and those that are drawn
    /// elsewhere, where they are.
    pub fn write_parted(
        &self,
        asset: &LatticeAsset,
        x: &[Vec3],
        q: &[[f64; 4]],
        drawn: &SurfaceFrame,
        out: SkinPart<'_>,
    ) {
        let SkinPart { positions, normals } = out;
        for v in self.taken.iter().map(|v| *v as usize) {
            positions[v] = drawn.positions[v];
            normals[v] = drawn.normals[v];
        }
        for (v, follower) in &self.unmoved {
            let (place, normal) = follower.place(asset, x, q);
            positions[*v as usize] = place.cast::<f32>().into();
            normals[*v as usize] = normal.cast::<f32>().into();
        }
    }

    /// Completes a frame of the whole skin: its copies, caps and cut places, for particles at `x` with rotations `q`.
    pub fn write(&self, asset: &LatticeAsset, x: &[Vec3], q: &[[f64; 4]], out: &mut SurfaceFrame) {
        let Some(drawn) = &self.drawn else {
            return;
        };
        out.room_for(drawn.surface.vertex_count());
        for (v, follower) in &self.followers {
            let (place, normal) = follower.place(asset, x, q);
            out.positions[*v as usize] = place.cast::<f32>().into();
            out.normals[*v as usize] = normal.cast::<f32>().into();
        }
        drawn.write(asset, x, q, out);
    }
}
