//! What the user has chosen, and what the window remembers from frame to frame.

mod force_source;
mod history;
mod layer;
mod range;
mod recent_cost;
mod shown;
mod ui;

pub use force_source::ForceSource;
pub use history::{Curves, History, Plotted, SPAN};
pub use layer::Layer;
pub use range::Range;
pub use recent_cost::RecentCost;
pub use shown::shown;
pub use ui::UiState;
