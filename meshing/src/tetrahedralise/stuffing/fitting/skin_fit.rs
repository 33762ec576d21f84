//! Fits the boundary to the skin by least squares over the skin.
//!
//! A boundary whose nodes lie on the closest points of the skin cuts off what is thinner than its edges: at the tip of a fin a mesh of usual size loses a quarter to a half of the
//! volume, and most of the stiffness. Here each node `v` moves to where the distances of the skin around it vanish in the mean, `Σ_s A_s w_sv (x_s − y_s) = 0` over points `x_s` of
//! the skin with areas `A_s` and their closest points `y_s` of the boundary with weights `w_sv`: the gradient of `½ Σ A_s |x_s − y_s|²`, so that tips are covered and curved faces keep
//! their volume.

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceMesh, TetMesh, TriangleTree};
use rayon::prelude::*;

use super::angle_ranges::ANGLE_RANGE;
use super::fitted_mesh::Fitting;
use super::pull::sweep_towards;
use crate::error::MeshingError;
use crate::geometry::solid::MeshSolid;

/// Sweeps over all nodes.
const SWEEPS: usize = 12;
/// Distance between sample points of the skin over the mean edge of the boundary.
const SAMPLE_SPACING: f64 = 0.3;
/// Largest number of parts that an edge of the skin is divided into.
const MAX_PARTS: usize = 8;
/// Skin farther than this from the boundary is ignored, in mean edges.
const MAX_DISTANCE: f64 = 1.5;

/// A point of the skin.
struct Sample {
    /// m
    at: Vec3,
    /// Area around it times the normal there, m².
    area: Vec3,
}

/// Moves the boundary nodes of `mesh`, which is fitted to `surface` already, as far as its angles allow and without self-intersections. The same bits for any number of threads.
///
/// # Errors
/// [`MeshingError::Cancelled`].
pub(crate) fn fit_to_skin(
    mesh: TetMesh,
    solid: &MeshSolid,
    surface: &SurfaceMesh,
    progress: &Progress,
) -> Result<TetMesh, MeshingError> {
    let start = mesh.clone();
    let mut fitting = Fitting::new(mesh, solid, ANGLE_RANGE);
    let samples = samples(surface, SAMPLE_SPACING * fitting.edge);
    for _ in 0..SWEEPS {
        progress.check()?;
        let targets = targets(&fitting.surface, &samples, MAX_DISTANCE * fitting.edge);
        sweep_towards(&mut fitting, &targets, 1.0);
    }
    if !fitting.undo_self_intersections(&start, progress)? {
        return Ok(start);
    }
    Ok(fitting.into_mesh().0)
}

/// Points spread over `surface`, no farther from each other than about `spacing` (m).
fn samples(surface: &SurfaceMesh, spacing: f64) -> Vec<Sample> {
    let mut samples = Vec::new();
    for t in 0..surface.triangles.len() {
        let [a, b, c] = surface.corners(t);
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        let parts = ((longest / spacing).ceil() as usize).clamp(1, MAX_PARTS);
        let area = surface.area_vector(t) / (parts * parts) as f64;
        let step = 1.0 / parts as f64;
        for i in 0..parts {
            for j in 0..parts - i {
                let mut add = |shift: f64| {
                    let (u, v) = ((i as f64 + shift) * step, (j as f64 + shift) * step);
                    let at = a + (b - a) * u + (c - a) * v;
                    samples.push(Sample { at, area });
                };
                // the centroids of the small triangles that point up, and of those that point down
                add(1.0 / 3.0);
                if i + j + 1 < parts {
                    add(2.0 / 3.0);
                }
            }
        }
    }
    samples
}

/// Where each boundary vertex should go: `None` where no skin is near.
fn targets(boundary: &SurfaceMesh, samples: &[Sample], reach: f64) -> Vec<Option<Vec3>> {
    let tree = TriangleTree::new(&boundary.positions, &boundary.triangles);
    let found: Vec<_> = samples
        .par_iter()
        .map(|sample| {
            let closest = tree.closest_within(&sample.at, reach)?;
            // the other side of a thin wall does not count
            let facing = boundary
                .area_vector(closest.triangle as usize)
                .dot(&sample.area);
            (facing > 0.0).then_some(closest)
        })
        .collect();
    let mut sums = vec![(Vec3::zeros(), 0.0); boundary.vertex_count()];
    for (sample, closest) in samples.iter().zip(&found) {
        let Some(closest) = closest else { continue };
        let (area, gap) = (sample.area.norm(), sample.at - closest.point);
        let corners = boundary.triangles[closest.triangle as usize];
        for (v, weight) in corners.into_iter().zip(closest.weights) {
            let sum = &mut sums[v as usize];
            sum.0 += gap * (area * weight);
            sum.1 += area * weight;
        }
    }
    let vertices = boundary.positions.iter().zip(sums);
    vertices
        .map(|(x, (gap, area))| (area > 0.0).then(|| x + gap / area))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_bodies::mapped;
    use crate::tetrahedralise::mesher::{TetMesher, TetTarget};
    use crate::tetrahedralise::stuffing::mesher::Stuffing;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};
    use pliant_core::mesh::quality::tet_quality;

    /// A flat ellipsoid, whose rim is thinner than the tetrahedra.
    fn lens() -> SurfaceMesh {
        let cube = box_surface(Vec3::repeat(1.0), [16; 3], CellStyle::Alternating);
        let radii = Vec3::new(0.1, 0.15, 0.02);
        mapped(cube, |x| x.normalize().component_mul(&radii))
    }

    /// Root of the mean square of the distances of the skin's vertices from the boundary, m.
    fn distance(skin: &SurfaceMesh, mesh: &TetMesh) -> f64 {
        let boundary = mesh.boundary().surface;
        let tree = TriangleTree::new(&boundary.positions, &boundary.triangles);
        let closest = skin.positions.iter().filter_map(|x| tree.closest(x));
        let squares: Vec<f64> = closest.map(|c| c.distance_squared).collect();
        assert_eq!(squares.len(), skin.vertex_count());
        (squares.iter().sum::<f64>() / squares.len() as f64).sqrt()
    }

    #[test]
    fn the_skin_is_nearer_afterwards_and_angles_hold() {
        let (skin, progress) = (lens(), Progress::new());
        let solid = MeshSolid::new(&skin).expect("closed");
        for nodes in [320_usize, 520] {
            let target = TetTarget::Nodes(nodes);
            let mesh = Stuffing.tetrahedralise(&skin, target, &progress);
            let mesh = mesh.expect("a mesh");
            let fitted = fit_to_skin(mesh.clone(), &solid, &skin, &progress).expect("fitted");
            assert_eq!(fitted.tets, mesh.tets);
            let gain = distance(&skin, &fitted) / distance(&skin, &mesh);
            assert!(gain < 0.9, "{nodes}: {gain}");
            let (before, after) = (tet_quality(&mesh), tet_quality(&fitted));
            let lowest = before.min_dihedral.min(ANGLE_RANGE.0);
            assert!(after.min_dihedral > lowest - 1e-6 && after.min_volume > 0.0);
        }
    }
}
