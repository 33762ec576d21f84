//! The report on a surface.

use serde::Serialize;

use super::place::Place;
use super::walls::Walls;

/// A report on a surface. Its fields are the keys of the JSON that `pliant check` prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeshReport {
    /// Every edge has exactly two triangles.
    pub closed: bool,
    /// No edge has more than two triangles, no vertex more than one fan of them.
    pub manifold: bool,
    /// Neighbouring triangles agree about the outside.
    pub oriented: bool,
    /// Number of components that are connected by edges.
    pub components: usize,
    /// Number of handles over all components; `None` where it means nothing (open or not manifold).
    pub genus: Option<i64>,
    /// Number of rims of holes.
    pub boundary_loops: usize,
    /// Pairs of triangles that share no edge and cross or overlap; counting stops at 10,000.
    pub self_intersections: usize,
    /// Triangles that name a position twice or have no area.
    pub degenerate_faces: usize,
    /// Vertices at the position of an earlier one; a file format without vertex numbers (STL) has many.
    pub duplicate_vertices: usize,
    /// Vertices with a coordinate that is NaN or infinite.
    pub non_finite: usize,
    /// Smallest and largest corner over the vertices that triangles use, in the unit of the file; `None` if there are none.
    pub bbox: Option<[[f64; 3]; 2]>,
    /// Number of triangles, as in the file.
    pub triangles: usize,
    /// Number of vertices, as in the file.
    pub vertices: usize,
    /// Enclosed volume in the unit of the file, cubed; `None` unless closed and oriented.
    pub volume: Option<f64>,
    /// Walls of the solid; `None` where there is none.
    pub walls: Option<Walls>,
    /// Whether [`crate::repair::make_solid`] gives a solid, as every command makes one that opens the mesh.
    pub repairable: bool,
    /// What it would change, a sentence each.
    pub repairs: Vec<String>,
    /// What was found, worst first; empty for a clean surface.
    pub problems: Vec<Problem>,
}

/// One kind of finding.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Problem {
    /// Name that scripts match on, for example `"BoundaryEdges"`.
    pub code: &'static str,
    /// `error` (the mesh cannot be used), `warning` (look at the result) or `note` (mended, or harmless).
    pub severity: &'static str,
    /// How often.
    pub count: usize,
    /// A sentence with the number and the position of the first one.
    pub message: String,
    /// What to do about it.
    pub hint: &'static str,
    /// Vertices (of edges: both ends) or triangles in the numbering of the file, from 0; the first 16.
    pub elements: Vec<u32>,
    /// Position of the first one, in the unit of the file; `None` where the problem has no place.
    pub at: Option<[f64; 3]>,
    /// Where it is, the largest place first, in the unit of the file; at most [`MAX_PLACES`](super::MAX_PLACES).
    #[serde(skip)]
    pub places: Vec<Place>,
    /// Places beyond these.
    #[serde(skip)]
    pub further_places: usize,
}
