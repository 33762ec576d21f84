//! Files that the window reads and writes.

#[cfg(target_family = "wasm")]
mod browser_files;
mod incoming_files;
pub mod new_file;
mod recent;
pub mod settings;
mod written_scene;

pub use incoming_files::IncomingFiles;
pub use recent::RecentFiles;
pub use written_scene::WrittenScene;
