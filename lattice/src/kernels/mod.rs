//! Single precision kernels: goals of whole bodies in vector instructions.
//!
//! They compute what [`crate::step::summation`], matching and goals compute in double precision, for bodies whose regions are boxes, in one pass over
//! memory. Lengths are in cells and about a centre near the body's own, so that single precision is enough; regions are matched about their own
//! particles.
//!
//! Sums over regions are window sums along x, y and z. At half-width 1 the sites of a window are added up. Longer windows cost the same
//! whatever their length: along z groups of slabs share what their windows have in common, along x and y sums slide and begin anew after some
//! sites. Their planes are folded into vectors, so that each lane has a patch of the plane and a window hardly ever
//! needs another lane. Small bodies add up windows up to half-width 3 in one slab.
//!
//! | room | holds |
//! |---|---|
//! | `vector` | vectors of numbers over whichever instruction set there is |
//! | `memory` | where the numbers of a lattice lie: layouts, folded planes, tiles |
//! | `windows` | sums over windows along an axis, short ones and long ones |
//! | `matching` | from the sums of regions to rotations and rigid velocities |
//! | `dense` | blocks whose regions are boxes, slab by slab |
//! | `compact` | bodies of a few hundred particles, summed by a program |
//! | `irregular` | regions that are not boxes, and regions that fracture has changed |
//! | `body` | which of these suits a body, and how threads share it |

pub(crate) mod body;
mod compact;
mod dense;
mod irregular;
mod many_rotations;
mod matching;
pub(crate) mod memory;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod vector;
mod windows;

pub(crate) use body::kernel::Kernel;
pub(crate) use body::prepare::prepare_steady;
pub(crate) use body::prepared::Prepared;
pub(crate) use body::smoother::Smoother;
pub(crate) use body::state::State;

pub use many_rotations::ManyRotations;
pub use vector::level::Level;
