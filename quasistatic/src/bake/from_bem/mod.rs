//! Green's functions from boundary elements: one dense factorisation, then one solution for each free node.

mod columns;
mod dense_system;
mod incompressible;
mod inside;
mod triangle_columns;

pub(crate) use columns::{from_bem, from_constant};
pub(crate) use triangle_columns::ElementColumns;
