//! The skin of a broken body: cut open along parted cells, with caps that show the inside.
//!
//! A triangle belongs to one part of a parted cell: that of the corner nearest to the centroid of the triangle at rest. A vertex in a parted cell has a copy for each
//! part that one of its triangles belongs to. A copy follows the corners of its part alone and turns with their regions. Caps
//! lie halfway between the ends of broken links along the axes, a polygon on either side. Their corners are the centres of the cells around
//! the link, or points of the skin where a centre is outside of the body. [`pliant_core::mesh::seam`] joins the caps to the skin.
//!
//! The first vertices are those of the skin, in its order. Where a blade cut, caps lie in its plane and the skin ends there ([`super::lips`]). Elsewhere the edge of
//! a cut follows the edges of triangles.

use std::collections::{BTreeMap, BTreeSet};

use pliant_core::math::Vec3;
use pliant_core::mesh::adjacency::vertex_triangles;
use pliant_core::mesh::{Csr, SkinPart, SurfaceFrame, SurfaceMesh, TriangleTree};

use crate::asset::LatticeAsset;
use crate::asset::sites::Sites;
use crate::fracture::cells::{Cells, Corners, cells_around};
use crate::fracture::skin::centroid_cells::{CentroidCells, cell_of};
use crate::fracture::skin::closed_surface::ClosedSurface;
use crate::fracture::skin::plane::Plane;
use crate::fracture::skin::vertex_binding::{
    CapCorner, VertexBinding, cell_center, cell_key, sorted_ends,
};

