//! Finite elements: linear and quadratic tetrahedra, their material, and the sparse stiffness matrix.
//!
//! A bake solves the linear system of `linear_system` for its columns.

pub(crate) mod boundary_factor;
mod dissection;
pub mod elasticity;
pub mod element_mesh;
pub(crate) mod linear_system;
pub(crate) mod tensor;
pub(crate) mod voigt;
