//! Files that are there completely or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::error::ExportError;

/// A file on its way.
pub(super) type Out = BufWriter<File>;

/// Writes beside the target and renames at the end. Makes its folder.
pub(super) fn whole_file(
    path: &Path,
    write: impl FnOnce(&mut Out) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".partial");
    let partial = path.with_file_name(name);
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

/// The same where nothing but writing can fail.
pub(super) fn written_file(
    path: &Path,
    write: impl FnOnce(&mut Out) -> io::Result<()>,
) -> Result<(), ExportError> {
    whole_file(path, |out| write(out).map_err(|e| unwritable(path, &e)))
}

/// What a file that cannot be written ends an export with.
pub(super) fn unwritable(path: &Path, error: &io::Error) -> ExportError {
    ExportError::Unwritable {
        file: path.to_path_buf(),
        reason: error.to_string(),
    }
}
