//! Sharp lines of a surface: base edges and samples run along them instead of across.

use std::collections::BTreeMap;

use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::UnionFind;

use crate::remeshing::subdivide::{EdgeTable, SharpEdges};

/// An edge is sharp where the surface bends by more than this, degrees.
pub(crate) const SHARP_DEG: f64 = 40.0;
/// Parts between sharp lines with less than this share of the area are merged with a neighbour.
const MIN_PATCH_SHARE: f64 = 0.001;
/// Most rounds of merging small parts.
const ROUNDS: usize = 12;
/// A line that turns by more than the angle of this cosine has a corner there.
const CORNER_COSINE: f64 = 0.5;

/// The sharp lines of a closed surface.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Creases {
    /// other ends of the sharp edges at each vertex, ascending
    pub(crate) sharp_neighbours: Vec<Vec<u32>>,
    /// vertices where lines end, branch or turn, which stay where they are
    pub(crate) is_corner: Vec<bool>,
    /// number of the part between sharp lines that a triangle belongs to
    pub(crate) patch: Vec<u32>,
}

impl Creases {
    /// No sharp line.
    pub(crate) fn none(surface: &SurfaceMesh) -> Self {
        Self {
            sharp_neighbours: vec![Vec::new(); surface.vertex_count()],
            is_corner: vec![false; surface.vertex_count()],
            patch: vec![0; surface.triangles.len()],
        }
    }

    /// The lines along which `surface` bends by more than 40 degrees and which divide it into parts of some size.
    ///
    /// Lines that end inside a part and those around small parts are dropped.
    pub(crate) fn of(surface: &SurfaceMesh) -> Self {
        let mut found = Self::none(surface);
        let table = EdgeTable::new(surface.vertex_count(), &surface.triangles);
        let faces = table.faces();
        let sharp = SharpEdges::from_angle(surface, SHARP_DEG);
        let mut sharp: Vec<bool> = (table.ends.iter()).map(|&e| sharp.contains(e)).collect();
        let min_area = MIN_PATCH_SHARE * surface.area();
        for _ in 0..ROUNDS {
            found.patch = patches(&table, &faces, &sharp);
            let into = merged_patches(surface, &table, &faces, &found.patch, min_area);
            let mut changed = false;
            for (e, sharp) in sharp.iter_mut().enumerate() {
                let [p, q] = faces[e].map(|t| into[found.patch[t as usize] as usize]);
                changed |= *sharp && p == q;
                *sharp &= p != q;
            }
            if !changed {
                break;
            }
        }
        found.patch = patches(&table, &faces, &sharp);
        for (&[a, b], _) in (table.ends.iter().zip(&sharp)).filter(|(_, sharp)| **sharp) {
            found.sharp_neighbours[a as usize].push(b);
            found.sharp_neighbours[b as usize].push(a);
        }
        for (v, ends) in found.sharp_neighbours.iter_mut().enumerate() {
            ends.sort_unstable();
            found.is_corner[v] = match ends[..] {
                [] => false,
                [a, b] => {
                    let edge = |w: u32| surface.positions[w as usize] - surface.positions[v];
                    let (p, q) = (edge(a), edge(b));
                    -p.dot(&q) < CORNER_COSINE * p.norm() * q.norm()
                }
                _ => true,
            };
        }
        found
    }

    /// Vertices that stay where they are.
    pub(crate) fn corners(&self) -> usize {
        self.is_corner.iter().filter(|c| **c).count()
    }
}

/// Parts that are connected without crossing a sharp edge, numbered in the order of their first triangles.
fn patches(table: &EdgeTable, faces: &[[u32; 2]], sharp: &[bool]) -> Vec<u32> {
    let mut patch = vec![u32::MAX; table.of_face.len()];
    let mut stack = Vec::new();
    let mut count = 0;
    for seed in 0..patch.len() {
        if patch[seed] != u32::MAX {
            continue;
        }
        patch[seed] = count;
        stack.push(seed as u32);
        while let Some(t) = stack.pop() {
            for &e in table.of_face[t as usize]
                .iter()
                .filter(|&&e| !sharp[e as usize])
            {
                for &next in &faces[e as usize] {
                    if patch[next as usize] == u32::MAX {
                        patch[next as usize] = count;
                        stack.push(next);
                    }
                }
            }
        }
        count += 1;
    }
    patch
}

/// For each part the one that it is joined to: a part smaller than `min_area` to the neighbour with which it has the longest border.
fn merged_patches(
    surface: &SurfaceMesh,
    table: &EdgeTable,
    faces: &[[u32; 2]],
    patch: &[u32],
    min_area: f64,
) -> Vec<u32> {
    let count = patch.iter().max().map_or(0, |&p| p as usize + 1);
    let mut area = vec![0.0; count];
    for (t, &p) in patch.iter().enumerate() {
        area[p as usize] += 0.5 * surface.area_vector(t).norm();
    }
    let mut border: Vec<BTreeMap<u32, f64>> = vec![BTreeMap::new(); count];
    for (pair, &[a, b]) in faces.iter().zip(&table.ends) {
        let [p, q] = pair.map(|t| patch[t as usize]);
        if p != q {
            let edge = surface.positions[a as usize] - surface.positions[b as usize];
            *border[p as usize].entry(q).or_default() += edge.norm();
            *border[q as usize].entry(p).or_default() += edge.norm();
        }
    }
    let mut small: Vec<usize> = (0..count).filter(|&p| area[p] < min_area).collect();
    small.sort_unstable_by(|&p, &q| area[p].total_cmp(&area[q]).then(p.cmp(&q)));
    let mut parts = UnionFind::new(count);
    let mut taken = vec![false; count];
    for p in small {
        let longest = border[p].iter().max_by(|x, y| x.1.total_cmp(y.1));
        if let Some((&q, _)) = longest
            && !taken[p]
        {
            parts.join(p as u32, q);
            taken[q as usize] = true;
        }
    }
    (0..count as u32).map(|p| parts.find(p)).collect()
}
