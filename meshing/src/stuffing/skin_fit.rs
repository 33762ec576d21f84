//! Boundary nodes where the boundary is the skin in the mean: least squares over the skin.
//!
//! A boundary whose nodes lie on the closest points of the skin cuts off what is thinner than its edges: of the tip of a fin a mesh of usual size has lost a quarter to a half of the
//! volume, and most of its stiffness. Here each node `v` goes where the distances of the skin around it vanish in the mean, `Σ_s A_s w_sv (x_s − y_s) = 0` over points `x_s` of
//! the skin with areas `A_s` and their closest points `y_s` of the boundary with weights `w_sv`: the gradient of `½ Σ A_s |x_s − y_s|²`, so that tips reach out and curved faces keep
//! their volume.

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceMesh, TetMesh, TriangleTree};
use rayon::prelude::*;

use crate::error::MeshingError;
use crate::solid::MeshSolid;
use crate::stuffing::fitting::Fitting;
use crate::stuffing::pull::{ANGLE_RANGE, sweep_towards};

/// Sweeps over all nodes.
const SWEEPS: usize = 12;
/// Distance of points of the skin over the mean edge of the boundary, and most parts of an edge of the skin.
const SPACING: f64 = 0.3;
const MOST_PARTS: usize = 8;
/// Farthest that the skin may be from the boundary to count, in mean edges.
const REACH: f64 = 1.5;

/// A point of the skin.
struct Sample {
    /// m
    at: Vec3,
    /// Area around it times the normal there, m².
    area: Vec3,
}

/// Moves the boundary nodes of `mesh`, which is fitted to `surface` already, as far as its angles allow. The same bits for any number of threads.
///
/// # Errors
/// [`MeshingError::Cancelled`].
pub(crate) fn fit_to_skin(
    mesh: TetMesh,
    solid: &MeshSolid,
    surface: &SurfaceMesh,
    progress: &Progress,
) -> Result<TetMesh, MeshingError> {
    let mut fitting = Fitting::new(mesh, solid, ANGLE_RANGE);
    let samples = samples(surface, SPACING * fitting.edge);
    for _ in 0..SWEEPS {
        progress.check()?;
        let targets = targets(&fitting.surface, &samples, REACH * fitting.edge);
        sweep_towards(&mut fitting, &targets, 1.0);
    }
    Ok(fitting.into_mesh())
}

/// Points spread over `surface`, no farther from each other than about `spacing` (m).
fn samples(surface: &SurfaceMesh, spacing: f64) -> Vec<Sample> {
    let mut samples = Vec::new();
    for t in 0..surface.triangles.len() {
        let [a, b, c] = surface.corners(t);
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        let parts = ((longest / spacing).ceil() as usize).clamp(1, MOST_PARTS);
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

/// Where each boundary vertex should go: `None` where the skin says nothing.
fn targets(boundary: &SurfaceMesh, samples: &[Sample], reach: f64) -> Vec<Option<Vec3>> {
    let tree = TriangleTree::new(&boundary.positions, &boundary.triangles);
    let found: Vec<_> = samples
        .par_iter()
        .map(|sample| {
            let closest = tree.closest_within(&sample.at, reach)?;
            // the other side of a thin wall says nothing
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
    let places = boundary.positions.iter().zip(sums);
    places
        .map(|(x, (gap, area))| (area > 0.0).then(|| x + gap / area))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lod::boundary_level;
    use crate::stuffing::Stuffing;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    /// A fin: a plate that gets thinner towards its upper end.
    fn fin() -> SurfaceMesh {
        let mut skin = box_surface(
            Vec3::new(0.2, 0.3, 0.04),
            [20, 30, 4],
            CellStyle::Alternating,
        );
        for x in &mut skin.positions {
            x.z *= 1.0 - 0.85 * (x.y + 0.15) / 0.3;
        }
        skin
    }

    /// Volume above height `y`, m³, over columns of points.
    fn volume_above(mesh: &TetMesh, y: f64) -> f64 {
        (0..mesh.tets.len())
            .map(|t| mesh.corners(t))
            .filter(|corners| corners.iter().sum::<Vec3>().y / 4.0 > y)
            .map(|[a, b, c, d]| (b - a).cross(&(c - a)).dot(&(d - a)).abs() / 6.0)
            .sum()
    }

    #[test]
    fn the_thin_end_of_a_fin_keeps_its_volume() {
        let skin = fin();
        let progress = Progress::new();
        let level = boundary_level(&skin, 300, &Stuffing, &progress).expect("a level");
        // thickness 0.04 (1 - 0.85 (y + 0.15) / 0.3) over a width of 0.2, from y = 0.05 to 0.15
        let exact = 0.2 * 0.1 * 0.04 * 0.5 * ((1.0 - 0.85 * 2.0 / 3.0) + 0.15);
        let found = volume_above(&level.mesh, 0.05) / exact;
        assert!((found - 1.0).abs() < 0.1, "{found}");
    }
}
