//! The regular grid: its position, which cells the surface intersects, and which it encloses.

pub(crate) mod crossings;
pub(crate) mod fill;
pub(crate) mod frame;
pub(crate) mod overlap;
pub(crate) mod scanline;
pub(crate) mod state;
pub(crate) mod surface_cells;
