//! Linear and quadratic tetrahedra: strain, stress, energy, force and stiffness, written like the equations.
//!
//! These are the readable references in double precision. Solvers have fast kernels beside them.

pub mod damping;
pub mod force;
pub mod law;
pub mod quadratic;
pub mod shape_function;
pub mod stiffness;
pub mod strain;
pub mod stress;
pub mod surface_strain;

pub use force::element_force;
pub use shape_function::ShapeGradients;
pub use surface_strain::SurfaceStrain;
