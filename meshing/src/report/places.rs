//! Where problems are: the triangles, edges and points that have them.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::{Topology, UnionFind};

use super::facts::Facts;
use super::mesh_report::Problem;
use super::place::{MAX_PLACES, Place, PlaceShape};

/// Most triangles, edges or points of all places of a problem together; large places are truncated.
const MAX_PIECES: usize = 4000;

/// Gives each problem its places, found by its code.
pub(super) fn find(
    problems: &mut [Problem],
    raw: &SurfaceMesh,
    facts: &Facts,
    topology: &Topology,
    crossings: &[[u32; 2]],
) {
    let welded = &facts.welded;
    for problem in problems {
        let (shape, (total, mut groups)) = match problem.code {
            "BoundaryEdges" => chains(welded, &topology.boundary_edges),
            "NonManifoldEdges" => chains(welded, &topology.non_manifold_edges),
            "MisorientedEdges" => chains(welded, &topology.misoriented_edges),
            "Pinches" => vertices(welded, &topology.non_manifold_vertices),
            "DuplicateVertices" => vertices(raw, &facts.duplicate_vertices),
            "UnreferencedVertices" => vertices(raw, &facts.unreferenced),
            "DegenerateFaces" => faces(raw, facts.degenerate.iter().map(|&t| vec![t])),
            "DuplicateFaces" => faces(raw, facts.duplicate_faces.iter().map(|&t| vec![t])),
            "SelfIntersections" => faces(welded, crossings.iter().map(|pair| pair.to_vec())),
            _ => {
                let at = problem.at.map(|at| vec![Vec3::from(at)]);
                (
                    PlaceShape::Points,
                    (usize::from(at.is_some()), at.into_iter().collect()),
                )
            }
        };
        let max_points = MAX_PIECES / groups.len().max(1) * shape.corners();
        groups
            .iter_mut()
            .for_each(|points| points.truncate(max_points));
        problem.further_places = total - groups.len();
        problem.places = groups
            .into_iter()
            .map(|points| Place { shape, points })
            .collect();
    }
}

/// The number of all places, and the points of those that are kept.
type Groups = (usize, Vec<Vec<Vec3>>);

/// Connected edges, the longest chain first.
fn chains(surface: &SurfaceMesh, edges: &[[u32; 2]]) -> (PlaceShape, Groups) {
    let mut sets = UnionFind::new(surface.vertex_count());
    edges.iter().for_each(|&[a, b]| sets.join(a, b));
    let mut edges_by_root: Vec<(u32, [u32; 2])> =
        edges.iter().map(|e| (sets.find(e[0]), *e)).collect();
    edges_by_root.sort_unstable();
    let mut chains: Vec<&[(u32, [u32; 2])]> = edges_by_root.chunk_by(|a, b| a.0 == b.0).collect();
    // stable: chains of one length stay in the order of their first vertices
    chains.sort_by_key(|chain| std::cmp::Reverse(chain.len()));
    let ends = |chain: &&[(u32, [u32; 2])]| {
        let ends = chain.iter().flat_map(|(_, edge)| *edge);
        ends.map(|v| surface.positions[v as usize]).collect()
    };
    let kept = chains.iter().take(MAX_PLACES).map(ends).collect();
    (PlaceShape::Edges, (chains.len(), kept))
}

/// Each vertex by itself; those without a finite position are left out.
fn vertices(surface: &SurfaceMesh, numbers: &[u32]) -> (PlaceShape, Groups) {
    let all = numbers.iter().map(|&v| surface.positions[v as usize]);
    let finite = all.filter(|x| x.iter().all(|x| x.is_finite()));
    let total = finite.clone().count();
    let kept = finite.take(MAX_PLACES).map(|x| vec![x]).collect();
    (PlaceShape::Points, (total, kept))
}

/// The triangles of each group.
fn faces(
    surface: &SurfaceMesh,
    groups: impl ExactSizeIterator<Item = Vec<u32>>,
) -> (PlaceShape, Groups) {
    let total = groups.len();
    let corners = |group: Vec<u32>| {
        let corners = group.into_iter().flat_map(|t| surface.corners(t as usize));
        corners.collect()
    };
    let kept = groups.take(MAX_PLACES).map(corners).collect();
    (PlaceShape::Triangles, (total, kept))
}

#[cfg(test)]
mod tests {
    use pliant_core::asset::Progress;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    use super::*;
    use crate::repair::make_solid;
    use crate::report::{check, repaired_problems};

    fn box_of_triangles() -> SurfaceMesh {
        box_surface(Vec3::repeat(1.0), [20; 3], CellStyle::Kuhn)
    }

    #[test]
    fn each_hole_is_a_place_whose_edges_close_around_it() {
        let mut surface = box_of_triangles();
        // a triangle in the middle of three faces each
        for middle in [Vec3::x(), Vec3::y(), Vec3::z()] {
            let nearest = surface.nearest_point(&(middle * 0.5 + Vec3::repeat(0.01)));
            let hole = nearest.expect("a surface").triangle;
            surface.triangles.remove(hole as usize);
        }
        let solid = make_solid(&surface, &Progress::new()).expect("small holes");
        let found = repaired_problems(&surface, &solid, &Progress::new()).expect("not cancelled");
        let open = &found[0];
        assert_eq!(
            (open.code, open.count, open.further_places),
            ("BoundaryEdges", 9, 0)
        );
        assert_eq!(open.places.len(), 3);
        for rim in &open.places {
            assert_eq!((rim.shape, rim.points.len()), (PlaceShape::Edges, 6));
            // every corner of a rim is the end of two edges
            for x in &rim.points {
                assert_eq!(rim.points.iter().filter(|y| *y == x).count(), 2);
            }
        }
    }

    #[test]
    fn places_are_bounded_and_the_rest_is_counted() {
        let mut surface = box_of_triangles();
        let first = surface.triangles[..300].to_vec();
        surface.triangles.extend(first);
        let report = check(&surface, &Progress::new()).expect("not cancelled");
        let twice = report.problems.iter().find(|p| p.code == "DuplicateFaces");
        let twice = twice.expect("300 of them");
        assert_eq!((twice.count, twice.places.len()), (300, MAX_PLACES));
        assert_eq!(twice.further_places, 200);
        assert!(twice.places.iter().all(|p| p.points.len() == 3));
    }

    #[test]
    fn a_surface_that_needed_nothing_has_no_problems() {
        let surface = box_of_triangles();
        let solid = make_solid(&surface, &Progress::new()).expect("a solid");
        let found = repaired_problems(&surface, &solid, &Progress::new());
        assert_eq!(found, Ok(Vec::new()));
    }
}
