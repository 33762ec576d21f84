//! The comparison report: one HTML file with pictures, curves and tables.

mod content;
mod page;
mod tables;

pub use content::{
    CheckRow, CommandRow, MethodColumn, PairRow, Picture, PointRow, Report, ResultRow, ResultTable,
};
pub use page::html;
