//! Decimation: fewer, quasi-uniform triangles by collapsing edges in the order of their quadric error.
//!
//! Garland and Heckbert 1997 in double precision, with plane quadrics weighted by area and a small point quadric a vertex, which makes the optimal
//! position unique on flat parts and the triangles there equal in size; among the positions of small error the one that keeps the volume is taken (Lindstrom and Turk
//! 1998). A collapse that would change the topology (exact link condition), turn a normal, make
//! a needle or cut another part of the surface is refused; decimation then stops early. Intersections are tested below 10,000 triangles and, where a
//! surface free of crossings would get some, a second time from the start.

mod connectivity;
mod nearby;
pub(crate) mod quadric;
pub(crate) mod target;
#[cfg(test)]
mod tests;
mod work;

pub use target::DecimateTarget;

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::mesh::SurfaceMesh;
use work::{INTERSECTION_TESTS_BELOW, Work};

use crate::error::{MeshingError, positive, require_finite};
use crate::geometry::self_intersection::crossing_pairs;

/// Collapses edges until the target is met or no legal collapse is left.
///
/// A closed manifold stays closed and manifold with the same components and genus; vertices on open or branching edges stay where they are. A vertex group of the
/// result holds the vertices that stand for its former members. The same input gives the same bits. Cost O(n log n), about 5 µs a collapse.
///
/// # Errors
/// [`MeshingError::EmptyMesh`], [`MeshingError::BadSize`] (target, or coordinates that are not finite), [`MeshingError::Cancelled`].
pub fn decimate(
    surface: &SurfaceMesh,
    target: DecimateTarget,
    progress: &Progress,
) -> Result<SurfaceMesh, MeshingError> {
    let (unit, goal) = prepared(surface, target, progress)?;
    let bounds = surface.bounds();
    let (center, scale) = (bounds.center(), bounds.diagonal());
    let work = decimated(Work::new(&unit, INTERSECTION_TESTS_BELOW), goal, progress)?;
    let found = work.finish(surface, center, scale);
    // fine triangles rarely cross: intersections are tested from the start only where the first run made some
    if crosses(&found, progress)? && !crosses(surface, progress)? {
        let work = decimated(Work::new(&unit, usize::MAX), goal, progress)?;
        return Ok(work.finish(surface, center, scale));
    }
    Ok(found)
}

/// Triples of vertices of `surface` that show it with fewer triangles: each collapse takes one end of its edge to the other, so that no vertex moves. For pictures: parts may
/// cross each other. Cost as for [`decimate`].
///
/// # Errors
/// As [`decimate`].
pub fn decimate_to_vertices(
    surface: &SurfaceMesh,
    target: DecimateTarget,
    progress: &Progress,
) -> Result<Vec<[u32; 3]>, MeshingError> {
    let (unit, goal) = prepared(surface, target, progress)?;
    let work = decimated(Work::to_end_vertices(&unit), goal, progress)?;
    Ok(work.original_triangles())
}

/// The surface in the unit box, and the requested number of triangles.
fn prepared(
    surface: &SurfaceMesh,
    target: DecimateTarget,
    progress: &Progress,
) -> Result<(SurfaceMesh, usize), MeshingError> {
    progress.stage("decimating");
    if surface.triangles.is_empty() {
        return Err(MeshingError::EmptyMesh);
    }
    if let DecimateTarget::Edge(edge) = target {
        positive("the target edge length", edge)?;
    }
    let bounds = surface.bounds();
    let center = bounds.center();
    let scale = positive("the diagonal of the surface", bounds.diagonal())?;
    require_finite(&surface.positions)?;
    let goal = target.triangles(surface);
    if matches!(target, DecimateTarget::Triangles(_)) {
        positive("the target number of triangles", goal as f64)?;
    }
    // all tests run in the unit box, so they do not depend on the unit of length
    let mut unit = surface.clone();
    for p in &mut unit.positions {
        *p = (*p - center) / scale;
    }
    Ok((unit, goal))
}

fn crosses(surface: &SurfaceMesh, progress: &Progress) -> Result<bool, Cancelled> {
    Ok(!crossing_pairs(surface, progress)?.is_empty())
}

fn decimated(mut work: Work, goal: usize, progress: &Progress) -> Result<Work, Cancelled> {
    let first = work.surface.mesh.live;
    loop {
        let before = work.surface.mesh.live;
        work.round(goal, |live| {
            progress.set_fraction((first - live) as f64 / (first - goal.min(first)).max(1) as f64);
            progress.check()
        })?;
        if work.surface.mesh.live <= goal || work.surface.mesh.live == before {
            break;
        }
    }
    progress.set_fraction(1.0);
    Ok(work)
}
