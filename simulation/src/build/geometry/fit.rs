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

/// Volume over that of the finest level, or its inverse, from which on a level is another body. The adaptive method refuses it.
const ANOTHER_BODY: f64 = 1.5;

/// Leaves out levels that have swollen beyond the body because its walls are thinner than their elements.
pub(super) fn of_one_body(mut levels: Vec<Level>, notes: &mut Vec<String>) -> Vec<Level> {
    let Some(finest) = levels.last().map(|finest| finest.volume_ratio) else {
        return levels;
    };
    levels.retain(|level| {
        let ratio = level.volume_ratio / finest;
        let fits = (1.0 / ANOTHER_BODY..=ANOTHER_BODY).contains(&ratio);
        if !fits {
            notes.push(format!(
                "a level of {} nodes would have {:.0} % of the body's volume, as parts are thinner than its elements: left out",
                level.mesh.nodes.len(),
                100.0 * ratio
            ));
        }
        fits
    });
    levels
}

/// Whether the body came from a file: nobody has looked at it at these resolutions before, so that its meshes are held against the skin.
pub(super) fn is_imported(setup: &Setup) -> bool {
    matches!(setup.description.body.mesh, MeshSource::File { .. })
}
