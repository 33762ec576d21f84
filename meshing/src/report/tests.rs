use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::procedural::{CellStyle, box_surface};

use super::examine::check;
use super::mesh_report::MeshReport;
use crate::geometry::triangle_crossing;
use crate::test_bodies::{assert_contains, cancelled, joined, mapped, soup};

fn cube(center: Vec3) -> SurfaceMesh {
    let cube = box_surface(Vec3::repeat(1.0), [3, 3, 3], CellStyle::Alternating);
    mapped(cube, |p| p + center)
}

fn both(shift: Vec3) -> SurfaceMesh {
    let cube = cube(Vec3::zeros());
    joined(&cube, &cube, shift)
}

fn report(surface: &SurfaceMesh) -> MeshReport {
    check(surface, &Progress::new()).expect("not cancelled")
}

fn codes(report: &MeshReport) -> Vec<&'static str> {
    report.problems.iter().map(|p| p.code).collect()
}

#[test]
fn a_box_is_without_fault() {
    let r = report(&cube(Vec3::x()));
    assert!(r.closed && r.manifold && r.oriented && r.repairable);
    assert_eq!((r.components, r.genus, r.boundary_loops), (1, Some(0), 0));
    assert_eq!((r.triangles, r.vertices), (108, 56));
    assert_eq!(r.bbox, Some([[0.5, -0.5, -0.5], [1.5, 0.5, 0.5]]));
    assert!((r.volume.expect("closed") - 1.0).abs() < 1e-12);
    assert_eq!((r.problems, r.repairs), (vec![], vec![]));
}

#[test]
fn the_same_box_as_a_soup_is_judged_after_welding() {
    let r = report(&soup(&cube(Vec3::zeros())));
    assert!(r.closed && r.manifold && r.oriented && r.repairable);
    assert_eq!((r.vertices, r.duplicate_vertices), (324, 324 - 56));
    assert_eq!(codes(&r), Vec::<&str>::new());
    let joined = "268 vertices joined with others at the same place";
    assert_eq!(r.repairs, [joined]);
}

#[test]
fn two_sides_of_a_cut_that_lie_on_each_other_are_told_apart_by_their_vertices() {
    // two boxes with a common face, each with vertices of its own
    let boxes = both(Vec3::x());
    let r = report(&boxes);
    assert!(r.closed && r.manifold && r.oriented);
    assert_eq!(r.components, 2);
    assert!((r.volume.expect("closed") - 2.0).abs() < 1e-12);
    // with the vertices in common, edges of the face have four triangles
    let mut joined = boxes;
    for triangle in &mut joined.triangles {
        for v in triangle {
            let place = joined.positions[*v as usize];
            let first = joined.positions.iter().position(|x| *x == place);
            *v = first.expect("itself") as u32;
        }
    }
    let r = report(&joined);
    assert!(!r.closed && !r.manifold);
}

#[test]
fn intersecting_boxes_are_closed_but_cross() {
    // generic position, then with common planes, then apart
    for (shift, crosses) in [
        (Vec3::new(0.41, 0.37, 0.29), true),
        (Vec3::new(0.5, 0.0, 0.0), true),
        (Vec3::new(2.0, 0.0, 0.0), false),
    ] {
        let r = report(&both(shift));
        assert!(r.closed && r.oriented && r.repairable);
        assert_eq!(r.components, 2);
        assert_eq!(r.self_intersections > 0, crosses, "{shift:?}");
        assert_eq!(codes(&r).contains(&"SelfIntersections"), crosses);
    }
}

#[test]
fn every_crossing_pair_of_two_boxes_is_counted() {
    let surface = both(Vec3::new(0.41, 0.37, 0.29));
    let mut expected = 0;
    for t in 0..108 {
        for u in 108..216 {
            expected += usize::from(triangle_crossing::cross(
                surface.corners(t),
                surface.corners(u),
            ));
        }
    }
    assert_eq!(report(&surface).self_intersections, expected);
}

#[test]
fn triangles_that_share_a_vertex_cross_only_beyond_it() {
    let apex = Vec3::new(0.0, 1.0, 0.0);
    let base = [Vec3::zeros(), Vec3::x() * 2.0, Vec3::z() * 2.0];
    // from a corner of the base through its inside, and away from it
    for (end, expected) in [
        (Vec3::new(1.0, -1.0, 1.0), 1),
        (Vec3::new(-1.0, -1.0, -1.0), 0),
    ] {
        let positions = vec![base[0], base[1], base[2], apex, end];
        let surface = SurfaceMesh::new(positions, vec![[0, 1, 2], [0, 3, 4]]);
        assert_eq!(report(&surface).self_intersections, expected);
    }
}

