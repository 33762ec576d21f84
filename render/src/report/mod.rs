//! The comparison report: one HTML file with pictures, curves and tables.

mod content;
mod page;
mod tables;

pub use content::{CommandRow, MethodColumn, Picture, Report, ResultRow, ResultTable, TextTable};
pub use page::html;
