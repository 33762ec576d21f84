//! Files that are written completely or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::error::ExportError;
use crate::file::RecordingFile;

/// A file that is being written.
pub(super) type Out = BufWriter<File>;

/// Writes a file under a temporary name and renames it at the end. Creates its folder.
pub(super) fn whole_file(
    path: &Path,
    write: impl FnOnce(&mut Out) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let partial = RecordingFile::temporary(path);
    let finish = || {
        let failed = |error: io::Error| unwritable(path, &error);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut out = BufWriter::with_capacity(1 << 18, File::create(&partial).map_err(failed)?);
        write(&mut out)?;
        out.flush().map_err(failed)?;
        std::fs::rename(&partial, path).map_err(failed)
    };
    let result = finish();
    if result.is_err() {
        // the first error is the one to report
        let _ = std::fs::remove_file(&partial);
    }
    result
}

/// The same where only writing can fail.
pub(super) fn written_file(
    path: &Path,
    write: impl FnOnce(&mut Out) -> io::Result<()>,
) -> Result<(), ExportError> {
    whole_file(path, |out| write(out).map_err(|e| unwritable(path, &e)))
}

/// The error for a file that cannot be written.
pub(super) fn unwritable(path: &Path, error: &io::Error) -> ExportError {
    ExportError::Unwritable {
        file: path.to_path_buf(),
        reason: error.to_string(),
    }
}
