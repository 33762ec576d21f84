//! Curves as SVG text.

mod axis;
mod curve;
mod diagram;

pub use curve::Series;
pub use diagram::Plot;
