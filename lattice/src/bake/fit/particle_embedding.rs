//! Embedding of the particles of a lattice in the tetrahedra of the same body.

use pliant_core::math::Vec3;
use pliant_core::math::barycentric::tetrahedron_weights;
use pliant_core::mesh::embedding::embed_in_tets;
use pliant_core::mesh::{SkinEmbedding, SurfaceMesh, TetMesh};

use crate::asset::LatticeAsset;
use crate::asset::sites::Sites;

/// Smallest barycentric coordinate inside of a tetrahedron, with round-off.
const ROUND_OFF: f64 = -1e-9;

/// Weights of the nodes of `mesh` for each particle: the barycentric coordinates in its tetrahedron, or extrapolated from the nearest one.
pub(super) fn embed_particles(mesh: &TetMesh, asset: &LatticeAsset) -> SkinEmbedding {
    let sites = Sites::of_asset(asset);
    let first = Vec3::from(asset.sites[0].map(f64::from)) * asset.cell;
    let corner = asset.rest_position(0) - first;
    let count = asset.particle_count();
    // least coordinate, tetrahedron and weights of the best one so far
    let mut found: Vec<Option<(f64, u32, [f64; 4])>> = vec![None; count];
    for t in 0..mesh.tets.len() {
        let corners = mesh.corners(t);
        let ends = |axis: usize| {
            let all = corners
                .iter()
                .map(|x| (x[axis] - corner[axis]) / asset.cell);
            let low = all.clone().fold(f64::INFINITY, f64::min);
            let high = all.fold(f64::NEG_INFINITY, f64::max);
            low.ceil() as i64..=high.floor() as i64
        };
        let [xs, ys, zs] = [ends(0), ends(1), ends(2)];
        for (z, y) in zs.flat_map(|z| ys.clone().map(move |y| (z, y))) {
            for p in xs.clone().flat_map(|x| sites.particles([x, y, z])) {
                let at = asset.rest_position(p as usize);
                let Some(weights) = tetrahedron_weights(&at, corners) else {
                    continue;
                };
                let least = weights.iter().copied().fold(f64::INFINITY, f64::min);
                let slot = &mut found[p as usize];
                if least > ROUND_OFF && slot.is_none_or(|(best, _, _)| least > best) {
                    *slot = Some((least, t as u32, weights));
                }
            }
        }
    }
    let outside = (0..count).filter(|&p| found[p].is_none());
    let points: Vec<Vec3> = outside.map(|p| asset.rest_position(p)).collect();
    let points = SurfaceMesh::new(points, Vec::new());
    let beyond = embed_in_tets(&points, mesh, &mesh.boundary());
    let mut next = 0;
    SkinEmbedding::from_rows(found.into_iter().map(|found| {
        if let Some((_, t, weights)) = found {
            let row = mesh.tets[t as usize].into_iter().zip(weights).collect();
            return (row, 0.0);
        }
        let row = beyond.entries(next).collect();
        next += 1;
        (row, 0.0)
    }))
}
