//! Parameters, quantities and figures of the model by name.

mod cut_figures;
mod cut_quantities;
mod explain;
mod inspectable;
mod level_figures;
mod level_quantities;
mod parameters;
mod quantities;

pub use parameters::{EXPLAINED, OVERRUN_ALLOWANCE};
