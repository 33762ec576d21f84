//! Pieces of a broken lattice at rest sleep until something touches them, by the rules of [`pliant_core::model::rest`].
//!
//! The particles of a sleeping piece have zero velocity and zero inverse mass: tools and other pieces find an immovable obstacle. No region reaches across pieces, so that their sums affect no other piece,
//! and the rotations of their regions do not change. While all pieces sleep, there are no steps. A body in which no link has broken has no such pieces, and in a group bodies sleep as wholes.

mod frame;
pub(crate) mod sleep_state;
