//! The triangles of the boundary as nodes of constant elements, and the skin on them.

use pliant_core::asset::BodyGeometry;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::adjacency::vertex_triangles;
use pliant_core::mesh::embedding::embed_in_surface;
use pliant_core::mesh::tet::TetBoundary;
use pliant_core::mesh::{SurfaceMesh, merge_duplicates};

use crate::bake::held_nodes::BoundaryColumns;
use crate::error::BakeError;
use crate::greens::SkinRows;
use crate::greens::skin_rows::{NO_SUPPORT, NOT_FREE};

/// Ratio of the spread of a patch along an axis to the largest one below which the slope along it is taken as zero.
const MIN_SPREAD_RATIO: f64 = 1e-6;

/// The triangles of the boundary as columns of the Green's functions; a triangle is held where all its corners are held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ElementColumns {
    /// Column of each triangle, [`NOT_FREE`] for held and unsupported ones.
    pub column_of_element: Vec<u32>,
    /// Support of each held triangle, that of its first corner; [`NO_SUPPORT`] for others.
    pub support_of_element: Vec<u32>,
    /// Number of columns.
    pub free: usize,
}

impl ElementColumns {
    /// Numbers the free triangles of `surface` in their order.
    ///
    /// # Errors
    /// [`BakeError::SupportWithoutTriangle`] where a support holds vertices but no triangle.
    pub fn new(
        surface: &SurfaceMesh,
        vertices: &BoundaryColumns,
        geometry: &BodyGeometry,
    ) -> Result<Self, BakeError> {
        let mut columns = Self {
            column_of_element: Vec::with_capacity(surface.triangles.len()),
            support_of_element: Vec::with_capacity(surface.triangles.len()),
            free: 0,
        };
        for triangle in &surface.triangles {
            let is_free = |v: &u32| vertices.column_of_vertex[*v as usize] != NOT_FREE;
            if triangle.iter().any(is_free) {
                columns.column_of_element.push(columns.free as u32);
                columns.support_of_element.push(NO_SUPPORT);
                columns.free += 1;
            } else {
                let support = vertices.support_of_vertex[triangle[0] as usize];
                columns.column_of_element.push(NOT_FREE);
                columns.support_of_element.push(support);
            }
        }
        for (k, support) in geometry.supports.iter().enumerate() {
            let k = k as u32;
            if vertices.support_of_vertex.contains(&k) && !columns.support_of_element.contains(&k) {
                return Err(BakeError::SupportWithoutTriangle {
                    name: support.name.clone(),
                });
            }
        }
        Ok(columns)
    }

    /// The skin on the triangles: each vertex has the value of an affine fit over two rings of triangles, so that affine fields are exact. The same
    /// weights distribute forces to triangles and preserve their sum and moment.
    pub fn rows(&self, skin: &SurfaceMesh, boundary: &TetBoundary) -> SkinRows {
        let surface = &boundary.surface;
        let embedding = embed_in_surface(skin, surface);
        let fits = vertex_fits(surface);
        let mut rows = SkinRows::empty(embedding.max_distance, embedding.farthest_vertex);
        rows.identity = false;
        for vertex in 0..skin.vertex_count() {
            let (corners, shares) = embedding.row(vertex);
            let mut fit: Vec<(u32, f64)> = Vec::new();
            for (&corner, &share) in corners.iter().zip(shares) {
                let of_corner = fits.get(corner as usize).into_iter().flatten();
                fit.extend(of_corner.map(|(element, weight)| (*element, weight * share)));
            }
            fit.sort_by_key(|(element, _)| *element);
            merge_duplicates(&mut fit);
            let node_of_row = |element: u32| {
                let (column, support) = (&self.column_of_element, &self.support_of_element);
                (column[element as usize], support[element as usize], element)
            };
            let parts = fit.into_iter().filter(|(_, weight)| *weight != 0.0);
            rows.push_row(parts.map(|(element, weight)| (node_of_row(element), weight)));
        }
        rows
    }
}

