//! Curves as SVG text.

mod axis;
mod curve;
mod diagram;
mod mark;

pub use curve::Series;
pub use diagram::Plot;
pub use mark::Mark;
