//! The surfaces of a recording one after the other, with the progress of an export.

use pliant_core::asset::Progress;

use super::error::ExportError;
use crate::reader::{Recording, StoredSurface};

/// Calls `visit` with each surface of method number `method`, in the order of time. The export goes through the surfaces of all methods `passes` times, and this is number `pass`.
pub(super) fn for_each_surface(
    recording: &Recording<'_>,
    method: usize,
    (pass, passes): (usize, usize),
    progress: &Progress,
    mut visit: impl FnMut(StoredSurface) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let (methods, surfaces) = (recording.header.methods.len(), recording.surface_count());
    for (k, stored) in recording.surfaces(method).enumerate() {
        progress.check()?;
        visit(stored?)?;
        let done = (pass * methods + method) * surfaces + k + 1;
        progress.set_fraction(done as f64 / (passes * methods * surfaces) as f64);
    }
    Ok(())
}
