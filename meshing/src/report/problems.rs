//! The findings as sentences, worst first.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::Topology;

use super::self_intersection::MOST_PAIRS;
use super::{Facts, Problem};
use crate::repair::error::point;
use crate::repair::{RepairError, Repaired};

/// All findings; the order of the statements is the ranking.
pub(super) fn ranked(
    raw: &SurfaceMesh,
    facts: &Facts,
    topology: &Topology,
    crossings: &[[u32; 2]],
    outcome: &Result<Repaired, RepairError>,
) -> Vec<Problem> {
    let mut list = List::default();
    if raw.triangles.is_empty() {
        list.add(
            "NoTriangles",
            1,
            |_| "there are no triangles".into(),
            "export a triangle surface, not points or wires",
        );
    }
    let welded = &facts.welded;
    let vertex = |v: u32| format!("vertex {v} at {}", place(welded.positions[v as usize]));
    let edge = |e: [u32; 2]| {
        let [a, b] = e.map(|v| welded.positions[v as usize]);
        format!(
            "the first joins vertices {} and {} near {}",
            e[0],
            e[1],
            place((a + b) * 0.5)
        )
    };
    let face = |t: u32| {
        let [a, b, c] = raw.corners(t as usize);
        format!(
            "the first is triangle {t} near {}",
            place((a + b + c) / 3.0)
        )
    };
    if let Some(&first) = facts.non_finite.first() {
        list.add(
            "NonFinite",
            facts.non_finite.len(),
            |n| format!("{n} vertices have a coordinate that is NaN or infinite; the first is vertex {first}"),
            "remove them in a modeller, or export the mesh again",
        );
    }
    if let Some(&first) = facts.out_of_range.first() {
        list.add(
            "IndexOutOfRange",
            facts.out_of_range.len(),
            |n| {
                format!(
                    "{n} triangles name a vertex that does not exist; the first is triangle {first}"
                )
            },
            "export the mesh again",
        );
    }
    if let Some(&first) = topology.boundary_edges.first() {
        let loops = topology.boundary_loops;
        list.add(
            "BoundaryEdges",
            topology.boundary_edges.len(),
            |n| {
                format!(
                    "{n} edges in {loops} rims have one triangle only; {}",
                    edge(first)
                )
            },
            "close the holes in a modeller; a sheet needs a thickness",
        );
    }
    if let Some(&first) = topology.non_manifold_edges.first() {
        list.add(
            "NonManifoldEdges",
            topology.non_manifold_edges.len(),
            |n| format!("{n} edges have more than two triangles; {}", edge(first)),
            "unite touching parts and remove inner walls in a modeller",
        );
    }
    match outcome {
        Err(RepairError::NotOrientable { at }) => list.add(
            "NotOrientable",
            1,
            |_| {
                format!(
                    "the surface has one side only, seen near {}",
                    place(Vec3::from(*at))
                )
            },
            "rebuild it in a modeller",
        ),
        Err(RepairError::FlatSurface { volume, .. }) => list.add(
            "FlatSurface",
            1,
            |_| format!("the surface encloses no volume ({volume:e})"),
            "give it a thickness in a modeller",
        ),
        _ => {}
    }
    if let Some(&[t, u]) = crossings.first() {
        let [t_in_file, u_in_file] = [t, u].map(|t| facts.number[t as usize]);
        let [a, b, c] = welded.corners(t as usize);
        let more = if crossings.len() == MOST_PAIRS {
            " or more"
        } else {
            ""
        };
        list.add(
            "SelfIntersections",
            crossings.len(),
            |n| {
                let near = place((a + b + c) / 3.0);
                format!("{n}{more} pairs of triangles cross; the first are {t_in_file} and {u_in_file} near {near}")
            },
            "unite overlapping parts in a modeller if the result looks wrong",
        );
    }
    if let Some(&first) = topology.misoriented_edges.first() {
        list.add(
            "MisorientedEdges",
            topology.misoriented_edges.len(),
            |n| {
                format!(
                    "{n} edges lie between triangles that disagree about the outside; {}",
                    edge(first)
                )
            },
            "nothing to do: the majority decides",
        );
    }
    if let Some(&first) = topology.non_manifold_vertices.first() {
        list.add(
            "Pinches",
            topology.non_manifold_vertices.len(),
            |n| {
                format!(
                    "{n} vertices join parts that touch in nothing else; the first is {}",
                    vertex(first)
                )
            },
            "nothing to do where the surface is closed: the parts are separated",
        );
    }
    if let Ok(repaired) = outcome
        && let Some(step) = repaired.steps.iter().find(|s| s.code == "TurnedComponents")
    {
        list.add(
            "InsideOut",
            step.count,
            |n| format!("{n} components are inside out"),
            "nothing to do: they are turned",
        );
    }
    if let Some(&first) = facts.degenerate.first() {
        list.add(
            "DegenerateFaces",
            facts.degenerate.len(),
            |n| format!("{n} triangles have no area; {}", face(first)),
            "nothing to do: they are removed where that leaves no hole",
        );
    }
    if let Some(&first) = facts.duplicate_faces.first() {
        list.add(
            "DuplicateFaces",
            facts.duplicate_faces.len(),
            |n| format!("{n} triangles are there twice; {}", face(first)),
            "nothing to do: one of each is kept",
        );
    }
    if facts.duplicate_vertices > 0 && !facts.is_soup {
        list.add(
            "DuplicateVertices",
            facts.duplicate_vertices,
            |n| format!("{n} vertices are at the position of another"),
            "nothing to do: they are joined where the surface needs it",
        );
    }
    if let Some(&first) = facts.unreferenced.first() {
        list.add(
            "UnreferencedVertices",
            facts.unreferenced.len(),
            |n| format!("{n} vertices belong to no triangle; the first is vertex {first}"),
            "nothing to do: they are dropped",
        );
    }
    list.problems
}

#[derive(Default)]
struct List {
    problems: Vec<Problem>,
}

impl List {
    fn add(
        &mut self,
        code: &'static str,
        count: usize,
        message: impl Fn(usize) -> String,
        hint: &'static str,
    ) {
        self.problems.push(Problem {
            code,
            count,
            message: message(count),
            hint,
        });
    }
}

fn place(p: Vec3) -> String {
    point(&p.into())
}
