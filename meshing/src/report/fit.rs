//! Checks whether levels of tetrahedra show the body.

use pliant_core::mesh::{SurfaceMesh, TriangleTree};
use rayon::prelude::*;

use crate::error::MeshingError;
use crate::geometry::fidelity::{LOST_DISTANCE, even_samples};
use crate::geometry::solid::MeshSolid;
use crate::lod::builder::level_builder::{LOST_DISTANCE_EDGES, MAX_VOLUME_RATIO};
use crate::lod::level::Level;

/// Share of the surface that the finest level may lose.
const MAX_LOST_SHARE: f64 = 0.05;
const SAMPLES: usize = 4000;

/// Refuses levels whose finest is another body than the closed `surface` encloses: parts thinner than the elements are lost or swollen.
///
/// # Errors
/// [`MeshingError::ThinnerThanResolution`] with the mean wall, the edges and the volume; [`MeshingError::LostSurface`] with how much is lost.
pub fn require_fit(surface: &SurfaceMesh, levels: &[Level]) -> Result<(), MeshingError> {
    let Some(finest) = levels.last() else {
        return Ok(());
    };
    let edge = finest.mesh.mean_edge();
    // of overlapping shells only the border counts
    let solid = MeshSolid::new(surface)?;
    let surface = solid.border().unwrap_or(surface);
    let (volume, area) = (solid.volume, surface.area());
    let ratio = finest.volume_ratio;
    if !(1.0 / MAX_VOLUME_RATIO..=MAX_VOLUME_RATIO).contains(&ratio) {
        return Err(MeshingError::ThinnerThanResolution {
            wall: 2.0 * volume / area,
            edge,
            nodes: finest.mesh.nodes.len(),
            ratio,
        });
    }
    let boundary = finest.mesh.boundary().surface;
    let tree = TriangleTree::new(&boundary.positions, &boundary.triangles);
    let edge = boundary.mean_edge();
    let lost_distance =
        (LOST_DISTANCE * surface.bounds().diagonal()).max(LOST_DISTANCE_EDGES * edge);
    let samples = even_samples(surface, SAMPLES);
    let is_lost: Vec<bool> = samples
        .par_iter()
        .map(|(p, _)| tree.closest_within(p, lost_distance).is_none())
        .collect();
    let lost_fraction = is_lost.iter().filter(|l| **l).count() as f64 / samples.len().max(1) as f64;
    if lost_fraction > MAX_LOST_SHARE {
        let first = is_lost.iter().position(|l| *l).unwrap_or(0);
        return Err(MeshingError::LostSurface {
            lost_fraction,
            lost_distance,
            edge,
            at: samples[first].0.into(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lod::by_targets::build_targets;
    use crate::test_bodies::{inverted, joined};
    use crate::tetrahedralise::mesher::TetTarget;
    use crate::tetrahedralise::stuffing::mesher::Stuffing;
    use pliant_core::asset::Progress;
    use pliant_core::math::Vec3;
    use pliant_core::mesh::procedural::CellStyle;
    use pliant_core::mesh::procedural::box_surface;

    fn fit(surface: &SurfaceMesh, nodes: usize) -> Result<(), MeshingError> {
        let targets = [TetTarget::Nodes(nodes)];
        let built = build_targets(surface, &targets, &Stuffing, &Progress::new());
        require_fit(surface, &built.expect("levels").levels)
    }

    #[test]
    fn a_block_fits_and_a_foil_and_a_lost_cavity_do_not() {
        let block = box_surface(Vec3::repeat(1.0), [6; 3], CellStyle::Kuhn);
        assert_eq!(fit(&block, 60), Ok(()));
        let foil = box_surface(Vec3::new(1.0, 1.0, 0.002), [10, 10, 1], CellStyle::Kuhn);
        match fit(&foil, 60) {
            Err(MeshingError::ThinnerThanResolution { wall, edge, .. }) => {
                assert!((wall - 0.002).abs() < 1e-4 && edge > 0.02);
            }
            other => panic!("{other:?}"),
        }
        // a flat cavity between the sites of a coarse lattice
        let slot = box_surface(Vec3::new(0.5, 0.5, 0.03), [4, 4, 1], CellStyle::Kuhn);
        let hollow = joined(&block, &inverted(slot), Vec3::z() * 0.04);
        let error = fit(&hollow, 400).expect_err("the cavity is lost");
        assert!(
            matches!(error, MeshingError::LostSurface { lost_fraction, .. } if lost_fraction > 0.06),
            "{error:?}"
        );
    }
}
