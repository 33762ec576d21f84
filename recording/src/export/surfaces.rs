//! What several formats do with surfaces: all of them one after the other, with the progress of the export, and their extents.

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

/// Smallest and largest value of each coordinate.
pub(super) fn extent<const N: usize>(items: &[[f32; N]]) -> [[f32; N]; 2] {
    let (mut low, mut high) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
    for item in items {
        for k in 0..N {
            low[k] = low[k].min(item[k]);
            high[k] = high[k].max(item[k]);
        }
    }
    [low, high]
}
