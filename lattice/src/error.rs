//! Why a lattice cannot be baked or a stored one not be read.

use pliant_core::asset::Cancelled;
use pliant_core::math::numbers::decimal;

/// Why no lattice could be made of a body.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LatticeError {
    /// The geometry has no voxels.
    #[error(
        "the body has no voxels to put a lattice on\n  remedy: ask meshing for voxels when the lattice method is on"
    )]
    MissingVoxels,
    /// The voxel grid contradicts itself.
    #[error(
        "the voxel grid has {flags} flags for {cells} cells of {cell} m\n  remedy: voxelise the body again"
    )]
    BadGrid {
        /// Flags that the grid stores.
        flags: usize,
        /// Cells by its dimensions.
        cells: usize,
        /// Edge of a cell, m.
        cell: f64,
    },
    /// Not even one cell.
    #[error(
        "the lattice has {count} particles, fewer than the 8 of one cell\n  remedy: use smaller cells"
    )]
    TooFewParticles {
        /// Particles found.
        count: usize,
    },
    /// The grid exceeds the range of site numbers.
    #[error(
        "the lattice has {sites} sites, more than 2^27 or more than 65,535 along an axis\n  remedy: use larger cells"
    )]
    GridTooLarge {
        /// Sites of the grid.
        sites: usize,
    },
    /// The skin encloses nothing.
    #[error(
        "the skin encloses {volume:.3e} m³\n  remedy: close the surface and orient its triangles outwards"
    )]
    NoVolume {
        /// Signed volume, m³.
        volume: f64,
    },
    /// No admissible half-width and number of steps gives this modulus.
    #[error(
        "Young's modulus {} Pa is out of reach: at most {} Pa\n  remedy: take {}",
        decimal(*.young), decimal(*.e_max), remedy_for_steps(*.needed_substeps)
    )]
    StiffnessUnreachable {
        /// Modulus that was asked for, Pa.
        young: f64,
        /// Largest modulus within the limits, Pa.
        e_max: f64,
        /// Steps a frame that would reach it at the largest half-width allowed.
        needed_substeps: u64,
    },
    /// A parameter is outside its range.
    #[error("`{name}` is {value}, but must be {range}")]
    BadParameter {
        /// Which one.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What is allowed.
        range: &'static str,
    },
    /// A support selects nothing.
    #[error(
        "the support `{name}` holds no particle\n  remedy: widen its selection until it covers part of the skin"
    )]
    SupportEmpty {
        /// Name of the support.
        name: String,
    },
    /// A bone contains nothing.
    #[error(
        "the bone `{name}` holds no particle\n  remedy: make it wider than a cell, or use smaller cells"
    )]
    BoneEmpty {
        /// Name of the bone.
        name: String,
    },
    /// A bone and a support want the same particles.
    #[error(
        "the bone `{name}` holds particles of a support\n  remedy: end it above the support, which is rigid already"
    )]
    BoneHeld {
        /// Name of the bone.
        name: String,
    },
    /// Something of a lattice was asked of a body that is matched as a whole.
    #[error(
        "`{name}` needs regions, and the whole body is matched as one\n  remedy: leave it out, or match a lattice"
    )]
    NeedsRegions {
        /// What was asked for.
        name: &'static str,
    },
    /// The owner of the job cancelled it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Largest number of steps a frame.
pub(crate) const MAX_STEPS: u32 = 4096;

/// The remedy for a modulus that needs this number of steps a frame.
fn remedy_for_steps(needed_substeps: u64) -> String {
    match needed_substeps <= u64::from(MAX_STEPS) {
        true => format!("{needed_substeps} steps a frame, or larger cells"),
        false => "larger cells, a denser or a softer material".to_string(),
    }
}

pliant_core::error_code!(LatticeError);

/// Stored bytes are not a lattice of this version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the stored lattice is damaged at byte {at}\n  remedy: delete the file and bake again")]
pub struct AssetFormatError {
    /// Offset at which reading failed; that of the end of a list with an impossible number.
    pub at: usize,
}
