//! Finite elements: linear and quadratic tetrahedra, their material, and the sparse stiffness matrix.
//!
//! A bake solves the linear system of [`linear_system`] for its columns.

pub mod boundary_factor;
mod dissection;
pub mod elasticity;
pub mod element_mesh;
pub mod linear_system;
pub mod tensor;
pub mod voigt;
