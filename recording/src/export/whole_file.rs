//! Exported files, which are written completely or not at all.

use std::io;
use std::path::Path;

use pliant_core::asset::bytes::WholeFile;

use super::error::ExportError;

/// Writes a file; creates its folder.
pub(super) fn whole_file(
    path: &Path,
    write: impl FnOnce(&mut WholeFile) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let failed = |error: io::Error| unwritable(path, &error);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut out = WholeFile::create(path).map_err(failed)?;
    write(&mut out)?;
    out.finish().map_err(failed)
}

/// The same where only writing can fail.
pub(super) fn written_file(
    path: &Path,
    write: impl FnOnce(&mut WholeFile) -> io::Result<()>,
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
