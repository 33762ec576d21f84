//! Why a hierarchy cannot be built.

use pliant_core::asset::Cancelled;

use crate::hierarchy::LevelError;

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
    /// A tetrahedron with almost no volume.
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

pliant_core::error_code!(AdaptiveBakeError);

impl AdaptiveBakeError {
    pub(crate) fn of_level(error: LevelError, level: usize) -> Self {
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
