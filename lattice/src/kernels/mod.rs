//! Single precision kernels: goals of whole bodies in vector instructions.
//!
//! They are the counterpart of `step::summation`, matching and goals in double precision. Bodies whose regions are boxes take one pass over
//! memory. Lengths are in cells, relative to a point near the body's centre, so that single precision is enough; the moments of a region are about its own
//! particle.
//!
//! Sums over regions are window sums along x, y and z. At half-width 1 the sites of a window are added directly. The cost of longer windows does not depend
//! on their length: along z the windows of a group of slabs share their common sum, along x and y sums slide and restart after some
//! sites. Their planes are folded into vectors: each lane has a patch of the plane, and a window rarely
//! needs another lane. Small bodies add windows up to half-width 3 directly, in one slab.
//!
//! | module | contents |
//! |---|---|
//! | `vector` | vectors of numbers for any instruction set |
//! | `memory` | memory layouts of a lattice: slabs, folded planes, tiles |
//! | `windows` | sums over windows along an axis, short ones and long ones |
//! | `matching` | rotations and rigid velocities from the sums of regions |
//! | `dense` | blocks whose regions are boxes, slab by slab |
//! | `compact` | bodies of a few hundred particles, summed by a program |
//! | `irregular` | regions that are not boxes, and regions that fracture has changed |
//! | `body` | the choice among these for a body, and its division among threads |

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
pub(crate) use body::prepared::Prepared;
pub(crate) use body::smoother::Smoother;
pub(crate) use body::state::State;
pub(crate) use many_rotations::ManyRotations;
pub(crate) use vector::level::Level;
