//! Cells that a gap runs through: pieces of material in each, copies of cells, and the vertices and volume of each copy.

mod cell;
mod copies;
mod pieces;
mod rims;
mod shares;
mod skin;
pub(crate) mod topology;
