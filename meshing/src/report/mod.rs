//! What is wrong with a surface, where, and whether it can be repaired.

pub(crate) mod crossing;
pub mod fidelity;
mod fit;
mod problems;
mod self_intersection;
mod walls;

pub(crate) use self_intersection::crossing_pairs;

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::topology;
use serde::Serialize;

pub use fit::require_fit;
pub use walls::{WallAtNodes, Walls};

use crate::repair::faces::{duplicates, is_degenerate, repeats};
use crate::repair::weld::equal_positions;
use crate::repair::{RepairError, make_solid};

/// A report on a surface. Its fields are the keys of the JSON that `pliant check` prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeshReport {
    /// Every edge has exactly two triangles.
    pub closed: bool,
    /// No edge has more than two triangles, no vertex more than one fan of them.
    pub manifold: bool,
    /// Neighbouring triangles agree about the outside.
    pub oriented: bool,
    /// Number of components that hang together by edges.
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
}

/// Examines a surface as a file has it. Topology is judged after joining equal positions (STL stores every corner by itself) and without
/// faces that name one of them twice.
///
/// Cost: 200,000 triangles take some seconds; a surface that must be wrapped takes as long as that.
///
/// ```
/// use pliant_core::{asset::Progress, math::Vec3, mesh::procedural::{CellStyle, box_surface}};
/// use pliant_meshing::report::check;
/// let mut surface = box_surface(Vec3::repeat(1.0), [2, 2, 2], CellStyle::Kuhn);
/// assert!(check(&surface, &Progress::new()).expect("not cancelled").problems.is_empty());
///
/// surface.triangles.pop();
/// let report = check(&surface, &Progress::new()).expect("not cancelled");
/// assert!(!report.closed && report.repairable);
/// assert_eq!(report.problems[0].code, "BoundaryEdges");
/// ```
pub fn check(raw: &SurfaceMesh, progress: &Progress) -> Result<MeshReport, Cancelled> {
    progress.stage("checking");
    progress.check()?;
    let facts = Facts::of(raw);
    progress.check()?;
    let topology = topology(&facts.welded);
    progress.check()?;
    progress.stage("looking for self-intersections");
    let crossings = self_intersection::crossing_pairs(&facts.welded, progress)?;
    let outcome = match make_solid(raw, progress) {
        Err(RepairError::Cancelled) => return Err(Cancelled),
        other => other,
    };
    let walls = outcome
        .as_ref()
        .ok()
        .and_then(|solid| walls::walls(&solid.surface));
    let closed = topology.is_closed()
        && topology.non_manifold_edges.is_empty()
        && !facts.welded.triangles.is_empty();
    let oriented = topology.is_oriented();
    let used = facts.welded.triangles.iter().flatten();
    let bounds = Aabb::of_points(used.map(|&v| &facts.welded.positions[v as usize]));
    Ok(MeshReport {
        closed,
        manifold: topology.is_manifold(),
        oriented,
        components: topology.components,
        genus: topology.genus().filter(|_| closed),
        boundary_loops: topology.boundary_loops,
        self_intersections: crossings.len(),
        degenerate_faces: facts.degenerate.len(),
        duplicate_vertices: facts.duplicate_vertices,
        non_finite: facts.non_finite.len(),
        bbox: (!bounds.is_empty()).then(|| [bounds.min.into(), bounds.max.into()]),
        triangles: raw.triangles.len(),
        vertices: raw.vertex_count(),
        volume: (closed && oriented).then(|| facts.welded.volume()),
        repairable: outcome.is_ok(),
        repairs: outcome
            .as_ref()
            .map(|r| r.steps.iter().map(|s| s.message.clone()).collect())
            .unwrap_or_default(),
        problems: problems::ranked(raw, &facts, &topology, &crossings, &outcome, walls.as_ref()),
        walls,
    })
}

/// Pairs of triangles that cross, and whether some triangle is there twice.
pub(crate) fn crossings(
    surface: &SurfaceMesh,
    progress: &Progress,
) -> Result<(usize, bool), Cancelled> {
    let facts = Facts::of(surface);
    progress.stage("looking for self-intersections");
    let pairs = self_intersection::crossing_pairs(&facts.welded, progress)?;
    Ok((pairs.len(), !facts.duplicate_faces.is_empty()))
}

/// What counting finds, and the surface that topology is judged on.
struct Facts {
    /// equal positions joined, without faces that repeat a vertex, name a missing one or one that is not finite
    welded: SurfaceMesh,
    /// number in the file of each triangle of `welded`
    number: Vec<u32>,
    out_of_range: Vec<u32>,
    non_finite: Vec<u32>,
    degenerate: Vec<u32>,
    duplicate_faces: Vec<u32>,
    duplicate_vertices: usize,
    /// the file has three vertices a triangle, so duplicates are its nature
    is_soup: bool,
    /// vertices without a triangle
    unreferenced: Vec<u32>,
}

impl Facts {
    fn of(raw: &SurfaceMesh) -> Self {
        let count = raw.vertex_count();
        let same = equal_positions(&raw.positions);
        let finite: Vec<bool> = raw
            .positions
            .iter()
            .map(|p| p.iter().all(|x| x.is_finite()))
            .collect();
        let mut facts = Self {
            welded: SurfaceMesh::new(Vec::new(), Vec::with_capacity(raw.triangles.len())),
            number: Vec::with_capacity(raw.triangles.len()),
            out_of_range: Vec::new(),
            non_finite: numbers_where(&finite, |f| !f),
            degenerate: Vec::new(),
            duplicate_faces: Vec::new(),
            duplicate_vertices: same
                .iter()
                .enumerate()
                .filter(|(v, first)| **first != *v as u32 && finite[*v])
                .count(),
            is_soup: count == 3 * raw.triangles.len(),
            unreferenced: Vec::new(),
        };
        let mut used = vec![false; count];
        for (k, triangle) in raw.triangles.iter().enumerate() {
            if triangle.iter().any(|&v| v as usize >= count) {
                facts.out_of_range.push(k as u32);
                continue;
            }
            for &v in triangle {
                used[v as usize] = true;
            }
            if !triangle.iter().all(|&v| finite[v as usize]) {
                continue;
            }
            let joined = triangle.map(|v| same[v as usize]);
            if repeats(&joined) {
                facts.degenerate.push(k as u32);
                continue;
            }
            if is_degenerate(raw.corners(k)) {
                facts.degenerate.push(k as u32);
            }
            facts.welded.triangles.push(joined);
            facts.number.push(k as u32);
        }
        let twice = duplicates(&facts.welded.triangles);
        facts.duplicate_faces = numbers_where(&twice, |t| *t)
            .iter()
            .map(|&t| facts.number[t as usize])
            .collect();
        facts.unreferenced = numbers_where(&used, |u| !u);
        // vertices keep their numbers, and those that are not finite are used by nobody
        let origin = |(p, f): (&Vec3, &bool)| if *f { *p } else { Vec3::zeros() };
        facts.welded.positions = raw.positions.iter().zip(&finite).map(origin).collect();
        facts
    }
}

fn numbers_where<T>(items: &[T], test: impl Fn(&T) -> bool) -> Vec<u32> {
    let all = items.iter().enumerate();
    all.filter(|(_, x)| test(x))
        .map(|(k, _)| k as u32)
        .collect()
}

#[cfg(test)]
mod tests;