/// For each vertex triangles and weights: the affine fit of values at centroids, evaluated at the vertex.
fn vertex_fits(surface: &SurfaceMesh) -> Vec<Vec<(u32, f64)>> {
    let around = vertex_triangles(surface.vertex_count(), &surface.triangles);
    let center = |t: u32| surface.corners(t as usize).iter().sum::<Vec3>() / 3.0;
    (0..surface.vertex_count())
        .map(|v| {
            let ring = around.row(v).iter();
            let corners = ring.flat_map(|&t| surface.triangles[t as usize]);
            let mut patch: Vec<u32> = corners
                .flat_map(|corner| around.row(corner as usize).iter().copied())
                .collect();
            patch.sort_unstable();
            patch.dedup();
            let centers: Vec<Vec3> = patch.iter().map(|&t| center(t)).collect();
            let weights = affine_fit(&centers, &surface.positions[v]);
            patch.into_iter().zip(weights).collect()
        })
        .collect()
}

/// Weights on values at `points` whose sum is the value at `at` of the affine function that fits them best. If several fit equally, the one with the least slope is taken.
///
/// Points have weights of the inverse square of their distance (moving least squares): the fit is half as wide as one with equal weights over the same rings, and
/// twice as accurate on curved surfaces.
fn affine_fit(points: &[Vec3], at: &Vec3) -> Vec<f64> {
    let inverse_square_distance = |x: &Vec3| 1.0 / (x - at).norm_squared().max(f64::MIN_POSITIVE);
    let total_weight: f64 = points.iter().map(inverse_square_distance).sum();
    let shares: Vec<f64> = points
        .iter()
        .map(|x| inverse_square_distance(x) / total_weight)
        .collect();
    let mut mean = Vec3::zeros();
    for (x, share) in points.iter().zip(&shares) {
        mean += x * *share;
    }
    let mut spread = Mat3::zeros();
    for (x, share) in points.iter().zip(&shares) {
        spread += (x - mean) * (x - mean).transpose() * *share;
    }
    let eigen = spread.symmetric_eigen();
    let least = MIN_SPREAD_RATIO * eigen.eigenvalues.amax();
    let mut slope = Vec3::zeros();
    for (axis, value) in eigen.eigenvectors.column_iter().zip(&eigen.eigenvalues) {
        if *value > least {
            slope += axis * (axis.dot(&(at - mean)) / value);
        }
    }
    points
        .iter()
        .zip(&shares)
        .map(|(x, share)| share * (1.0 + slope.dot(&(x - mean))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    #[test]
    fn fits_are_exact_for_affine_fields_also_at_corners_and_on_flat_patches() {
        let surface = box_surface(Vec3::new(0.6, 0.4, 0.5), [4, 3, 5], CellStyle::Kuhn);
        let value = |x: &Vec3| 0.3 + 2.0 * x.x - x.y + 0.5 * x.z;
        for (v, fit) in vertex_fits(&surface).iter().enumerate() {
            let sum: f64 = fit
                .iter()
                .map(|(t, w)| w * value(&(surface.corners(*t as usize).iter().sum::<Vec3>() / 3.0)))
                .sum();
            assert!((sum - value(&surface.positions[v])).abs() < 1e-12, "{v}");
        }
        let flat = [
            Vec3::zeros(),
            Vec3::x(),
            Vec3::y(),
            Vec3::new(1.0, 1.0, 0.0),
        ];
        let weights = affine_fit(&flat, &Vec3::new(0.5, 0.25, 3.0));
        let sum: f64 = weights.iter().sum();
        assert!((sum - 1.0).abs() < 1e-15);
        let y: f64 = weights.iter().zip(&flat).map(|(w, x)| w * x.y).sum();
        assert!((y - 0.25).abs() < 1e-14);
    }
}
