//! Reading recordings, and distinguishing them from scenes and meshes.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use pliant_recording::{Recording, RecordingError};
use pliant_simulation::error::{variant_name, why_unreadable};

use crate::failure::Failure;

/// The bytes of a file.
pub fn bytes_of(file: &Path) -> Result<Vec<u8>, Failure> {
    let place = file.display().to_string();
    std::fs::read(file).map_err(|error| {
        let text = format!("{place}: {}", why_unreadable(&error));
        Failure::from_text("Unreadable", &text, Some(place))
    })
}

/// The recording in the bytes of `file`.
pub fn recording_in<'a>(file: &Path, bytes: &'a [u8]) -> Result<Recording<'a>, Failure> {
    Recording::read(bytes).map_err(|error| damaged(file, &error))
}

/// The failure of a damaged recording.
pub fn damaged(file: &Path, error: &RecordingError) -> Failure {
    let name = file.display();
    let place = match error.offset() {
        Some(offset) => format!("{name}: byte {offset}"),
        None => name.to_string(),
    };
    let text = match error {
        RecordingError::Unwritable { .. } => error.to_string(),
        _ => format!("{name}: {error}"),
    };
    Failure::from_text(&variant_name(error), &text, Some(place))
}

/// Refuses a recording in place of a scene or a mesh.
pub fn refuse_recording(source: &OsStr) -> Result<(), Failure> {
    let path = Path::new(source);
    match begins_like_recording(path) {
        true => Err(Failure::bad_input(
            "IsARecording",
            format!("{} is a recording, and neither a scene nor a mesh", path.display()),
            "`pliant replay` runs it again, `pliant inspect` and `pliant export` show what it holds",
        )
        .at(path.display().to_string())),
        false => Ok(()),
    }
}

fn begins_like_recording(path: &Path) -> bool {
    let mut first = [0; 8];
    let mut file = match File::open(path) {
        // a pipe would lose what is read here
        Ok(file) if path.is_file() => file,
        _ => return false,
    };
    file.read_exact(&mut first).is_ok() && Recording::is_recording(&first)
}
