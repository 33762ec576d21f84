//! Recordings: runs in files.

mod read;
mod recorder;

pub use read::Recording;
pub use recorder::Recorder;

/// The text of a scene that a program made: it stands where a recording has the scene that it can be run again from.
pub fn made_by_program() -> String {
    "# A program made this scene or moved its tools; the recording can be read and exported, not run again.\n".into()
}
