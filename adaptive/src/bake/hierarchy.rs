//! Builds a hierarchy from the geometry of a body.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Cancelled, Progress};
use pliant_core::material::{Damping, Material};
use pliant_core::mesh::embedding::embed_in_tets;
use pliant_core::mesh::{SurfaceMesh, TetMesh};

use crate::asset::{LodHierarchy, link_children, no_children};
use crate::bake::calibration::{self, coarsening};
use crate::bake::lowest_frequency::lowest_frequency;
use crate::cut::places_above;
use crate::hierarchy::check::{MismatchError, compare_levels};
use crate::hierarchy::level::{check_mesh, element_frequencies, shape_gradients};
use crate::hierarchy::{Level, LevelError, Stencils, link};
use crate::params::Calibration;

/// Distance of the skin from the finest level, in mean edges, that is worth a note.
const EMBEDDING_TOLERANCE: f64 = 0.3;

/// Why a hierarchy cannot be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AdaptiveBakeError {
    /// The geometry has no tetrahedral level.
    #[error("the body has no tetrahedral level\n  remedy: mesh it for the adaptive method")]
    NoLevels,
    /// A level's mesh cannot be used: a node that is not finite or unused, or a tetrahedron with a wrong index.
    #[error("level {level}: {what}\n  remedy: mesh the body again")]
    BadMesh {
        /// Level, 0 is the coarsest.
        level: usize,
        /// What is wrong, with its number.
        what: String,
    },
    /// A tetrahedron without a volume to speak of.
    #[error(
        "level {level}: tetrahedron {tet} has no volume\n  remedy: mesh the body again with better quality"
    )]
    DegenerateTet {
        /// Level, 0 is the coarsest.
        level: usize,
        /// Which tetrahedron.
        tet: usize,
    },
    /// A tetrahedron with a negative volume.
    #[error(
        "level {level}: tetrahedron {tet} is inside out\n  remedy: order its corners so that its volume is positive"
    )]
    InvertedTet {
        /// Level, 0 is the coarsest.
        level: usize,
        /// Which tetrahedron.
        tet: usize,
    },
    /// A level falls into more parts than the finest one.
    #[error(
        "level {level} falls into {parts} parts, the finest level into {of_finest}\n  remedy: give level {level} more nodes, or leave it out"
    )]
    DisconnectedLevel {
        /// Level, 0 is the coarsest.
        level: usize,
        /// Parts of this level.
        parts: usize,
        /// Parts of the finest level.
        of_finest: usize,
    },
    /// A level whose volume differs by more than half from that of the finest.
    #[error(
        "level {level} has {percent:.0} % of the finest level's volume\n  remedy: give level {level} more nodes, or leave it out"
    )]
    LevelVolumeMismatch {
        /// Level, 0 is the coarsest.
        level: usize,
        /// Its volume over that of the finest level, in per cent.
        percent: f64,
    },
    /// A support selects nothing of the body.
    #[error(
        "support `{support}` holds no node of level {level}\n  remedy: move or enlarge its selection"
    )]
    SupportEmpty {
        /// Name of the support.
        support: String,
        /// Level, 0 is the coarsest.
        level: usize,
    },
    /// A material constant outside its range.
    #[error(
        "material: {what} is out of range\n  remedy: young > 0, -1 < poisson < 0.5, density > 0, damping >= 0"
    )]
    BadMaterial {
        /// Which constant.
        what: &'static str,
    },
    /// The owner cancelled the work.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl AdaptiveBakeError {
    /// The variant's name, the error code of the JSON output.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoLevels => "NoLevels",
            Self::BadMesh { .. } => "BadMesh",
            Self::DegenerateTet { .. } => "DegenerateTet",
            Self::InvertedTet { .. } => "InvertedTet",
            Self::DisconnectedLevel { .. } => "DisconnectedLevel",
            Self::LevelVolumeMismatch { .. } => "LevelVolumeMismatch",
            Self::SupportEmpty { .. } => "SupportEmpty",
            Self::BadMaterial { .. } => "BadMaterial",
            Self::Cancelled(_) => "Cancelled",
        }
    }

    fn of_level(error: LevelError, level: usize) -> Self {
        let what = |text: String| Self::BadMesh { level, what: text };
        match error {
            LevelError::DegenerateTet { tet } => Self::DegenerateTet { level, tet },
            LevelError::InvertedTet { tet } => Self::InvertedTet { level, tet },
            LevelError::BadIndex { tet } => what(format!(
                "tetrahedron {tet} names a node that does not exist"
            )),
            LevelError::NotFinite { node } => what(format!("node {node} is not finite")),
            LevelError::LooseNode { node } => {
                what(format!("node {node} belongs to no tetrahedron"))
            }
        }
    }
}

impl From<MismatchError> for AdaptiveBakeError {
    fn from(error: MismatchError) -> Self {
        match error {
            MismatchError::Disconnected {
                level,
                parts,
                of_finest,
            } => Self::DisconnectedLevel {
                level,
                parts,
                of_finest,
            },
            MismatchError::Volume { level, ratio } => Self::LevelVolumeMismatch {
                level,
                percent: 100.0 * ratio,
            },
        }
    }
}

/// Builds all levels, calibrated: [`bake_with`] the default.
///
/// # Errors
/// See [`AdaptiveBakeError`]; each names level and element.
pub fn bake(
    geometry: &BodyGeometry,
    progress: &Progress,
) -> Result<LodHierarchy, AdaptiveBakeError> {
    bake_with(geometry, Calibration::default(), progress)
}

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
        progress.stage(&format!("level {index} of {}", geometry.levels.len()));
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
            "skin vertex {} lies {:.3e} m from the finest level (mean edge {:.3e} m)",
            level.embedding.farthest_vertex, level.embedding.max_distance, level.spacing
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

