//! Pieces of a broken lattice at rest are left alone until something touches them: the rule is that of [`pliant_core::model::rest`].
//!
//! Particles of a piece that sleeps have no velocity and give way to nothing: they are what a tool or another piece finds there. Links hold no region across pieces, so that what the sums say of them concerns
//! nobody else; the rotations of their regions stay as they are. While all pieces sleep, there are no steps. A body from which nothing has broken has no such pieces, and in a group bodies sleep as wholes.

mod frame;
pub(crate) mod sleepers;
