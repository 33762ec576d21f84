//! Files that the window reads and writes.

#[cfg(target_family = "wasm")]
mod browser_files;
mod incoming_files;
pub mod new_file;
pub mod occlusion;
mod recent;
mod setting_file;
pub mod theme;
mod written_scene;

pub use incoming_files::IncomingFiles;
pub use recent::RecentFiles;
pub use written_scene::WrittenScene;
