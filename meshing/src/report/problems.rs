//! The findings as sentences, worst first.

use pliant_core::math::Vec3;
use pliant_core::math::numbers::{counted, decimal};
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::Topology;

use super::facts::Facts;
use super::list::{List, Location, MAX_NAMED, first_of};
use super::mesh_report::Problem;
use super::scale;
use super::walls::Walls;
use crate::geometry::self_intersection::MAX_PAIRS;
use crate::repair::RepairError;
use crate::repair::error::{length, point, vertices};
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
    let mut found = Findings {
        raw,
        facts,
        list: List {
            problems: Vec::new(),
            is_repairable: outcome.is_ok(),
        },
    };
    found.unusable(outcome.err());
    if let Err(RepairError::CoordinateTooLarge { .. }) = outcome {
        // no length or area can be computed, so that all other findings would be wrong
        return found.list.problems;
    }
    let rims = counted(topology.boundary_loops, "rim");
    found.edges(
        "BoundaryEdges",
        &topology.boundary_edges,
        &format!("in {rims} with one triangle only"),
        "close the holes in a modeller; a sheet needs a thickness",
    );
    found.edges(
        "NonManifoldEdges",
        &topology.non_manifold_edges,
        "with more than two triangles",
        "unite touching parts and remove inner walls in a modeller",
    );
    found.no_body(outcome.err());
    found.crossings(crossings);
    found.thin_walls(walls);
    scale::suspect(raw, &mut found.list);
    found.edges(
        "MisorientedEdges",
        &topology.misoriented_edges,
        "between triangles that disagree about the outside",
        "nothing to do: the majority decides",
    );
    let at = |v: u32| place(facts.welded.positions[v as usize]);
    found.vertices(
        "Pinches",
        &topology.non_manifold_vertices,
        |v| {
            let vertex = format!("vertex {v} at {}", at(v));
            format!("between parts that touch in nothing else; the first is {vertex}")
        },
        "nothing to do where the surface is closed: the parts are separated",
    );
    found.inside_out(outcome.ok());
    found.faces(
        "DegenerateFaces",
        &facts.degenerate,
        "without area",
        "nothing to do: they are removed where that leaves no hole",
    );
    found.faces(
        "DuplicateFaces",
        &facts.duplicate_faces,
        "there twice",
        "nothing to do: one of each is kept",
    );
    if !facts.is_soup {
        found.vertices(
            "DuplicateVertices",
            &facts.duplicate_vertices,
            |_| "at the same place as another".into(),
            "nothing to do: they are joined where the surface needs it",
        );
    }
    found.vertices(
        "UnreferencedVertices",
        &facts.unreferenced,
        |v| format!("of no triangle; the first is {v}"),
        "nothing to do: they are dropped",
    );
    found.list.problems
}

/// The findings so far, and the surface that they are about.
struct Findings<'a> {
    raw: &'a SurfaceMesh,
    facts: &'a Facts,
    list: List,
}

