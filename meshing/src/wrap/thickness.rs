//! The smallest extent of a surface.

use nalgebra::SymmetricEigen;
use pliant_core::math::bounds::Aabb;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::SurfaceMesh;

use crate::repair::steps::weld::used_vertices;

/// Extent across the plane that fits the vertices of triangles best; 0 if they have no extent at all.
pub(super) fn thickness(surface: &SurfaceMesh) -> f64 {
    let points: Vec<Vec3> = (surface.positions.iter().zip(used_vertices(surface)))
        .filter(|(_, used)| *used)
        .map(|(p, _)| *p)
        .collect();
    let bounds = Aabb::of_points(&points);
    let (middle, scale) = (bounds.center(), bounds.diagonal());
    if scale == 0.0 {
        return 0.0;
    }
    let mean = points.iter().map(|p| (p - middle) / scale).sum::<Vec3>() / points.len() as f64;
    let mut spread = Mat3::zeros();
    for p in &points {
        let d = (p - middle) / scale - mean;
        spread += d * d.transpose();
    }
    let eigen = SymmetricEigen::new(spread);
    let normal: Vec3 = eigen.eigenvectors.column(eigen.eigenvalues.imin()).into();
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for p in &points {
        let height = normal.dot(&(p - middle));
        (low, high) = (low.min(height), high.max(height));
    }
    high - low
}