/// A hierarchy of one level with `held` nodes instead of supports.
pub(crate) fn bake_single(
    mesh: TetMesh,
    skin: Arc<SurfaceMesh>,
    material: Material,
    held: &[u32],
    progress: &Progress,
) -> Result<LodHierarchy, AdaptiveBakeError> {
    check_material(&material)?;
    let count = mesh.nodes.len();
    let geometry = BodyGeometry {
        skin,
        material,
        supports: Vec::new(),
        levels: vec![Arc::new(mesh)],
        greens_level: None,
        voxels: None,
    };
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
    // only a damping ratio needs the lowest mode, which costs more than all the rest
    let lowest_frequency = match material.damping {
        Damping::Ratio(zeta) if zeta > 0.0 => lowest_frequency(&level, &material, progress)?,
        _ => {
            std::f64::consts::PI * (material.lame().mu / material.density).sqrt()
                / level.mesh.bounds().diagonal()
        }
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

fn check_material(material: &Material) -> Result<(), AdaptiveBakeError> {
    let bad = |what| Err(AdaptiveBakeError::BadMaterial { what });
    let positive = |x: f64| x.is_finite() && x > 0.0;
    let at_least_zero = |x: f64| x.is_finite() && x >= 0.0;
    if !positive(material.elastic.young) {
        return bad("young");
    }
    if !(material.elastic.poisson > -1.0 && material.elastic.poisson < 0.5) {
        return bad("poisson");
    }
    if !positive(material.density) {
        return bad("density");
    }
    let damping_is_good = match material.damping {
        Damping::Ratio(zeta) => at_least_zero(zeta),
        // ψ ≥ 0 and 3φ + 2ψ ≥ 0 take energy from every motion
        Damping::Parameters(d) => at_least_zero(d.psi) && at_least_zero(3.0 * d.phi + 2.0 * d.psi),
    };
    if !damping_is_good {
        return bad("damping");
    }
    Ok(())
}

fn build_level(
    index: usize,
    mesh: &Arc<TetMesh>,
    geometry: &BodyGeometry,
    total_volume: f64,
    progress: &Progress,
) -> Result<Level, AdaptiveBakeError> {
    if mesh.tets.is_empty() {
        return Err(AdaptiveBakeError::BadMesh {
            level: index,
            what: "no tetrahedron".to_string(),
        });
    }
    let fail = |e| AdaptiveBakeError::of_level(e, index);
    check_mesh(mesh).map_err(fail)?;
    let shapes = shape_gradients(mesh).map_err(fail)?;
    // every level has the mass of the finest
    let density = geometry.material.density * total_volume / mesh.volume();
    let frequencies = element_frequencies(&shapes, &geometry.material.lame(), density, progress)?;
    let spacing = mesh.mean_edge();
    let mut held = Vec::with_capacity(geometry.supports.len());
    for support in &geometry.supports {
        progress.check()?;
        let nodes = support.nodes(&mesh.nodes, spacing, &geometry.skin);
        if nodes.is_empty() {
            return Err(AdaptiveBakeError::SupportEmpty {
                support: support.name.clone(),
                level: index,
            });
        }
        held.push(nodes);
    }
    progress.check()?;
    let embedding = embed_in_tets(&geometry.skin, mesh, &mesh.boundary());
    Ok(Level {
        masses: mesh.lumped_masses(density),
        mesh: mesh.clone(),
        shapes: Arc::new(shapes),
        frequencies,
        stiffness: 1.0,
        local: Vec::new(),
        held,
        embedding,
        parents: Vec::new(),
        children: no_children(),
        up: Stencils::default(),
        down_tet: Stencils::default(),
        down_affine: Stencils::default(),
        above: Vec::new(),
        spacing,
    })
}

fn link_levels(
    levels: &mut [Level],
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<(), Cancelled> {
    for l in 1..levels.len() {
        progress.stage(&format!("parents of level {l}"));
        progress.check()?;
        let made = link(&levels[l].mesh, &levels[l - 1].mesh, progress)?;
        let leaves = made.parentage.leaves.len();
        if leaves > 0 {
            notes.push(format!(
                "{leaves} nodes of level {} have no child in level {l} and stay whole",
                l - 1
            ));
        }
        if made.far_outside > 0 {
            notes.push(format!(
                "FarOutside: {} nodes of levels {} and {l} lie far outside the other level",
                made.far_outside,
                l - 1
            ));
        }
        levels[l].above = places_above(&levels[l].mesh, &levels[l - 1], &made.up, progress)?;
        levels[l].parents = made.parentage.parents;
        levels[l].up = made.up;
        levels[l - 1].down_tet = made.down_tet;
        levels[l - 1].down_affine = made.down_affine;
    }
    link_children(levels);
    Ok(())
}

/// Parts that nothing holds fall on their own.
fn note_loose_parts(index: usize, level: &Level, notes: &mut Vec<String>) {
    let (label, count) = level.components();
    if count > 1 {
        let held = level.held_flags();
        let mut free = vec![true; count];
        for (l, &h) in label.iter().zip(&held) {
            free[*l as usize] &= !h;
        }
        let loose = free.iter().filter(|&&f| f).count();
        notes.push(format!(
            "level {index} falls into {count} parts, {loose} of them without a support"
        ));
    }
}
