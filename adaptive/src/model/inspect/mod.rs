//! Parameters, quantities and figures of the model by name.

mod cut;
pub(crate) mod explain;
mod inspect;

pub use inspect::EXPLAINED;
