//! Single precision kernels: goals of whole bodies in vector instructions.
//!
//! They compute what [`crate::step::summation`], matching and goals compute in double precision, for bodies whose regions are boxes, in one pass over
//! memory. Lengths are in cells and about a centre near the body's own, so that single precision is enough; regions are matched about their own
//! particles.
//!
//! Sums over regions are window sums along x, y and z. At half-width 1 the sites of a window are added up. Longer windows cost the same
//! whatever their length: along z groups of slabs share what their windows have in common, along x and y sums slide and begin anew after some
//! sites. Their planes are folded into vectors, so that each lane has a patch of the plane and a window hardly ever
//! needs another lane, and "along z" is along the axis that leaves the fewest places empty where particles may lie in any order. Small bodies
//! add up windows up to half-width 3 in one slab.
//!
//! ```
//! # use std::sync::Arc;
//! # use pliant_lattice::kernels::{Level, block};
//! let mut body = block([6, 6, 6], 1, Level::Auto).expect("a body");
//! body.deform(|x| [x[0], x[1] + 0.1 * x[0] * x[0], x[2]]);
//! let before = body.momentum();
//! for _ in 0..10 {
//!     body.step(0.5, 1.0 / 600.0, 0.05);
//! }
//! // 216 kg at some 30 cells/s
//! for (now, then) in body.momentum().iter().zip(before) {
//!     assert!((now - then).abs() < 1e-5 * 216.0 * 30.0);
//! }
//! ```

pub(crate) mod body;
mod compact;
mod dense;
mod free_body;
mod irregular;
mod many_rotations;
mod matching;
pub(crate) mod memory;
#[cfg(test)]
mod tests;
pub(crate) mod vector;
mod windows;

pub(crate) use body::kernel::Kernel;
pub(crate) use body::prepared::Prepared;
pub(crate) use body::smoother::Smoother;
pub(crate) use body::state::State;
pub(crate) use memory::orientation::Across;

pub use free_body::{FastBody, block, shell};
pub use many_rotations::ManyRotations;
pub use vector::level::Level;
