//! Files that come to the window and leave it.

mod arrivals;
#[cfg(target_family = "wasm")]
mod browser_files;
mod kept_word;
pub mod new_file;
pub mod occlusion;
mod recent;
pub mod theme;
mod written_scene;

pub use arrivals::Arrivals;
pub use recent::RecentFiles;
pub use written_scene::WrittenScene;
