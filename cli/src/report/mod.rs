//! Output of a comparison: JSON, checks, curves, pictures and a page; and the page of an advice.

mod advice;
pub mod checks;
mod columns;
mod curves;
mod findings;
mod metric_columns;
pub mod metrics;
mod moments;
mod page;
mod pictures;
mod plots;
pub mod reference;
mod result;

pub use advice::{AdvicePage, outcome_text, write_advice};
pub use curves::curves_csv;
pub use findings::{failures, nothing_felt, stop};
pub use metric_columns::MetricColumns;
pub use page::write;
pub use result::{result_json, scene_json};
