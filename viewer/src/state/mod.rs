//! What the user has chosen, and what the window remembers from frame to frame.

pub mod csv;
mod curve;
mod defaults;
mod edits;
mod force_source;
mod history;
mod layer;
mod plotted;
mod range;
mod recent_cost;
mod shown;
mod ui;

pub use curve::Curve;
pub use defaults::Defaults;
pub use edits::{Edit, Edits};
pub use force_source::ForceSource;
pub use history::{Curves, History, SPANS};
pub use layer::Layer;
pub use plotted::Plotted;
pub use range::Range;
pub use recent_cost::RecentCost;
pub use shown::{drawn, next_shown, shown};
pub use ui::UiState;
