//! Why a surface cannot be made a solid.

use pliant_core::asset::Cancelled;

/// Failure of [`super::repair`]. The variant's name is the error code that scripts match on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RepairError {
    /// There is no triangle, or none with an area.
    #[error("the mesh has no triangles\n  remedy: export a triangle surface, not points or wires")]
    NoTriangles,
    /// A triangle names a vertex that does not exist.
    #[error(
        "triangle {triangle} uses vertex {index} of {vertices}\n  remedy: export the mesh again"
    )]
    IndexOutOfRange {
        /// The triangle, from 0.
        triangle: usize,
        /// The vertex that it names, from 0.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A vertex of a triangle is not at a finite position.
    #[error(
        "vertex {index} has a coordinate that is not a finite number\n  remedy: remove it in a modeller, or export the mesh again"
    )]
    NonFinite {
        /// The vertex, from 0.
        index: u32,
    },
    /// The surface has holes or is a sheet.
    #[error("the surface has {holes} holes ({edges} open edges), one near ({:.6}, {:.6}, {:.6})\n  remedy: close them in a modeller and export again; holes are not yet closed here", .at[0], .at[1], .at[2])]
    SkinOpen {
        /// Number of rims.
        holes: usize,
        /// Edges with one triangle only.
        edges: usize,
        /// Middle of one of them, in the unit of the file.
        at: [f64; 3],
    },
    /// Three or more triangles share an edge and cannot be told apart into solids.
    #[error("{edges} edges have more than two triangles, one near ({:.6}, {:.6}, {:.6})\n  remedy: unite touching parts and remove inner walls in a modeller", .at[0], .at[1], .at[2])]
    NonManifold {
        /// How many edges.
        edges: usize,
        /// Middle of one of them, in the unit of the file.
        at: [f64; 3],
    },
    /// The surface has one side only, like a Klein bottle.
    #[error("the surface cannot be oriented: it has one side only, seen near ({:.6}, {:.6}, {:.6})\n  remedy: rebuild it in a modeller", .at[0], .at[1], .at[2])]
    NotOrientable {
        /// Middle of an edge where the sides clash, in the unit of the file.
        at: [f64; 3],
    },
    /// The surface is closed, but holds next to nothing.
    #[error(
        "the surface encloses no volume ({volume:e} in a box of diagonal {diagonal:e})\n  remedy: give it a thickness in a modeller"
    )]
    FlatSurface {
        /// Enclosed volume, in the unit of the file, cubed.
        volume: f64,
        /// Diagonal of the bounding box, in the unit of the file.
        diagonal: f64,
    },
    /// Cancelled by the owner of the job.
    #[error("cancelled")]
    Cancelled,
}

impl RepairError {
    /// Name of the variant: the code that scripts match on.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoTriangles => "NoTriangles",
            Self::IndexOutOfRange { .. } => "IndexOutOfRange",
            Self::NonFinite { .. } => "NonFinite",
            Self::SkinOpen { .. } => "SkinOpen",
            Self::NonManifold { .. } => "NonManifold",
            Self::NotOrientable { .. } => "NotOrientable",
            Self::FlatSurface { .. } => "FlatSurface",
            Self::Cancelled => "Cancelled",
        }
    }

    /// A position on the surface where the trouble is, in the unit of the file; `None` where it has no single place.
    pub fn at(&self) -> Option<[f64; 3]> {
        match self {
            Self::SkinOpen { at, .. }
            | Self::NonManifold { at, .. }
            | Self::NotOrientable { at } => Some(*at),
            _ => None,
        }
    }
}

impl From<Cancelled> for RepairError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}
