//! Pairs of triangles that cross.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};
use rayon::prelude::*;

use super::triangle_crossing::cross;
use crate::report::facts::Facts;

/// The search ends after this many pairs.
pub(crate) const MAX_PAIRS: usize = 10_000;

/// Pairs of triangles that share no edge and cross or overlap, ascending; at most [`MAX_PAIRS`]. Cost O(n log n) on clean surfaces.
pub(crate) fn crossing_pairs(
    surface: &SurfaceMesh,
    progress: &Progress,
) -> Result<Vec<[u32; 2]>, Cancelled> {
    const CHUNK: usize = 256;
    let count = surface.triangles.len();
    let tree = TriangleTree::new(&surface.positions, &surface.triangles);
    let mut pairs = Vec::new();
    for start in (0..count).step_by(CHUNK) {
        progress.check()?;
        let found: Vec<Vec<[u32; 2]>> = (start..count.min(start + CHUNK))
            .into_par_iter()
            .map(|t| crossing_triangles(surface, &tree, t))
            .collect();
        pairs.extend(found.into_iter().flatten());
        if pairs.len() >= MAX_PAIRS {
            pairs.truncate(MAX_PAIRS);
            break;
        }
    }
    Ok(pairs)
}

fn crossing_triangles(surface: &SurfaceMesh, tree: &TriangleTree, t: usize) -> Vec<[u32; 2]> {
    let mine = surface.triangles[t];
    let corners = surface.corners(t);
    let mut found = Vec::new();
    tree.overlapping(&Aabb::of_points(&corners), |u| {
        let theirs = surface.triangles[u as usize];
        if u as usize > t
            && found.len() < MAX_PAIRS
            && mine.iter().filter(|v| theirs.contains(v)).count() < 2
            && cross(corners, surface.corners(u as usize))
        {
            found.push([t as u32, u]);
        }
    });
    found.sort_unstable();
    found
}

/// Pairs of triangles that cross, and whether some triangle is there twice.
pub(crate) fn crossings(
    surface: &SurfaceMesh,
    progress: &Progress,
) -> Result<(usize, bool), Cancelled> {
    let facts = Facts::of(surface);
    progress.stage("looking for self-intersections");
    let pairs = crossing_pairs(&facts.welded, progress)?;
    Ok((pairs.len(), !facts.duplicate_faces.is_empty()))
}
