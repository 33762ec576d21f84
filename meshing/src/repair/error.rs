//! Why a surface cannot be made a solid.

use pliant_core::asset::Cancelled;
use pliant_core::diagnostics::variant_name;
use pliant_core::math::bounds::Aabb;
use pliant_core::math::numbers::{counted, decimal, grouped};
use pliant_core::mesh::SurfaceMesh;

/// Largest size of a coordinate. The volume of a box of this size, its square and the fourth power of an edge are finite numbers.
pub(crate) const MAX_COORDINATE: f64 = 1e50;
/// A flat surface farther from the origin than this many of its diagonals was made flat by lost digits: numbers of four bytes have seven.
const LOST_DIGITS: f64 = 1e6;

/// The error of a surface that encloses next to no `volume`. Vertices without a triangle do not count.
pub(crate) fn flat(surface: &SurfaceMesh, volume: f64) -> RepairError {
    let used = surface.triangles.iter().flatten();
    let bounds = match surface.triangles.is_empty() {
        true => surface.bounds(),
        false => Aabb::of_points(used.map(|&v| &surface.positions[v as usize])),
    };
    let (distance, diagonal) = (bounds.center().norm(), bounds.diagonal());
    // where all vertices have become one, the size is unknown
    let size = if diagonal > 0.0 { diagonal } else { 1.0 };
    match distance > LOST_DIGITS * size {
        true => RepairError::FarFromOrigin { distance, diagonal },
        false => RepairError::FlatSurface { volume, diagonal },
    }
}

/// A number of vertices for a message.
pub(crate) fn vertices(count: usize) -> String {
    match count {
        1 => "1 vertex".into(),
        _ => format!("{} vertices", grouped(count)),
    }
}

/// Ends the lengths and areas of messages. The length that it stands for is known only where the mesh is used.
pub(crate) const FILE_UNIT: &str = "of the file";

/// A length (unit of the file) for a message.
pub(crate) fn length(value: f64) -> String {
    match decimal(value).as_str() {
        "1" => format!("1 unit {FILE_UNIT}"),
        number => format!("{number} units {FILE_UNIT}"),
    }
}

/// An area (unit of the file, squared) for a message.
pub(crate) fn area(value: f64) -> String {
    match decimal(value).as_str() {
        "1" => format!("1 square unit {FILE_UNIT}"),
        number => format!("{number} square units {FILE_UNIT}"),
    }
}

/// Midpoint of an edge.
pub(crate) fn middle(surface: &SurfaceMesh, edge: [u32; 2]) -> [f64; 3] {
    let [a, b] = edge.map(|v| surface.positions[v as usize]);
    ((a + b) * 0.5).into()
}

/// A position for a message, with six figures of its largest coordinate.
pub(crate) fn point(at: &[f64; 3]) -> String {
    let largest = at.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let exponent = if largest > 0.0 {
        largest.log10().floor()
    } else {
        0.0
    };
    if (-4.0..=9.0).contains(&exponent) {
        let decimals = (5.0 - exponent).max(0.0) as usize;
        format!(
            "({:.decimals$}, {:.decimals$}, {:.decimals$})",
            at[0], at[1], at[2]
        )
    } else {
        format!("({:.5e}, {:.5e}, {:.5e})", at[0], at[1], at[2])
    }
}

