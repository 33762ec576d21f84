//! Builds a hierarchy from the geometry of a body.

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::material::{Damping, Material};
use pliant_core::math::numbers::decimal;
use pliant_core::mesh::TetMesh;

use crate::asset::LodHierarchy;
use crate::bake::calibration::{self, coarsening};
use crate::bake::check::compare_levels;
use crate::bake::error::AdaptiveBakeError;
use crate::bake::level::{build_level, note_loose_parts};
use crate::bake::links::link_levels;
use crate::bake::lowest_frequency::{lowest_frequency, shear_wave_frequency};
use crate::bake::material::check_material;
use crate::params::Calibration;

/// Distance of the skin from the finest level, in mean edges, above which there is a note.
const EMBEDDING_TOLERANCE: f64 = 0.3;

/// Builds all levels: masses, element frequencies, supports, skin embeddings, parents and children with the stencils between them, and the lowest mode; and
/// the stiffness that `calibration` asks for ([`crate::bake::calibration`]).
///
/// Cost: some tens of microseconds a tetrahedron (its highest frequency), plus the lowest mode of the coarsest level, or the modes of all of them.
///
/// # Errors
/// See [`AdaptiveBakeError`]; each names level and element.
pub fn bake_with(
    geometry: &BodyGeometry,
    calibration: Calibration,
    progress: &Progress,
) -> Result<LodHierarchy, AdaptiveBakeError> {
    check_material(&geometry.material)?;
    let Some(finest) = geometry.levels.last() else {
        return Err(AdaptiveBakeError::NoLevels);
    };
    let total_volume = finest.volume();
    let mut notes = Vec::new();
    let mut levels = Vec::with_capacity(geometry.levels.len());
    for (index, mesh) in geometry.levels.iter().enumerate() {
        progress.stage(&format!("level {} of {}", index + 1, geometry.levels.len()));
        let level = build_level(index, mesh, geometry, total_volume, progress)?;
        note_loose_parts(index, &level, &mut notes);
        levels.push(level);
    }
    notes.extend(compare_levels(&levels)?);
    link_levels(&mut levels, &mut notes, progress)?;
    if let Some(level) = levels.last()
        && level.embedding.max_distance > EMBEDDING_TOLERANCE * level.spacing
    {
        notes.push(format!(
            "skin vertex {} lies {} m from the finest level (mean edge {} m)",
            level.embedding.farthest_vertex,
            decimal(level.embedding.max_distance),
            decimal(level.spacing)
        ));
    }
    if calibration == Calibration::Local {
        coarsening::coarsen(&mut levels, &geometry.material, &mut notes, progress)?;
    }
    let shared = match calibration {
        Calibration::Off => None,
        _ => calibration::calibrate(&mut levels, &geometry.material, &mut notes, progress)?,
    };
    let lowest = match (shared, levels.first()) {
        (Some(frequency), _) => frequency,
        (None, Some(coarsest)) => {
            progress.stage("lowest mode");
            lowest_frequency(coarsest, &coarsest.material(&geometry.material), progress)?
        }
        (None, None) => return Err(AdaptiveBakeError::NoLevels),
    };
    Ok(LodHierarchy {
        skin: geometry.skin.clone(),
        material: geometry.material,
        supports: geometry.supports.iter().map(|s| s.name.clone()).collect(),
        levels,
        lowest_frequency: lowest,
        notes,
    })
}

/// A hierarchy of one level, with the boundary of its mesh as the skin, and with `held` nodes instead of supports.
pub(crate) fn bake_single(
    mesh: TetMesh,
    material: Material,
    held: &[u32],
    progress: &Progress,
) -> Result<LodHierarchy, AdaptiveBakeError> {
    check_material(&material)?;
    let count = mesh.nodes.len();
    let geometry = BodyGeometry::of_levels([mesh], material);
    let volume = geometry.levels[0].volume();
    let mut level = build_level(0, &geometry.levels[0], &geometry, volume, progress)?;
    let mut nodes: Vec<u32> = held.to_vec();
    nodes.sort_unstable();
    nodes.dedup();
    nodes.retain(|&n| (n as usize) < count);
    let supports: Vec<String> = if nodes.is_empty() {
        Vec::new()
    } else {
        level.held = vec![nodes];
        vec!["held".to_string()]
    };
    // only a damping ratio needs the lowest mode, which takes longer than everything else
    let lowest_frequency = match material.damping {
        Damping::Ratio(zeta) if zeta > 0.0 => lowest_frequency(&level, &material, progress)?,
        _ => shear_wave_frequency(&level, &material),
    };
    Ok(LodHierarchy {
        skin: geometry.skin,
        material,
        supports,
        levels: vec![level],
        lowest_frequency,
        notes: Vec::new(),
    })
}

impl LodHierarchy {
    /// [`bake_with`] the default calibration, by which all levels have the same frequencies.
    ///
    /// # Errors
    /// See [`AdaptiveBakeError`].
    pub fn bake(geometry: &BodyGeometry, progress: &Progress) -> Result<Self, AdaptiveBakeError> {
        bake_with(geometry, Calibration::default(), progress)
    }
}
