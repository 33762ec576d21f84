//! The curves of all panes: what is remembered, what is shown of it, and how it is written.

mod csv;
mod curve;
mod history;
mod plotted;
mod recent_cost;

pub use curve::Curve;
pub use history::{Curves, History, SPANS};
pub use plotted::Plotted;
pub use recent_cost::RecentCost;
