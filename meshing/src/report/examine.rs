//! Examines a surface as a file has it.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::{Topology, topology};

use super::facts::Facts;
use super::mesh_report::{MeshReport, Problem};
use super::repair_steps::is_step_for;
use super::{places, problems, walls};
use crate::geometry::self_intersection;
use crate::repair::{RepairError, RepairStep, Repaired, make_solid};

/// Examines a surface as a file has it. A surface that is closed, manifold and oriented by its vertex numbers is taken as such: a cut whose sides lie on each other has separate vertices for each. Otherwise topology is
/// judged after joining equal positions (STL stores every corner by itself) and without faces that name one of them twice.
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
///
/// # Errors
/// [`Cancelled`]; a surface with any fault gets a report.
pub fn check(raw: &SurfaceMesh, progress: &Progress) -> Result<MeshReport, Cancelled> {
    progress.stage("checking");
    progress.check()?;
    let facts = Facts::of(raw);
    progress.check()?;
    let topology = judged_topology(raw, &facts);
    progress.check()?;
    progress.stage("looking for self-intersections");
    let crossings = self_intersection::crossing_pairs(&facts.welded, progress)?;
    let outcome = match make_solid(raw, progress) {
        Err(RepairError::Cancelled(cancelled)) => return Err(cancelled),
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
    let mut problems = problems::ranked(
        raw,
        &facts,
        &topology,
        &crossings,
        outcome.as_ref(),
        walls.as_ref(),
    );
    places::find(&mut problems, raw, &facts, &topology, &crossings);
    Ok(MeshReport {
        closed,
        manifold: topology.is_manifold(),
        oriented,
        components: topology.components,
        genus: topology.genus().filter(|_| closed),
        boundary_loops: topology.boundary_loops,
        self_intersections: crossings.len(),
        degenerate_faces: facts.degenerate.len(),
        duplicate_vertices: facts.duplicate_vertices.len(),
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
        problems,
        walls,
    })
}

/// The problems of the surface from which `repaired` was made, with places: those of [`check`] except thin walls and the unit.
///
/// Cost: constant if nothing was repaired, else O(n log n). It does not repeat the repair, and searches crossing triangles only if a step of the repair is for them.
///
/// # Errors
/// [`Cancelled`].
///
/// ```
/// use pliant_core::{asset::Progress, math::Vec3, mesh::procedural::{CellStyle, box_surface}};
/// use pliant_meshing::{repair::make_solid, report::{PlaceShape, repaired_problems}};
/// let mut surface = box_surface(Vec3::repeat(1.0), [6, 6, 6], CellStyle::Kuhn);
/// surface.triangles.pop();
/// let solid = make_solid(&surface, &Progress::new()).expect("one triangle is missing");
/// let problems = repaired_problems(&surface, &solid, &Progress::new()).expect("not cancelled");
/// assert_eq!(problems[0].code, "BoundaryEdges");
/// // one rim of three edges
/// let rim = &problems[0].places[0];
/// assert_eq!((rim.shape, rim.points.len()), (PlaceShape::Edges, 6));
/// ```
pub fn repaired_problems(
    raw: &SurfaceMesh,
    repaired: &Repaired,
    progress: &Progress,
) -> Result<Vec<Problem>, Cancelled> {
    if repaired.steps.is_empty() {
        return Ok(Vec::new());
    }
    progress.check()?;
    let facts = Facts::of(raw);
    let topology = judged_topology(raw, &facts);
    progress.check()?;
    let tells_crossings = |step: &RepairStep| is_step_for("SelfIntersections", step);
    let crossings = match repaired.steps.iter().any(tells_crossings) {
        true => self_intersection::crossing_pairs(&facts.welded, progress)?,
        false => Vec::new(),
    };
    let mut found = problems::ranked(raw, &facts, &topology, &crossings, Ok(repaired), None);
    // a body has the size that its scene gives it
    found.retain(|problem| problem.code != "ScaleSuspicious");
    places::find(&mut found, raw, &facts, &topology, &crossings);
    Ok(found)
}

/// The topology by which a surface is judged.
fn judged_topology(raw: &SurfaceMesh, facts: &Facts) -> Topology {
    as_numbered(raw, facts).unwrap_or_else(|| topology(&facts.welded))
}

/// The topology by vertex numbers alone, if the surface is sound by these and has other vertices at equal positions.
fn as_numbered(raw: &SurfaceMesh, facts: &Facts) -> Option<Topology> {
    let are_numbers_whole = facts.out_of_range.is_empty() && facts.non_finite.is_empty();
    if !are_numbers_whole || facts.is_soup || facts.duplicate_vertices.is_empty() {
        return None;
    }
    Some(topology(raw)).filter(Topology::is_sound)
}
