//! What a comparison becomes: JSON, checks, curves, pictures and a page; and the page of an advice.

mod advice;
pub mod checks;
mod columns;
mod curves;
mod findings;
pub mod metrics;
mod page;
mod pictures;
mod plots;
pub mod reference;

pub use advice::{AdvicePage, write_advice};
pub use curves::{csv_line, curves_csv};
pub use page::{Pictures, write};
