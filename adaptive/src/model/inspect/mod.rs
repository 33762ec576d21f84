//! Parameters, quantities and figures of the model by name.

mod cut_quantities;
mod explain;
mod inspectable;

pub use inspectable::EXPLAINED;
