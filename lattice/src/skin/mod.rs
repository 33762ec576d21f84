//! The deformed skin: positions by trilinear weights, and the exact normals of the map they define.
//!
//! Inside a cell the particles at its corners map the rest state by `x(t) = Σ φ_k(t) x_k`. A surface with tangents `U`, `V` at rest has the
//! tangents `F U`, `F V` with the Jacobian `F = ∂x/∂t`, and so the normal `F U × F V = cof(F) (U × V) = cof(F) N` (Rivers and James 2007,
//! Eq. 15, sum the same two tangents over the particles). The map of a cell is a polynomial with eight coefficients, which are found once for
//! all vertices in the cell; as many vertices as a vector holds go through it together in single precision. Products and sums are not fused, so
//! that every instruction set gives the same bits.

pub(crate) mod kernel;
pub(crate) mod prepare;
mod reference;
#[cfg(test)]
mod tests;

pub(crate) use reference::write_reference;
