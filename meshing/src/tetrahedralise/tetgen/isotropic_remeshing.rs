//! Isotropic remeshing without needles. A needle on the surface causes a needle in the volume, whatever the mesher: a tetrahedron on a triangle with an angle of
//! α has a ratio of circumradius to shortest edge of at least 1 / (2 sin α).
//!
//! Edges are split, collapsed and flipped (Botsch and Kobbelt 2004), and every vertex moves to the middle of its triangles as far as the planes of the
//! fine surface near it allow: freely within a flat part, along the crease at a crease, hardly at a corner.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::{SurfaceMesh, TriangleTree};

use super::sizes::Sizes;
use crate::remeshing::local_remeshing::{Remesher, smallest_angle};

/// Smallest angle of a surface that needs no remeshing, degrees.
const GOOD_ANGLE: f64 = 20.0;
/// Rounds; the last [`FINAL_ROUNDS`] only flip and move.
const ROUNDS: usize = 8;
const FINAL_ROUNDS: usize = 2;
/// Edges are split above and collapsed below these multiples of the target length.
const SPLIT_RATIO: f64 = 1.6;
const COLLAPSE_RATIO: f64 = 0.6;
/// Largest distance that a vertex moves along the normal to restore the volume, over the mean edge.
const MAX_VOLUME_SHIFT: f64 = 0.3;

/// Whether no triangle is a needle.
pub(crate) fn has_no_needles(surface: &SurfaceMesh) -> bool {
    let limit = GOOD_ANGLE.to_radians();
    (0..surface.triangles.len()).all(|t| smallest_angle(surface.corners(t)) >= limit)
}

/// `coarse` with well shaped triangles of these `sizes`, near `fine` and with its volume. `evenness` weighs the middle of the triangles against the planes of `fine`: 0.03 hardly
/// rounds a crease, 0.3 rounds it visibly. Topology is kept. Parts that come close may cross; the caller must check that.
pub(crate) fn isotropic_remesh(
    coarse: &SurfaceMesh,
    fine: &SurfaceMesh,
    sizes: &Sizes,
    evenness: f64,
    progress: &Progress,
) -> Result<SurfaceMesh, Cancelled> {
    let edge = coarse.mean_edge();
    let mut surface = SurfaceMesh::new(coarse.positions.clone(), coarse.triangles.clone());
    for round in 0..ROUNDS {
        progress.check()?;
        let mut mesh = Remesher::new(surface, edge);
        if round + FINAL_ROUNDS < ROUNDS {
            mesh.sizes = mesh.surface.positions.iter().map(|x| sizes.at(x)).collect();
            mesh.split_long(SPLIT_RATIO);
            mesh.collapse_short(COLLAPSE_RATIO, SPLIT_RATIO, |x| x);
            mesh.flip(round < ROUNDS / 2);
        }
        mesh.flip(false);
        surface = mesh.finish();
        let planes = Planes::near(&surface, fine);
        let mut mesh = Remesher::new(surface, edge);
        for v in 0..mesh.surface.positions.len() {
            let (at, middle) = (mesh.surface.positions[v], mesh.centroid(v));
            if let Some(to) = planes.position(v, at, middle, evenness) {
                mesh.move_if_safe(v, to);
            }
        }
        mesh.flip(false);
        surface = mesh.finish();
    }
    Ok(with_volume(surface, fine.volume(), edge))
}

/// For each vertex the planes of the fine triangles near it, weighted by area: sums of `n nᵀ` and `n (n · x)`.
struct Planes {
    matrices: Vec<Mat3>,
    vectors: Vec<Vec3>,
}

impl Planes {
    fn near(surface: &SurfaceMesh, fine: &SurfaceMesh) -> Self {
        let tree = TriangleTree::new(&surface.positions, &surface.triangles);
        let count = surface.positions.len();
        let mut planes = Self {
            matrices: vec![Mat3::zeros(); count],
            vectors: vec![Vec3::zeros(); count],
        };
        for t in 0..fine.triangles.len() {
            let vector = fine.area_vector(t);
            let area = vector.norm();
            let [p, q, r] = fine.corners(t);
            let center = (p + q + r) / 3.0;
            let Some(near) = tree.closest(&center).filter(|_| area > 0.0) else {
                continue;
            };
            let n = vector / area;
            let corners = surface.triangles[near.triangle as usize];
            for (v, weight) in corners.into_iter().zip(near.weights) {
                planes.matrices[v as usize] += n * n.transpose() * (weight * area);
                planes.vectors[v as usize] += n * (n.dot(&center) * weight * area);
            }
        }
        planes
    }

    /// The point that is nearest to the planes of vertex `v` and, with the weight `evenness`, to `middle`.
    fn position(&self, v: usize, at: Vec3, middle: Vec3, evenness: f64) -> Option<Vec3> {
        let matrix = self.matrices[v];
        let weight = evenness * matrix.trace();
        let force = self.vectors[v] - matrix * at + (middle - at) * weight;
        let inverse = (matrix + Mat3::identity() * weight).try_inverse()?;
        Some(at + inverse * force)
    }
}

/// The surface moved along its normals to `volume`, by at most [`MAX_VOLUME_SHIFT`].
fn with_volume(mut surface: SurfaceMesh, volume: f64, edge: f64) -> SurfaceMesh {
    let mut remaining = MAX_VOLUME_SHIFT * edge;
    for _ in 0..4 {
        let missing = (volume - surface.volume()) / surface.area();
        let step = missing.clamp(-remaining, remaining);
        remaining -= step.abs();
        let normals = surface.vertex_normals();
        let mut mesh = Remesher::new(surface, edge);
        for (v, normal) in normals.iter().enumerate() {
            mesh.move_if_safe(v, mesh.surface.positions[v] + normal * step);
        }
        surface = mesh.finish();
    }
    surface
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::remeshing::decimate::decimate;
    use crate::remeshing::decimate::target::DecimateTarget;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};
    use pliant_core::mesh::validate::topology;

    fn worst_angle(surface: &SurfaceMesh) -> f64 {
        (0..surface.triangles.len())
            .map(|t| smallest_angle(surface.corners(t)).to_degrees())
            .fold(180.0, f64::min)
    }

    #[test]
    fn needles_vanish_and_shape_and_volume_stay() {
        let fine = box_surface(Vec3::new(0.4, 0.2, 0.3), [24, 12, 18], CellStyle::Kuhn);
        let mut coarse =
            decimate(&fine, DecimateTarget::Triangles(300), &Progress::new()).expect("a box");
        // a needle: a vertex in a triangle's plane, near an edge
        let [a, b, c] = coarse.corners(7);
        let at = coarse.positions.len() as u32;
        coarse.positions.push((a + b) * 0.49 + c * 0.02);
        let [i, j, k] = coarse.triangles[7];
        coarse.triangles[7] = [i, j, at];
        coarse.triangles.extend([[j, k, at], [k, i, at]]);
        assert!(!has_no_needles(&coarse) && worst_angle(&coarse) < 5.0);
        let sizes = Sizes::new(coarse.mean_edge());
        let even =
            isotropic_remesh(&coarse, &fine, &sizes, 0.1, &Progress::new()).expect("not cancelled");
        assert!(has_no_needles(&even), "{}", worst_angle(&even));
        assert!((even.volume() / fine.volume() - 1.0).abs() < 2e-3);
        let t = topology(&even);
        assert!(t.is_sound());
        assert_eq!(t.genus(), Some(0));
    }
}
