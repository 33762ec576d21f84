//! The findings as sentences, worst first.

use pliant_core::math::Vec3;
use pliant_core::math::numbers::{counted, decimal};
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::Topology;

use super::facts::Facts;
use super::list::{List, NAMED, NOWHERE, Spot, first_of};
use super::mesh_report::Problem;
use super::scale;
use super::walls::Walls;
use crate::geometry::self_intersection::MOST_PAIRS;
use crate::repair::RepairError;
use crate::repair::error::{point, vertices};
use crate::repair::repaired::Repaired;

/// All findings; the order of the statements is the ranking.
pub(super) fn ranked(
    raw: &SurfaceMesh,
    facts: &Facts,
    topology: &Topology,
    crossings: &[[u32; 2]],
    outcome: Result<&Repaired, &RepairError>,
    walls: Option<&Walls>,
) -> Vec<Problem> {
    let mut list = List {
        problems: Vec::new(),
        is_mended: outcome.is_ok(),
    };
    if raw.triangles.is_empty() {
        list.add(
            "NoTriangles",
            1,
            |_| "there are no triangles".into(),
            "export a triangle surface, not points or wires",
            NOWHERE(),
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
    let on_edges = |edges: &[[u32; 2]]| -> Spot {
        let ends: Vec<u32> = edges.iter().flatten().take(NAMED).copied().collect();
        let middle = edges.first().map(|e| {
            let [a, b] = e.map(|v| welded.positions[v as usize]);
            (a + b) * 0.5
        });
        (ends, middle)
    };
    let on_vertices = |list: &[u32]| -> Spot {
        let first = list.first().map(|&v| welded.positions[v as usize]);
        (first_of(list), first)
    };
    let on_faces = |list: &[u32]| -> Spot {
        let first = list.first().map(|&t| {
            let [a, b, c] = raw.corners(t as usize);
            (a + b + c) / 3.0
        });
        (first_of(list), first)
    };
    let face = |t: u32| {
        let [a, b, c] = raw.corners(t as usize);
        format!(
            "the first is triangle {t} near {}",
            place((a + b + c) / 3.0)
        )
    };
    if let Err(error @ (RepairError::NotSolid { .. } | RepairError::LostSurface { .. })) = outcome {
        let code = match error {
            RepairError::NotSolid { .. } => "NotSolid",
            _ => "LostSurface",
        };
        let text = error.to_string();
        let reason = text.lines().next().unwrap_or_default().to_string();
        list.add(
            code,
            1,
            |_| reason.clone(),
            "close large openings in a modeller; sheets need a thickness (--thickness METRES)",
            (Vec::new(), error.at().map(Vec3::from)),
        );
    }
    if let Some(&first) = facts.non_finite.first() {
        list.add(
            "NonFinite",
            facts.non_finite.len(),
            |n| format!("{} at NaN or infinity; the first is {first}", vertices(n)),
            "remove them in a modeller, or export the mesh again",
            (first_of(&facts.non_finite), None),
        );
    }
    if let Some(&first) = facts.out_of_range.first() {
        list.add(
            "IndexOutOfRange",
            facts.out_of_range.len(),
            |n| {
                let wrong = counted(n, "triangle");
                format!("{wrong} on a vertex that does not exist; the first is triangle {first}")
            },
            "export the mesh again",
            (first_of(&facts.out_of_range), None),
        );
    }
    if let Some(&first) = topology.boundary_edges.first() {
        let loops = topology.boundary_loops;
        list.add(
            "BoundaryEdges",
            topology.boundary_edges.len(),
            |n| {
                let (edges, rims) = (counted(n, "edge"), counted(loops, "rim"));
                format!("{edges} in {rims} with one triangle only; {}", edge(first))
            },
            "close the holes in a modeller; a sheet needs a thickness",
            on_edges(&topology.boundary_edges),
        );
    }
    if let Some(&first) = topology.non_manifold_edges.first() {
        list.add(
            "NonManifoldEdges",
            topology.non_manifold_edges.len(),
            |n| {
                let edges = counted(n, "edge");
                format!("{edges} with more than two triangles; {}", edge(first))
            },
            "unite touching parts and remove inner walls in a modeller",
            on_edges(&topology.non_manifold_edges),
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
            (Vec::new(), Some(Vec3::from(*at))),
        ),
        Err(RepairError::FlatSurface { volume, .. }) => list.add(
            "FlatSurface",
            1,
            |_| format!("the surface encloses no volume ({})", decimal(*volume)),
            "give it a thickness in a modeller",
            NOWHERE(),
        ),
        _ => {}
    }
    if let Some(&[t, u]) = crossings.first() {
        let [t_in_file, u_in_file] = [t, u].map(|t| facts.number[t as usize]);
        let [a, b, c] = welded.corners(t as usize);
        let all = crossings.iter().flatten().take(NAMED);
        let crossing_triangles = all.map(|&t| facts.number[t as usize]).collect();
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
                format!("{}{more} of triangles that cross; the first are {t_in_file} and {u_in_file} near {near}", counted(n, "pair"))
            },
            "unite overlapping parts in a modeller if the result looks wrong",
            (crossing_triangles, Some((a + b + c) / 3.0)),
        );
    }
    if let Some(walls) = walls
        && let Some(finest) = walls.levels.last()
        && finest.edges_in_wall < 1.0
    {
        list.add(
            "ThinWalls",
            1,
            |_| {
                format!(
                    "walls of {} near {} are {:.2} edges thick at {} nodes (edges of {}): levels lose or swell them",
                    decimal(walls.thinnest),
                    point(&walls.thinnest_at),
                    finest.edges_in_wall,
                    finest.nodes,
                    decimal(finest.edge)
                )
            },
            "ask for more nodes, or make the walls thicker",
            (Vec::new(), Some(Vec3::from(walls.thinnest_at))),
        );
    }
    scale::suspect(raw, &mut list);
    if let Some(&first) = topology.misoriented_edges.first() {
        list.add(
            "MisorientedEdges",
            topology.misoriented_edges.len(),
            |n| {
                format!(
                    "{} between triangles that disagree about the outside; {}",
                    counted(n, "edge"),
                    edge(first)
                )
            },
            "nothing to do: the majority decides",
            on_edges(&topology.misoriented_edges),
        );
    }
    if let Some(&first) = topology.non_manifold_vertices.first() {
        list.add(
            "Pinches",
            topology.non_manifold_vertices.len(),
            |n| {
                format!(
                    "{} between parts that touch in nothing else; the first is {}",
                    vertices(n),
                    vertex(first)
                )
            },
            "nothing to do where the surface is closed: the parts are separated",
            on_vertices(&topology.non_manifold_vertices),
        );
    }
    if let Ok(repaired) = outcome
        && let Some(step) = repaired.steps.iter().find(|s| s.code == "TurnedComponents")
    {
        list.add(
            "InsideOut",
            step.count,
            |n| format!("{} inside out", counted(n, "component")),
            "nothing to do: they are turned",
            NOWHERE(),
        );
    }
    if let Some(&first) = facts.degenerate.first() {
        list.add(
            "DegenerateFaces",
            facts.degenerate.len(),
            |n| format!("{} without area; {}", counted(n, "triangle"), face(first)),
            "nothing to do: they are removed where that leaves no hole",
            on_faces(&facts.degenerate),
        );
    }
    if let Some(&first) = facts.duplicate_faces.first() {
        list.add(
            "DuplicateFaces",
            facts.duplicate_faces.len(),
            |n| format!("{} there twice; {}", counted(n, "triangle"), face(first)),
            "nothing to do: one of each is kept",
            on_faces(&facts.duplicate_faces),
        );
    }
    if !facts.duplicate_vertices.is_empty() && !facts.is_soup {
        list.add(
            "DuplicateVertices",
            facts.duplicate_vertices.len(),
            |n| format!("{} at the position of another", vertices(n)),
            "nothing to do: they are joined where the surface needs it",
            on_vertices(&facts.duplicate_vertices),
        );
    }
    if let Some(&first) = facts.unreferenced.first() {
        list.add(
            "UnreferencedVertices",
            facts.unreferenced.len(),
            |n| format!("{} of no triangle; the first is {first}", vertices(n)),
            "nothing to do: they are dropped",
            on_vertices(&facts.unreferenced),
        );
    }
    list.problems
}

fn place(p: Vec3) -> String {
    point(&p.into())
}
