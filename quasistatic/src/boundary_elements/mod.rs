//! Boundary elements: elastostatics from the surface alone (direct formulation, collocation at the vertices; Brebbia, Telles and Wrobel 1984;
//! James and Pai 1999).
//!
//! `c u + ∫ T u dΓ = ∫ U p dΓ + ∫ U b dΩ` on a closed surface of flat triangles, with linear shape functions and collocation at the vertices, or
//! with a constant for each triangle and collocation at its centroid. The diagonal of `H` follows from
//! rigid motion, so that neither the solid angle nor the singular integral of T is needed. Body forces are surface integrals.

mod batches;
mod constant;
pub(crate) mod element;
mod far;
pub(crate) mod interior;
mod kernel;
mod linear;
mod moments;
pub mod quadrature;
mod system;

pub use batches::AssemblyControl;
pub use constant::assemble_constant;
pub use kernel::Kelvin;
pub use linear::{acting_tractions, assemble_linear};
pub use system::BoundarySystem;

#[cfg(test)]
mod constant_tests;
#[cfg(test)]
mod tests;
