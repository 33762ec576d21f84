//! What a comparison becomes: JSON, checks, curves, pictures and a page.

pub mod checks;
mod columns;
mod curves;
pub mod metrics;
mod page;
mod pictures;
mod plots;
pub mod reference;

pub use curves::curves_csv;
pub use page::{Pictures, write};
