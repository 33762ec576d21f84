//! Mathematics that every crate needs: boxes, rays, barycentric coordinates, tangents, polar decomposition, random numbers, quantiles, numbers in messages.

pub mod barycentric;
pub mod bounds;
pub mod numbers;
pub mod polar;
mod quantile;
pub mod random;
pub mod tangents;

pub use quantile::quantile;

/// A position, displacement, velocity or force in world coordinates (m, m/s, N).
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3×3 matrix: deformation gradients, stresses, stiffness blocks.
pub type Mat3 = nalgebra::Matrix3<f64>;
