//! From a snapshot to what is uploaded for the skins of the panes.

mod pane_skin;
mod panes;
mod vertices;

pub use pane_skin::{PaneSkin, WholeSkin};
pub use panes::PaneSkins;
