//! Where the tetrahedra of a level lie on the next coarser one.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::elasticity::quadratic::QUADRATURE_POINTS;
use pliant_core::math::Vec3;
use pliant_core::math::barycentric::tetrahedron_weights;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::adjacency::node_tets;
use rayon::prelude::*;

use crate::hierarchy::level::Level;
use crate::hierarchy::locate::deepest;
use crate::hierarchy::stencil::Stencils;

/// Distance of each quadrature point of a tetrahedron from its centre, over that of the corner that it is nearest to: `√5 / 5` (Hammer, Marlowe, Stroud 1956).
const POINT_RATIO: f64 = QUADRATURE_POINTS[0][0] - QUADRATURE_POINTS[0][1];
/// Number of quadrature points of a tetrahedron.
pub(crate) const QUADRATURE_POINT_COUNT: usize = QUADRATURE_POINTS.len();
/// Tetrahedra between two checks of the cancel flag.
const BATCH: usize = 16_384;

/// For each quadrature point of each tetrahedron of `fine` the tetrahedron of the next coarser level that contains it. `up` has the row of each fine node on the coarser
/// level; the search stays around these rows, so that it never crosses a gap.
///
/// Cost: some microseconds a tetrahedron, on all cores; part of the baked hierarchy.
///
/// # Errors
/// [`Cancelled`] when `progress` says so.
pub(crate) fn places_above(
    fine: &TetMesh,
    coarse: &Level,
    up: &Stencils,
    progress: &Progress,
) -> Result<Vec<[u32; QUADRATURE_POINT_COUNT]>, Cancelled> {
    let node_tets = node_tets(coarse.node_count(), &coarse.mesh.tets);
    let tets_above = |tet: usize| {
        let corners = fine.corners(tet);
        let centre = corners.iter().sum::<Vec3>() / 4.0;
        let mut k = 0;
        corners.map(|corner| {
            let node = fine.tets[tet][k];
            k += 1;
            let x = centre + (corner - centre) * POINT_RATIO;
            let nodes = up.row(node as usize).0;
            // most points lie at the first of these
            for n in nodes {
                let holds = |t: &&u32| holds(coarse, **t, &x);
                if let Some(&found) = node_tets.row(*n as usize).iter().find(holds) {
                    return found;
                }
            }
            let around = nodes.iter().flat_map(|n| node_tets.row(*n as usize));
            let found = deepest(&coarse.mesh, &x, around.copied());
            // a node of a checked level has tetrahedra, and these have a volume
            found.map_or(0, |found| found.tet)
        })
    };
    let mut places = Vec::with_capacity(fine.tets.len());
    for first in (0..fine.tets.len()).step_by(BATCH) {
        progress.check()?;
        let batch = first..(first + BATCH).min(fine.tets.len());
        places.par_extend(batch.into_par_iter().map(&tets_above));
    }
    Ok(places)
}

fn holds(level: &Level, tet: u32, x: &Vec3) -> bool {
    tetrahedron_weights(x, level.mesh.corners(tet as usize))
        .is_some_and(|weights| weights.into_iter().all(|w| w >= 0.0))
}