#[test]
fn an_open_box_names_its_rim() {
    let mut surface = cube(Vec3::zeros());
    surface.triangles.remove(0);
    let r = report(&surface);
    assert!(!r.closed && r.manifold && r.oriented && r.repairable);
    let closed = &r.repairs[0];
    assert_contains(closed, "a hole of 3 edges");
    // the unit is known where the mesh is used
    assert_contains(closed, " units of the file across");
    assert!(closed.ends_with(" square units of the file of new area"));
    let first = &r.problems[0];
    assert_eq!((first.severity, first.elements.len()), ("warning", 6));
    assert!(first.at.is_some_and(|p| (p[2] + 0.5).abs() < 1e-12));
    assert_eq!((r.genus, r.boundary_loops, r.volume), (None, 1, None));
    assert_eq!(codes(&r), ["BoundaryEdges"]);
    assert_eq!(first.count, 3);
    assert_contains(&first.message, ", -0.5");
}

#[test]
fn faults_are_counted_and_ranked_worst_first() {
    let mut surface = cube(Vec3::zeros());
    surface
        .positions
        .extend([Vec3::repeat(f64::NAN), surface.positions[0]]);
    let [a, b, c] = surface.triangles[10];
    surface
        .triangles
        .extend([[a, b, 56], [a, b, b], [b, c, a], [a, b, 9_999]]);
    surface.triangles[20].swap(0, 1);
    let r = report(&surface);
    assert_eq!(
        (r.non_finite, r.degenerate_faces, r.duplicate_vertices),
        (1, 1, 1)
    );
    assert!(!r.repairable && !r.closed);
    let expected = [
        "NonFinite",
        "IndexOutOfRange",
        "NonManifoldEdges",
        "MisorientedEdges",
        "DegenerateFaces",
        "DuplicateFaces",
        "DuplicateVertices",
        "UnreferencedVertices",
    ];
    assert_eq!(codes(&r), expected);
}

#[test]
fn nothing_at_all_is_reported_too() {
    let r = report(&SurfaceMesh::new(vec![], vec![]));
    assert!(!r.closed && !r.repairable && r.bbox.is_none());
    assert_eq!(codes(&r), ["NoTriangles"]);
    assert_eq!(check(&cube(Vec3::zeros()), &cancelled()), Err(Cancelled));
}

#[test]
fn scale_and_thin_walls_are_suspected_and_a_sheet_says_what_was_tried() {
    let r = report(&mapped(cube(Vec3::zeros()), |p| p * 200.0));
    assert_eq!(codes(&r), ["ScaleSuspicious"]);
    assert_contains(&r.problems[0].message, "0.200 m");
    let r = report(&mapped(cube(Vec3::zeros()), |p| p * 1e12));
    let said = &r.problems[0].message;
    assert!(said.ends_with("large in millimetres, too"), "{said}");
    let foil = mapped(cube(Vec3::zeros()), |p| Vec3::new(p.x, p.y * 1e-3, p.z));
    let r = report(&foil);
    assert_eq!(codes(&r), ["ThinWalls"]);
    assert_eq!(r.problems[0].severity, "warning");
    let walls = r.walls.expect("a solid");
    assert!((walls.thinnest - 1e-3).abs() < 1e-9);
    let mut far = cube(Vec3::repeat(1e6));
    far.triangles.truncate(107);
    assert!(codes(&report(&far)).contains(&"FarFromOrigin"));
    let mut sheet = cube(Vec3::zeros());
    sheet.triangles.truncate(5);
    let r = report(&sheet);
    assert!(!r.repairable && r.walls.is_none());
    let first = &r.problems[0];
    assert_eq!((first.code, first.severity), ("NotSolid", "error"));
    assert!(first.message.contains("tried: "), "{}", first.message);
}