impl Findings<'_> {
    /// Edges of the joined surface that are `what`.
    fn edges(&mut self, code: &'static str, edges: &[[u32; 2]], what: &str, hint: &'static str) {
        let Some(&[a, b]) = edges.first() else {
            return;
        };
        let [p, q] = [a, b].map(|v| self.facts.welded.positions[v as usize]);
        let middle = (p + q) * 0.5;
        let message = format!(
            "{} {what}; the first joins vertices {a} and {b} near {}",
            counted(edges.len(), "edge"),
            place(middle)
        );
        let ends = edges.iter().flatten().take(MAX_NAMED).copied().collect();
        let location = (ends, Some(middle));
        self.list.add(code, edges.len(), message, hint, location);
    }

    /// Vertices with the property `what`, given the first of them.
    fn vertices(
        &mut self,
        code: &'static str,
        numbers: &[u32],
        what: impl Fn(u32) -> String,
        hint: &'static str,
    ) {
        let Some(&first) = numbers.first() else {
            return;
        };
        let at = self.facts.welded.positions[first as usize];
        let message = format!("{} {}", vertices(numbers.len()), what(first));
        let location = (first_of(numbers), Some(at));
        self.list.add(code, numbers.len(), message, hint, location);
    }

    /// Triangles of the file that are `what`.
    fn faces(&mut self, code: &'static str, numbers: &[u32], what: &str, hint: &'static str) {
        let Some(&first) = numbers.first() else {
            return;
        };
        let middle = middle(self.raw, first as usize);
        let message = format!(
            "{} {what}; the first is triangle {first} near {}",
            counted(numbers.len(), "triangle"),
            place(middle)
        );
        let location = (first_of(numbers), Some(middle));
        self.list.add(code, numbers.len(), message, hint, location);
    }

    /// Problems that make the file unusable.
    fn unusable(&mut self, error: Option<&RepairError>) {
        if matches!(error, Some(RepairError::NoTriangles)) {
            self.list.add(
                "NoTriangles",
                1,
                "there is no triangle that has an area".into(),
                "export a triangle surface, not points or wires",
                Location::default(),
            );
        }
        if let Some(error @ (RepairError::NotSolid { .. } | RepairError::LostSurface { .. })) =
            error
        {
            let code = match error {
                RepairError::NotSolid { .. } => "NotSolid",
                _ => "LostSurface",
            };
            self.list.add(
                code,
                1,
                first_line(error),
                "close large openings in a modeller; sheets need a thickness (--thickness METRES)",
                (Vec::new(), error.at().map(Vec3::from)),
            );
        }
        if let Some(error) = error
            && let RepairError::CoordinateTooLarge { index, .. } = error
        {
            self.list.add(
                "CoordinateTooLarge",
                1,
                first_line(error),
                "export the mesh again in a smaller scale",
                (vec![*index], None),
            );
        }
        let Facts {
            non_finite,
            out_of_range,
            ..
        } = self.facts;
        if let Some(first) = non_finite.first() {
            let count = vertices(non_finite.len());
            self.list.add(
                "NonFinite",
                non_finite.len(),
                format!("{count} at NaN or infinity; the first is {first}"),
                "remove them in a modeller, or export the mesh again",
                (first_of(non_finite), None),
            );
        }
        if let Some(first) = out_of_range.first() {
            let count = counted(out_of_range.len(), "triangle");
            self.list.add(
                "IndexOutOfRange",
                out_of_range.len(),
                format!("{count} on a vertex that does not exist; the first is triangle {first}"),
                "export the mesh again",
                (first_of(out_of_range), None),
            );
        }
    }

    /// The surface has no inside.
    fn no_body(&mut self, error: Option<&RepairError>) {
        match error {
            Some(RepairError::NotOrientable { at }) => self.list.add(
                "NotOrientable",
                1,
                format!("the surface has one side only, seen near {}", point(at)),
                "rebuild it in a modeller",
                (Vec::new(), Some(Vec3::from(*at))),
            ),
            Some(RepairError::FlatSurface { volume, .. }) => self.list.add(
                "FlatSurface",
                1,
                format!("the surface encloses no volume ({})", decimal(*volume)),
                "give it a thickness (--thickness METRES)",
                Location::default(),
            ),
            _ => {}
        }
    }

    fn crossings(&mut self, crossings: &[[u32; 2]]) {
        let Some(&[first, _]) = crossings.first() else {
            return;
        };
        let Facts { welded, number, .. } = self.facts;
        let in_file: Vec<u32> = (crossings.iter().flatten().take(MAX_NAMED))
            .map(|&t| number[t as usize])
            .collect();
        let more = if crossings.len() == MAX_PAIRS {
            " or more"
        } else {
            ""
        };
        let middle = middle(welded, first as usize);
        let message = format!(
            "{}{more} of triangles that cross; the first are {} and {} near {}",
            counted(crossings.len(), "pair"),
            in_file[0],
            in_file[1],
            place(middle)
        );
        self.list.add(
            "SelfIntersections",
            crossings.len(),
            message,
            "unite overlapping parts in a modeller if the result looks wrong",
            (in_file, Some(middle)),
        );
    }

    fn thin_walls(&mut self, walls: Option<&Walls>) {
        if let Some(walls) = walls
            && let Some(finest) = walls.levels.last()
            && finest.edges_in_wall < 1.0
        {
            let message = format!(
                "walls with a thickness of {} near {} are {:.2} edges thick at {} nodes (edges of {}): levels lose them or make them thicker",
                length(walls.thinnest),
                point(&walls.thinnest_at),
                finest.edges_in_wall,
                finest.nodes,
                length(finest.edge)
            );
            self.list.add(
                "ThinWalls",
                1,
                message,
                "ask for more nodes, or make the walls thicker",
                (Vec::new(), Some(Vec3::from(walls.thinnest_at))),
            );
        }
    }

    fn inside_out(&mut self, repaired: Option<&Repaired>) {
        let turned = |repaired: &Repaired| {
            let mut steps = repaired.steps.iter();
            steps
                .find(|step| step.code == "TurnedComponents")
                .map(|step| step.count)
        };
        if let Some(count) = repaired.and_then(turned) {
            self.list.add(
                "InsideOut",
                count,
                format!("{} inside out", counted(count, "component")),
                "nothing to do: they are turned",
                Location::default(),
            );
        }
    }
}

/// Centroid of triangle `t`.
fn middle(surface: &SurfaceMesh, t: usize) -> Vec3 {
    let [a, b, c] = surface.corners(t);
    (a + b + c) / 3.0
}

/// An error without its remedy.
fn first_line(error: &RepairError) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().into()
}

fn place(p: Vec3) -> String {
    point(&p.into())
}
