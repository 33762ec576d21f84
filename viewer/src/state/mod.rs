//! What the user has chosen, and what the window remembers from frame to frame.

mod advice;
mod arrivals;
#[cfg(target_family = "wasm")]
mod browser_files;
mod curves;
mod defaults;
mod edits;
mod force_source;
mod layer;
pub mod new_file;
mod palette;
mod pictures;
mod range;
mod recent;
mod shown;
mod ui;

pub use advice::AdvicePanel;
pub use arrivals::Arrivals;
pub use curves::{Curve, Curves, History, Plotted, RecentCost, SPANS, csv};
pub use defaults::Defaults;
pub use edits::{Edit, Edits};
pub use force_source::ForceSource;
pub use layer::Layer;
pub use palette::Palette;
pub use pictures::{PictureRequest, Pictures, SECONDS};
pub use range::Range;
pub use recent::RecentFiles;
pub use shown::{drawn, next_shown, shown};
pub use ui::UiState;