#[test]
fn a_refused_surface_has_the_error_that_refuses_it() {
    let corners = [0.0, 1.0, 2.0].map(|x| Vec3::x() * x).to_vec();
    // where round-off leaves a line an area, too
    let oblique = [1.0, 2.0, 3.0]
        .map(|x| Vec3::new(0.3, 0.7, 0.9) * x)
        .to_vec();
    for corners in [&corners, &oblique] {
        let line = report(&SurfaceMesh::new(corners.clone(), vec![[0, 1, 2]]));
        let first = &line.problems[0];
        assert_eq!((first.code, first.severity), ("NoTriangles", "error"));
    }
    // a square and its back
    let corners = vec![corners[0], corners[1], Vec3::x() + Vec3::y(), Vec3::y()];
    let sides = vec![[0, 1, 2], [0, 2, 3], [0, 2, 1], [0, 3, 2]];
    let leaf = report(&SurfaceMesh::new(corners, sides));
    assert!(!leaf.repairable);
    assert!(codes(&leaf).contains(&"FlatSurface"), "{:?}", codes(&leaf));
    // its unit has nothing to do with it
    let mut large = mapped(cube(Vec3::zeros()), |p| p * 200.0);
    large.triangles.truncate(5);
    let large = report(&large);
    let severity = |code: &str| {
        let mut problems = large.problems.iter();
        problems.find(|p| p.code == code).map(|p| p.severity)
    };
    assert_eq!(severity("BoundaryEdges"), Some("error"));
    assert_eq!(severity("ScaleSuspicious"), Some("warning"));
}

#[test]
fn coordinates_with_which_nothing_can_be_computed_are_one_error() {
    let r = report(&mapped(cube(Vec3::zeros()), |p| p * 1e200));
    assert_eq!(codes(&r), ["CoordinateTooLarge"]);
    let (first, said) = (&r.problems[0], &r.problems[0].message);
    assert_eq!(first.severity, "error");
    assert!(!said.contains("NaN") && !said.contains("inf"), "{said}");
    let large = report(&mapped(cube(Vec3::zeros()), |p| p * 1e50));
    assert_eq!(codes(&large), ["ScaleSuspicious"]);
}

#[test]
fn a_body_that_lost_its_digits_is_told_as_far_away_and_a_sheet_as_flat() {
    // numbers near 1e16 are two apart
    let lost = report(&mapped(cube(Vec3::zeros()), |p| {
        p * 0.3 + Vec3::repeat(1e16)
    }));
    let first = &lost.problems[0];
    assert_eq!((first.code, first.severity), ("FarFromOrigin", "error"));
    for wrong in ["FlatSurface", "NotSolid", "NoTriangles"] {
        assert!(!codes(&lost).contains(&wrong), "{:?}", codes(&lost));
    }
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let place = |[x, y]: [f64; 2]| Vec3::new(x, y, 0.0) + Vec3::repeat(1e3);
    let sides = vec![[0, 1, 2], [0, 2, 3], [0, 2, 1], [0, 3, 2]];
    let leaf = report(&SurfaceMesh::new(corners.map(place).to_vec(), sides));
    assert!(codes(&leaf).contains(&"FlatSurface"), "{:?}", codes(&leaf));
    assert!(!codes(&leaf).contains(&"FarFromOrigin"));
}

/// A prism whose two slopes meet in an edge of length 1 with the angle `degrees`; they are 1 long.
fn wedge(degrees: f64) -> SurfaceMesh {
    let (height, length) = (0.5 * degrees.to_radians()).sin_cos();
    let corners = [[0.0, 0.0], [length, -height], [length, height]];
    let at = |z: f64| corners.map(|[x, y]| Vec3::new(x, y, z));
    let positions = [at(0.0), at(1.0)].concat();
    let triangles = vec![
        [0, 2, 1],
        [3, 4, 5],
        [0, 1, 4],
        [0, 4, 3],
        [1, 2, 5],
        [1, 5, 4],
        [2, 0, 3],
        [2, 3, 5],
    ];
    SurfaceMesh::new(positions, triangles)
}

#[test]
fn an_edge_between_two_faces_is_no_thin_wall_and_a_plate_and_a_blade_are() {
    let corners = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
    let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    let tetrahedron = report(&SurfaceMesh::new(corners, faces));
    assert_eq!(codes(&tetrahedron), Vec::<&str>::new());
    for degrees in [90.0, 60.0, 45.0] {
        let r = report(&wedge(degrees));
        assert_eq!(codes(&r), Vec::<&str>::new(), "{degrees} degrees");
    }
    assert_eq!(codes(&report(&wedge(10.0))), ["ThinWalls"]);
    let plate = box_surface(Vec3::new(1.0, 0.01, 1.0), [4, 1, 4], CellStyle::Kuhn);
    assert_eq!(codes(&report(&plate)), ["ThinWalls"]);
}
