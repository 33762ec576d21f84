//! Fracture: links break where a body is stretched too far (Rivers and James 2007, section 4).
//!
//! A link breaks when it is longer than `1 + toughness` times its length at rest after two steps in a row, or shorter than `1 - toughness` if that is
//! asked for, the most strained first, at most `max_breaks` in a frame. Regions shrink with the links, exactly as if the lattice had been baked without them, and what no link holds falls
//! apart into pieces, which touch each other and sleep once they are at rest. The energy that was stored in what a break lets go is lost.

mod blades;
mod cells;
pub(crate) mod fracturing;
pub(crate) mod limits;
mod model;
mod piece_contact;
pub(crate) mod pieces;
pub(crate) mod skin;
pub(crate) mod sleep;
pub(crate) mod strain;
#[cfg(test)]
mod tests;
pub(crate) mod topology;
pub(crate) mod touch;

pub(crate) use fracturing::Fracturing;
pub use limits::Fracture;