/// The part of a vertex that is bound to all corners of a cell.
pub(super) const WHOLE_CELL: u8 = u8::MAX;

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
    /// vertices of each cell, by [`cell_key`]
    pub(super) vertices: BTreeMap<[u32; 2], Vec<u32>>,
    /// triangles of each vertex
    stars: Csr,
    centroid_cells: CentroidCells,
    pub(super) normals: Vec<Vec3>,
    pub(super) tree: TriangleTree,
    /// the skin with copied vertices, without caps; absent until a cell is parted
    open: Option<SurfaceMesh>,
    /// for each of its vertices beyond those of the skin, the original
    pub(super) copied: Vec<u32>,
    /// vertices of the skin with a changed triangle
    pub(super) changed_vertices: Vec<bool>,
    pub(super) cap_corners: BTreeMap<CapCorner, VertexBinding>,
    closed_surface: Option<ClosedSurface>,
    /// vertices of `open` that do not follow their whole cell, and their bindings
    pub(super) bindings: Vec<(u32, VertexBinding)>,
    /// index into `bindings` of each copy: by cell, part, vertex
    copies: BTreeMap<([u32; 2], u8, u32), usize>,
    /// the same by vertex: cell, part, index
    pub(super) copies_of: BTreeMap<u32, Vec<(Corners, u8, usize)>>,
    /// vertices whose own number one of their copies has taken
    pub(super) taken_numbers: BTreeSet<u32>,
    /// bindings for contact, of vertices in parted cells that are drawn with another binding
    pub(super) contact_bindings: BTreeMap<u32, VertexBinding>,
    /// points at which blades cut links, by the ends of these, at rest, m
    pub(super) cut_points: BTreeMap<[u32; 2], Vec3>,
    /// planes in which blades cut cells
    pub(super) planes: BTreeMap<[u32; 2], Plane>,
    pub(super) cuts: Vec<Cut>,
    /// indices into `cuts`, by cell
    cuts_of_cell: BTreeMap<[u32; 2], Vec<usize>>,
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
            vertices
                .entry(cell_key(&corners))
                .or_default()
                .push(v as u32);
        }
        Some(Self {
            whole: whole.clone(),
            cells: Cells::default(),
            vertices,
            stars: vertex_triangles(skin.vertex_count(), &skin.triangles),
            centroid_cells: CentroidCells::new(asset, whole),
            normals: skin.vertex_normals(),
            tree: TriangleTree::new(&skin.positions, &skin.triangles),
            open: None,
            copied: Vec::new(),
            changed_vertices: vec![false; skin.vertex_count()],
            cap_corners: BTreeMap::new(),
            closed_surface: None,
            bindings: Vec::new(),
            copies: BTreeMap::new(),
            copies_of: BTreeMap::new(),
            taken_numbers: BTreeSet::new(),
            contact_bindings: BTreeMap::new(),
            cut_points: BTreeMap::new(),
            planes: BTreeMap::new(),
            cuts: Vec::new(),
            cuts_of_cell: BTreeMap::new(),
        })
    }

    /// The surface to draw; `None` while no cell is parted.
    pub fn closed_surface(&self) -> Option<&ClosedSurface> {
        self.closed_surface.as_ref()
    }

    /// Updates the skin after links broke; `fractions` says where along each link a blade cut it, if one did. Cost: some ten microseconds a cell that parts, a copy of the skin, and about a microsecond a cap.
    pub fn update(
        &mut self,
        asset: &LatticeAsset,
        sites: &Sites,
        links: &[[u32; 2]],
        fractions: &[Option<f64>],
    ) {
        for (&[p, q], fraction) in links.iter().zip(fractions) {
            if let Some(fraction) = fraction {
                let [from, to] = [p, q].map(|k| asset.rest_position(k as usize));
                self.cut_points
                    .insert(sorted_ends([p, q]), from + (to - from) * *fraction);
            }
        }
        for &[p, q] in links {
            let (a, b) = (asset.sites[p as usize], asset.sites[q as usize]);
            if (0..3).filter(|&k| a[k] != b[k]).count() == 1 {
                let around = cells_around(&self.whole, [p, q]);
                for cell in &around {
                    self.cuts_of_cell
                        .entry(cell_key(cell))
                        .or_default()
                        .push(self.cuts.len());
                }
                self.cuts.push(Cut {
                    ends: [p, q],
                    around,
                });
            }
        }
        let changed = self.cells.update(&self.whole, sites, links);
        if changed.is_empty() {
            return;
        }
        let mut open = self
            .open
            .take()
            .unwrap_or_else(|| SurfaceMesh::clone(&asset.skin));
        let mut triangles: BTreeSet<u32> = BTreeSet::new();
        let mut vertices: BTreeSet<u32> = BTreeSet::new();
        for cell in &changed {
            self.find_plane(asset, cell);
            self.rebind_copies(asset, cell, &mut vertices);
            triangles.extend(self.centroid_cells.triangles(cell));
            for &v in self.vertices.get(&cell_key(cell)).into_iter().flatten() {
                triangles.extend(self.star(v));
            }
        }
        for t in triangles {
            self.split_triangle(asset, t as usize, &mut open);
            vertices.extend(&asset.skin.triangles[t as usize]);
        }
        self.draw_lips(asset, &vertices, &mut open);
        self.update_contact_bindings(asset, &changed, vertices);
        let cuts = changed
            .iter()
            .filter_map(|cell| self.cuts_of_cell.get(&cell_key(cell)));
        // corners of caps lie in the planes of the cells around their links
        let around = cuts.flatten().flat_map(|&cut| &self.cuts[cut].around);
        let stale: BTreeSet<[u32; 2]> = around.map(cell_key).collect();
        self.cap_corners
            .retain(|(cell, ..), _| !stale.contains(cell));
        self.closed_surface = Some(self.close_with_caps(asset, &open));
        self.open = Some(open);
    }

    /// Triangles of a vertex of the skin.
    pub(super) fn star(&self, v: u32) -> &[u32] {
        self.stars.row(v as usize)
    }

    /// Binds the copies in a cell to its present parts, and adds their originals to `vertices`.
    fn rebind_copies(
        &mut self,
        asset: &LatticeAsset,
        cell: &Corners,
        vertices: &mut BTreeSet<u32>,
    ) {
        let all = (cell_key(cell), 0, 0)..=(cell_key(cell), u8::MAX, u32::MAX);
        for (&(_, part, v), &at) in self.copies.range(all) {
            self.bindings[at].1 = self.bind_to_part(asset, cell, part, v);
            vertices.insert(v);
        }
    }

    /// The binding of a vertex of the skin to a part of a cell, which need not be its own cell.
    pub(super) fn bind_to_part(
        &self,
        asset: &LatticeAsset,
        cell: &Corners,
        part: u8,
        v: u32,
    ) -> VertexBinding {
        let (rest, normal) = (asset.skin.positions[v as usize], self.normals[v as usize]);
        self.bind(asset, (cell, part), rest, normal)
    }

    /// The binding of a point at `rest` (m) to a part of a cell. In a whole cell, where a cut ends, it is to all corners.
    pub(super) fn bind(
        &self,
        asset: &LatticeAsset,
        (cell, part): (&Corners, u8),
        rest: Vec3,
        normal: Vec3,
    ) -> VertexBinding {
        let parts = self.cells.part(cell).filter(|_| part != WHOLE_CELL);
        let member = |b: usize| parts.is_none_or(|parts| parts[b] == part);
        VertexBinding::new(asset, cell, member, rest, normal)
    }

    /// Replaces the vertices of a triangle by their copies on its side of the cuts.
    fn split_triangle(&mut self, asset: &LatticeAsset, t: usize, open: &mut SurfaceMesh) {
        let skin = &asset.skin;
        let triangle = skin.triangles[t];
        let centroid = triangle
            .iter()
            .map(|&v| skin.positions[v as usize])
            .sum::<Vec3>()
            / 3.0;
        let cell_of = |v: u32| cell_of(asset, v);
        let distance = |c: &Corners| (cell_center(asset, c) - centroid).norm_squared();
        let parted = triangle
            .map(cell_of)
            .into_iter()
            .chain(self.centroid_cells.cell(t as u32))
            .filter(|c| self.cells.part(c).is_some());
        let Some(anchor) = parted.min_by(|a, b| distance(a).total_cmp(&distance(b))) else {
            return;
        };
        let side = self.nearest_part(asset, &anchor, &centroid);
        let members = |c: &Corners, side: u8| {
            let part = self.cells.part(c).copied().unwrap_or([side; 8]);
            (0..8)
                .filter(move |&b| part[b] == side)
                .map(|b| c[b])
                .collect::<Vec<u32>>()
        };
        let side_particles = members(&anchor, side);
        let mut targets = triangle.map(|v| (cell_of(v), 0, v));
        for (cell, part, _) in &mut targets {
            *part = self.nearest_part(asset, cell, &centroid);
            let own = members(cell, *part);
            if !own.iter().any(|p| side_particles.contains(p)) {
                // the triangle reaches across the cut
                (*cell, *part) = (anchor, side);
            }
        }
        for (corner, (cell, part, v)) in open.triangles[t].iter_mut().zip(targets) {
            if self.cells.part(&cell).is_none() {
                *corner = v;
                continue;
            }
            let next = self.bindings.len();
            let at = *self
                .copies
                .entry((cell_key(&cell), part, v))
                .or_insert(next);
            if at == next {
                let own = cell == cell_of(v) && self.taken_numbers.insert(v);
                let number = if own { v } else { open.positions.len() as u32 };
                if !own {
                    open.positions.push(skin.positions[v as usize]);
                    self.copied.push(v);
                }
                self.copies_of.entry(v).or_default().push((cell, part, at));
                self.bindings
                    .push((number, self.bind_to_part(asset, &cell, part, v)));
            }
            *corner = self.bindings[at].0;
        }
        if open.triangles[t] != triangle {
            for v in triangle {
                self.changed_vertices[v as usize] = true;
            }
        }
    }

    /// Part of the corner of a cell that is nearest to a point. Where a blade cut the cell, corners on the side of the point have priority.
    pub(super) fn nearest_part(&self, asset: &LatticeAsset, corners: &Corners, place: &Vec3) -> u8 {
        let Some(part) = self.cells.part(corners) else {
            return 0;
        };
        let distance =
            |b: &usize| (asset.rest_position(corners[*b] as usize) - place).norm_squared();
        let plane = self.planes.get(&cell_key(corners));
        let positions = corners.map(|p| asset.rest_position(p as usize));
        let above = plane.map(|plane| (plane.height(place) > 0.0, plane.sides(&positions, part)));
        let beyond = |b: usize| above.is_some_and(|(above, sides)| above != sides[b]);
        let nearest = (0..8).min_by(|a, b| {
            let sides = beyond(*a).cmp(&beyond(*b));
            sides.then(distance(a).total_cmp(&distance(b)))
        });
        nearest.map_or(0, |b| part[b])
    }

    /// Corrects the whole skin for contact and probes: vertices of which a copy has taken the number, as in the `drawn` frame, and those that contact binds in another way than they are
    /// drawn.
    pub fn write_contact_vertices(
        &self,
        asset: &LatticeAsset,
        x: &[Vec3],
        q: &[[f64; 4]],
        drawn: &SurfaceFrame,
        out: SkinPart<'_>,
    ) {
        let SkinPart { positions, normals } = out;
        for v in self.taken_numbers.iter().map(|v| *v as usize) {
            positions[v] = drawn.positions[v];
            normals[v] = drawn.normals[v];
        }
        for (v, binding) in &self.contact_bindings {
            let (place, normal) = binding.position_and_normal(asset, x, q);
            positions[*v as usize] = place.cast::<f32>().into();
            normals[*v as usize] = normal.cast::<f32>().into();
        }
    }

    /// Adds copies and caps to a frame of the whole skin, for particles at `x` with rotations `q`.
    pub fn write(&self, asset: &LatticeAsset, x: &[Vec3], q: &[[f64; 4]], out: &mut SurfaceFrame) {
        let Some(closed) = &self.closed_surface else {
            return;
        };
        out.room_for(closed.undeformed.surface.vertex_count());
        for (v, binding) in &self.bindings {
            let (place, normal) = binding.position_and_normal(asset, x, q);
            out.positions[*v as usize] = place.cast::<f32>().into();
            out.normals[*v as usize] = normal.cast::<f32>().into();
        }
        closed.write(asset, x, q, out);
    }
}
