//! Fracture: links break where a body is stretched too far (Rivers and James 2007, section 4).
//!
//! A link breaks when it is longer than `1 + toughness` times its length at rest after two steps in a row, or, if that is asked for, shorter than `1 - toughness` times.
//! The most strained links break first, at most `max_breaks` in a frame. Regions shrink with the links, exactly as if the lattice had been baked without them. The body
//! separates into its connected pieces, which touch each other and sleep once they are at rest. The elastic energy that a break releases counts as dissipated.

mod blades;
mod cells;
pub(crate) mod contact_vertices;
pub(crate) mod fracture_state;
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

pub(crate) use fracture_state::FractureState;
pub use limits::Fracture;
