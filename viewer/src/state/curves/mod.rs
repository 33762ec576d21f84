//! The curves of all panes: their values, which of them are shown, and their export.

mod csv;
mod curve;
mod history;
mod plotted;
mod recent_cost;

pub use curve::Curve;
pub use history::{History, SPANS};
pub use plotted::Plotted;
