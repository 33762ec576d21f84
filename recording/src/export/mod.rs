//! Recordings as files of other programs: ParaView, Blender, spreadsheets and others.
//!
//! Positions are those of the recording, in single precision. Each animation begins at time 0 with the skin at rest. glTF has displacements instead of positions. There, some coordinates may differ
//! by the rounding of single precision, because not every position has a displacement that leads to the same bits.

mod csv;
mod error;
mod format;
mod gltf;
mod obj;
mod surfaces;
mod usd;
mod vtk;
mod whole_file;

use std::path::Path;

use pliant_core::asset::Progress;

pub use csv::csv_line;
pub use error::ExportError;
pub use format::ExportFormat;

use crate::reader::Recording;

/// Files that [`export`] will write in this format, relative to its folder.
pub fn files(recording: &Recording<'_>, format: ExportFormat) -> Vec<String> {
    match format {
        ExportFormat::Vtk => vtk::files(recording),
        ExportFormat::Gltf => vec![gltf::FILE.to_string()],
        ExportFormat::Usd => vec![usd::FILE.to_string()],
        ExportFormat::Obj => obj::files(recording),
        ExportFormat::Csv => vec![csv::FILE.to_string()],
    }
}

/// Writes a recording into `folder` in one format. Each file appears under its name when it is complete.
///
/// Cost: about 1 µs a vertex and surface for text, a third of that for `vtk` and for `gltf`, which unpacks twice. Memory: a few surfaces.
///
/// # Errors
/// [`ExportError::NoSurfaces`] where the recording has none and the format needs them; files that cannot be written; damaged surfaces; cancellation.
pub fn export(
    recording: &Recording<'_>,
    format: ExportFormat,
    folder: &Path,
    progress: &Progress,
) -> Result<(), ExportError> {
    let has_surfaces = recording.surface_count() > 0;
    if format != ExportFormat::Csv && !has_surfaces {
        return Err(ExportError::NoSurfaces {
            format,
            every: recording.header.surface_every,
        });
    }
    match format {
        ExportFormat::Vtk => vtk::write(recording, folder, progress),
        ExportFormat::Gltf => gltf::write(recording, folder, progress),
        ExportFormat::Usd => usd::write(recording, folder, progress),
        ExportFormat::Obj => obj::write(recording, folder, progress),
        ExportFormat::Csv => csv::write(recording, folder),
    }
}

#[cfg(test)]
mod tests;
