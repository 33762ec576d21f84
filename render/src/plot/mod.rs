//! Curves as SVG text.

mod axis;
mod curve;
mod diagram;
mod legend;
mod mark;

pub use curve::Series;
pub use diagram::Plot;
pub use mark::{Mark, MarkShape, MarkStyle};
