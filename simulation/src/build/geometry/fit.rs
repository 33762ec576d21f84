//! Whether a mesh resembles the body that it stands for.

use pliant_core::scene::MeshSource;
use pliant_meshing::lod::Level;

use crate::setup::Setup;

/// Remarks on walls that were thickened and on volume that was lost or won.
pub(super) fn note_fit(level: &Level, name: &str, notes: &mut Vec<String>) {
    if level.thickened > 0.0 {
        notes.push(format!(
            "{name}: walls were thickened by {:.2} mm so that none is lost",
            level.thickened * 1e3
        ));
    }
    if (level.volume_ratio - 1.0).abs() > 0.15 {
        notes.push(format!(
            "{name} has {:.0} % of the body's volume: its parts are thinner than the elements",
            level.volume_ratio * 100.0
        ));
    }
}

/// Whether the body came from a file: nobody has looked at it at these resolutions before, so that its meshes are held against the skin.
pub(super) fn is_imported(setup: &Setup) -> bool {
    matches!(setup.description.body.mesh, MeshSource::File { .. })
}
