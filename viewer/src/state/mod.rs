//! The user's choices, and the state that the window keeps from frame to frame.

mod advice;
mod colours;
mod curves;
mod defaults;
mod edits;
mod files;
mod force_source;
mod mesh_report;
mod palette;
mod picked;
mod pictures;
mod shown;
mod ui;

pub use advice::AdvicePanel;
pub use colours::{Layer, Range};
pub use curves::{Curve, Plotted, SPANS};
pub use defaults::Defaults;
pub use edits::{Edit, Edits};
pub use files::{IncomingFiles, RecentFiles, WrittenScene, new_file, settings};
pub use force_source::{ForceSource, with_arrows};
pub use mesh_report::{Marked, MeshReport};
pub use palette::Palette;
pub use picked::{Picked, VertexReading, vertex_line};
pub use pictures::{AnimationFormat, DURATION_RANGE, PictureRequest, Pictures};
pub use shown::{drawn, fixed_pane, next_shown, shown, with_pane_toggled};
pub use ui::{CutPreparation, SceneSimilarity, UiState};
