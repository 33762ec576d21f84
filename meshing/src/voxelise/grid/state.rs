//! States of a cell while the grid is filled.

/// Width of the border of a cell over its edge.
pub(crate) const BORDER_WIDTH: f64 = 1e-6;

pub(crate) const EMPTY: u8 = 0;
pub(crate) const CUT: u8 = 1;
pub(crate) const TOUCHED: u8 = 2;
pub(crate) const OUTSIDE: u8 = 3;
pub(crate) const ENCLOSED: u8 = 4;
pub(crate) const CAVITY: u8 = 5;
