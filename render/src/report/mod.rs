//! The comparison report: one HTML file with pictures, curves and tables.

mod content;
mod page;
mod tables;

pub use content::{CheckRow, MethodColumn, PairRow, PointRow, Report};
pub use page::html;
