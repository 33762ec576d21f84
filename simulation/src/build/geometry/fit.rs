//! Whether a mesh fits the body that it represents.

use pliant_adaptive::bake::VOLUME_LIMIT;
use pliant_core::math::numbers::decimal;
use pliant_core::scene::MeshSource;
use pliant_meshing::lod::{Level, remove_unsuitable_levels};

use crate::setup::Setup;

/// Notes that walls were thickened, and that volume was lost or gained.
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

/// Largest difference between the masses of two methods, over that of the body, without a note.
const MAX_MASS_DIFFERENCE: f64 = 0.02;

/// A note where the mesh that gives a method its mass does not have that of the body. The lattice always has it.
pub(super) fn note_mass(setup: &Setup, level: &Level, remedy: &str, notes: &mut Vec<String>) {
    let difference = level.volume_ratio - 1.0;
    if difference.abs() > MAX_MASS_DIFFERENCE {
        let mass = setup.geometry.material.density * setup.geometry.skin.volume();
        notes.push(format!(
            "MassMismatch: the tetrahedra have {} kg and the body {} kg, {:.1} % apart: methods move bodies of different weight\n  remedy: {remedy}",
            decimal(mass * level.volume_ratio),
            decimal(mass),
            100.0 * difference.abs()
        ));
    }
}

/// Removes levels that have swollen because the walls of the body are thinner than their elements. The adaptive method would refuse them.
pub(super) fn remove_swollen_levels(levels: &mut Vec<Level>, notes: &mut Vec<String>) {
    let Some(finest) = levels.last().map(|finest| finest.volume_ratio) else {
        return;
    };
    let allowed_ratios = 1.0 / VOLUME_LIMIT..=VOLUME_LIMIT;
    remove_unsuitable_levels(
        levels,
        |level| allowed_ratios.contains(&(level.volume_ratio / finest)),
        notes,
    );
}

/// Whether the body came from a file. Nobody has looked at it at these resolutions before, so that its meshes are compared with the skin.
pub(super) fn is_imported(setup: &Setup) -> bool {
    matches!(setup.description.body.mesh, MeshSource::File { .. })
}
