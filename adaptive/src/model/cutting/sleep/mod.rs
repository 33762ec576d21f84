//! Pieces at rest are left alone until something touches them, as bodies of a group are.
//!
//! A piece sleeps that nothing holds, that was slower than a hundredth of an edge a frame for half a second, that something bears, and whose neighbours are calm as well. Its nodes have no velocity and
//! give way to nothing, and its elements are not evaluated and set no step. It bears on the tools below it as in its last frame. It wakes when a tool that moves touches it, when what bore it is gone, when a
//! hand or a load takes hold of it, when another piece hits it, moves while it touches it or goes away from it, when an edge of it is cut, and when gravity or a parameter changes.

mod bearings;
mod frame;
mod rest;
pub(super) mod rests;
mod saved;
