//! Which contact points of a body touch another body, the body itself, or a tool.
//!
//! A point of one skin is tested against the nearest place of the other surface, with signed distance and outward gradient, as with tools. The distance is measured along
//! the interpolated normal. It is continuous where a point slides from triangle to triangle, so that a body at rest does not jump.

mod between_bodies;
mod held_points;
mod pair_parameters;
mod self_contact;
mod tool_contact;

pub(crate) use held_points::HeldPoints;
pub(crate) use pair_parameters::PairParameters;