/// Failure of [`crate::repair::repair`]. The variant's name is the error code that scripts match on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RepairError {
    /// There is no triangle, or none with an area.
    #[error(
        "the mesh has no triangle that has an area\n  remedy: export a triangle surface, not points or wires"
    )]
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
    /// A coordinate is finite, but areas and volumes computed from it would not be.
    #[error(
        "vertex {index} has a coordinate of size {coordinate:e}: areas and volumes are finite up to {:e} only\n  remedy: export the mesh again in a smaller scale",
        MAX_COORDINATE
    )]
    CoordinateTooLarge {
        /// The vertex, from 0.
        index: u32,
        /// Size of its largest coordinate, in the unit of the file.
        coordinate: f64,
    },
    /// The surface encloses no volume, because its coordinates lost their digits far from the origin.
    #[error(
        "the mesh is {} away from the origin, but only {} in size: its coordinates lost the digits that make its shape\n  remedy: move it to the origin before it is exported",
        length(*.distance), length(*.diagonal)
    )]
    FarFromOrigin {
        /// Distance of its middle from the origin, in the unit of the file.
        distance: f64,
        /// Diagonal of the bounding box, in the unit of the file.
        diagonal: f64,
    },
    /// The surface has holes or is a sheet.
    #[error("the surface is open: {} with {edges} open edges, one near {}\n  remedy: close them in a modeller and export again; a sheet needs a thickness (--thickness METRES)", counted(*.holes, "hole"), point(.at))]
    SkinOpen {
        /// Number of rims.
        holes: usize,
        /// Edges with one triangle only.
        edges: usize,
        /// Middle of one of them, in the unit of the file.
        at: [f64; 3],
    },
    /// Three or more triangles share an edge and cannot be separated into solids.
    #[error("{edges} edges have more than two triangles, one near {}\n  remedy: unite touching parts and remove inner walls in a modeller", point(.at))]
    NonManifold {
        /// How many edges.
        edges: usize,
        /// Middle of one of them, in the unit of the file.
        at: [f64; 3],
    },
    /// The surface has one side only, like a Klein bottle.
    #[error("the surface cannot be oriented: it has one side only, seen near {}\n  remedy: rebuild it in a modeller", point(.at))]
    NotOrientable {
        /// Middle of an edge where the sides clash, in the unit of the file.
        at: [f64; 3],
    },
    /// Neighbouring triangles have opposite outsides, and they may not be turned.
    #[error("{} between triangles that disagree about the outside, one near {}\n  remedy: turn faces in a modeller, or let Pliant repair it (repair auto)", counted(*.edges, "edge"), point(.at))]
    Misoriented {
        /// How many edges.
        edges: usize,
        /// Middle of one of them, in the unit of the file.
        at: [f64; 3],
    },
    /// Parts of the surface touch in single vertices, and they may not be separated.
    #[error("{} between parts that touch in nothing else, one near {}\n  remedy: separate the parts in a modeller, or let Pliant repair it (repair auto)", vertices(*.pinches), point(.at))]
    Pinched {
        /// How many vertices.
        pinches: usize,
        /// One of them, in the unit of the file.
        at: [f64; 3],
    },
    /// The surface is closed, but holds next to nothing, or all of its triangles lie on each other in pairs.
    #[error(
        "the surface encloses no volume ({} in a box of diagonal {})\n  remedy: give it a thickness (--thickness METRES)",
        decimal(*.volume), decimal(*.diagonal)
    )]
    FlatSurface {
        /// Enclosed volume, in the unit of the file, cubed.
        volume: f64,
        /// Diagonal of the bounding box, in the unit of the file.
        diagonal: f64,
    },
    /// Most of the surface is inside out, and it may not be turned.
    #[error(
        "the surface is inside out: its volume is {}\n  remedy: turn its faces in a modeller, or let Pliant repair it (repair auto)",
        decimal(*.volume)
    )]
    InsideOut {
        /// Enclosed volume, negative, in the unit of the file, cubed.
        volume: f64,
    },
    /// What the repairs left is another body than the file describes.
    #[error("{:.0} % of the surface would be lost by the repairs (limit {:.0} %), up to {} away{}\n  remedy: unite or close the parts in a modeller; sheets need a thickness (--thickness METRES)", 100.0 * .lost, 100.0 * .limit, length(*.distance), near(.at))]
    LostSurface {
        /// Share of the input's area, 0 to 1.
        lost: f64,
        /// The most that is accepted.
        limit: f64,
        /// Largest distance of lost surface to the result, in the unit of the file.
        distance: f64,
        /// The farthest lost point, in the unit of the file; `None` where sheets are lost.
        at: Option<[f64; 3]>,
    },
    /// Neither repairing nor closing holes nor wrapping gave a solid; see [`crate::repair::make_solid`]. Its code and place are those of `first`.
    #[error("{}", with_attempts(.first, .tried))]
    NotSolid {
        /// Why repairing alone failed.
        first: Box<RepairError>,
        /// What else was tried and why that failed, a phrase each.
        tried: Vec<String>,
    },
    /// Cancelled by the owner of the job.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// The end of a sentence.
fn near(at: &Option<[f64; 3]>) -> String {
    at.as_ref()
        .map_or_else(String::new, |at| format!(", near {}", point(at)))
}

/// The first error with the attempts before its remedy.
fn with_attempts(first: &RepairError, tried: &[String]) -> String {
    let text = first.to_string();
    let (reason, remedy) = text.split_once('\n').unwrap_or((&text, ""));
    let tried = tried.join("; ");
    format!("{reason} (tried: {tried})\n{remedy}")
        .trim_end()
        .to_string()
}

impl RepairError {
    /// Name of the variant: the code that scripts match on.
    pub fn code(&self) -> String {
        match self {
            Self::NotSolid { first, .. } => first.code(),
            _ => variant_name(self),
        }
    }

    /// A position on the surface where the trouble is, in the unit of the file; `None` where it has no single place.
    pub fn at(&self) -> Option<[f64; 3]> {
        match self {
            Self::SkinOpen { at, .. }
            | Self::NonManifold { at, .. }
            | Self::NotOrientable { at }
            | Self::Misoriented { at, .. }
            | Self::Pinched { at, .. } => Some(*at),
            Self::LostSurface { at, .. } => *at,
            Self::NotSolid { first, .. } => first.at(),
            _ => None,
        }
    }
}
