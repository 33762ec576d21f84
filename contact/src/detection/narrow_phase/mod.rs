//! Which contact points of a body touch another body, the body itself, or a tool.
//!
//! A point of one skin is held against the nearest place of the other surface, with signed distance and outward gradient, as with tools. The distance counts along the
//! interpolated normal. That is continuous where a point slides from triangle to triangle, so that a body at rest has no reason to jump.

mod between_bodies;
mod pair_rule;
mod self_contact;
mod tool_contact;

pub(crate) use pair_rule::PairRule;
