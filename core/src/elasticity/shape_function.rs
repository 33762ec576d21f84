//! Interpolation inside a linear tetrahedron.

use crate::math::{Mat3, Vec3};

/// Gradients of the four barycentric coordinates of a tetrahedron at rest, and its volume.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapeGradients {
    /// `gradients[i] = ∇L^i`, 1/m; they sum to zero (Debunne et al. 2001, Eq. 5).
    pub gradients: [Vec3; 4],
    /// Rest volume, m³.
    pub volume: f64,
}

impl ShapeGradients {
    /// Gradients for corners at `rest` (m); `None` where the volume is not positive.
    pub fn new(rest: [Vec3; 4]) -> Option<Self> {
        let edges = Mat3::from_columns(&[rest[1] - rest[0], rest[2] - rest[0], rest[3] - rest[0]]);
        let determinant = edges.determinant();
        if determinant.is_nan() || determinant <= 0.0 {
            return None;
        }
        let inverse = edges.try_inverse()?;
        let g = [1, 2, 3].map(|i| inverse.row(i - 1).transpose());
        Some(Self {
            gradients: [-(g[0] + g[1] + g[2]), g[0], g[1], g[2]],
            volume: determinant / 6.0,
        })
    }

    /// Gradient of the interpolated field with corner values `values`: `Σ value_i ∇L^iᵀ`.
    ///
    /// For positions this is the deformation gradient F, for velocities its rate.
    pub fn gradient_of(&self, values: [Vec3; 4]) -> Mat3 {
        // differences to corner 0 avoid cancellation in small strains far from the origin
        let g = &self.gradients;
        (values[1] - values[0]) * g[1].transpose()
            + (values[2] - values[0]) * g[2].transpose()
            + (values[3] - values[0]) * g[3].transpose()
    }
}
