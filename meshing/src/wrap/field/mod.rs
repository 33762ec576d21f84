//! Inside or outside at each lattice point, by three criteria, and the surface between.

pub(crate) mod contour;
pub(crate) mod flood;
pub(crate) mod grid;
pub(crate) mod sheet;
pub(crate) mod winding_field;
