use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::mesh::validate::topology;

use super::error::RepairError;
use super::repair_surface::{repair, require_solid};
use super::repaired::Repaired;
use crate::test_bodies::{add_group, cancelled, inverted, join, mapped, soup};

fn cube(center: Vec3, size: f64) -> SurfaceMesh {
    let cube = box_surface(Vec3::repeat(size), [2, 2, 2], CellStyle::Alternating);
    mapped(cube, |p| p + center)
}

fn repaired(raw: &SurfaceMesh) -> Repaired {
    let result = repair(raw, &Progress::new()).expect("can be repaired");
    assert!(topology(&result.surface).is_sound());
    result
}

fn failure(raw: &SurfaceMesh) -> RepairError {
    repair(raw, &Progress::new()).expect_err("cannot be repaired")
}

fn codes(result: &Repaired) -> Vec<(&'static str, usize)> {
    result.steps.iter().map(|s| (s.code, s.count)).collect()
}

#[test]
fn clean_surfaces_stay_as_they_are() {
    let one = cube(Vec3::zeros(), 1.0);
    // two bodies that touch in a face, each closed by its own numbers
    let two = join(one.clone(), &cube(Vec3::x(), 1.0));
    let hollow = join(one.clone(), &inverted(cube(Vec3::zeros(), 0.5)));
    for clean in [one, two, hollow] {
        let result = repaired(&clean);
        assert_eq!(codes(&result), []);
        assert_eq!(result.surface, clean);
    }
}

#[test]
fn a_soup_is_welded_in_the_order_of_its_corners() {
    let clean = cube(Vec3::zeros(), 1.0);
    let result = repaired(&soup(&clean));
    assert_eq!(result.surface.triangles.len(), clean.triangles.len());
    assert_eq!(result.surface.vertex_count(), clean.vertex_count());
    assert_eq!(result.surface.volume(), clean.volume());
    assert_eq!(codes(&result), [("Welded", 144 - 26)]);
    // corners moved by less than the tolerance: an equality finds nothing
    let mut shaken = soup(&clean);
    for (k, p) in shaken.positions.iter_mut().enumerate() {
        let angle = k as f64;
        *p += Vec3::new(angle.sin(), angle.cos(), (2.0 * angle).sin()) * 3e-7;
    }
    let result = repaired(&shaken);
    assert_eq!(codes(&result), [("WeldedNear", 144 - 26)]);
    assert!((result.surface.volume() - 1.0).abs() < 1e-5);
}

#[test]
fn some_flipped_faces_follow_the_majority_and_the_outside_is_out() {
    let clean = cube(Vec3::new(5.0, 0.0, 0.0), 1.0);
    let mut mixed = clean.clone();
    for t in [3, 4, 20] {
        mixed.triangles[t].swap(0, 1);
    }
    let result = repaired(&mixed);
    assert_eq!(codes(&result), [("FlippedFaces", 3)]);
    assert!((result.surface.volume() - 1.0).abs() < 1e-12);
    let result = repaired(&inverted(mixed));
    let expected = [("FlippedFaces", 3), ("TurnedComponents", 1)];
    assert_eq!(codes(&result), expected);
    assert!((result.surface.volume() - 1.0).abs() < 1e-12);
}

#[test]
fn cavities_stay_inward_and_an_inverted_hollow_body_is_turned_as_a_whole() {
    let hollow = join(
        cube(Vec3::zeros(), 1.0),
        &inverted(cube(Vec3::zeros(), 0.5)),
    );
    // an island in the cavity, wrongly inward
    let island = join(hollow.clone(), &inverted(cube(Vec3::zeros(), 0.25)));
    let volume = 1.0 - 0.125;
    assert!((repaired(&hollow).surface.volume() - volume).abs() < 1e-12);
    let turned = repaired(&inverted(hollow));
    assert!((turned.surface.volume() - volume).abs() < 1e-12);
    assert_eq!(codes(&turned), [("TurnedComponents", 2)]);
    let turned = repaired(&island);
    assert!((turned.surface.volume() - volume - 0.015_625).abs() < 1e-12);
    assert_eq!(codes(&turned), [("TurnedComponents", 1)]);
}

#[test]
fn degenerate_duplicate_and_hanging_faces_and_loose_vertices_go() {
    let clean = cube(Vec3::zeros(), 1.0);
    let mut dirty = clean.clone();
    let [a, b, c] = clean.triangles[7];
    let new = dirty.vertex_count() as u32;
    let [x, y, _] = clean.corners(7);
    dirty
        .positions
        .extend([Vec3::repeat(9.0), Vec3::repeat(2.0), (x + y) * 0.5]);
    dirty.triangles.extend([
        [a, a, b],
        [b, c, a],
        [a, c, b],
        [a, b, new + 1],
        // no area: its corners lie on one line
        [a, new + 2, b],
    ]);
    let result = repaired(&dirty);
    assert_eq!(result.surface, clean);
    let expected = [
        ("DroppedDegenerate", 2),
        ("DroppedDuplicate", 2),
        ("DroppedFins", 1),
        ("DroppedUnreferenced", 3),
    ];
    assert_eq!(codes(&result), expected);
}

#[test]
fn a_face_without_area_inside_a_closed_surface_is_turned_away() {
    // a tetrahedron with one edge cut in its middle on one side only, the gap filled by a flat face
    let positions = vec![
        Vec3::zeros(),
        Vec3::x() * 2.0,
        Vec3::y(),
        Vec3::z(),
        Vec3::x(),
    ];
    let triangles = vec![
        [0, 2, 1],
        [0, 4, 3],
        [4, 1, 3],
        [1, 2, 3],
        [0, 3, 2],
        [0, 1, 4],
    ];
    let result = repaired(&SurfaceMesh::new(positions, triangles));
    assert_eq!(codes(&result), [("RemovedFlat", 1)]);
    assert!((result.surface.volume() - 1.0 / 3.0).abs() < 1e-15);
    assert!((0..6).all(|t| result.surface.area_vector(t).norm() > 0.1));
}

#[test]
fn pinches_in_a_vertex_and_in_an_edge_are_split() {
    for (shift, shared) in [(Vec3::repeat(1.0), 1), (Vec3::new(1.0, 1.0, 0.0), 3)] {
        let clean = join(cube(Vec3::zeros(), 1.0), &cube(shift, 1.0));
        let mut pinched = soup(&clean);
        add_group(&mut pinched, "all", |_| true);
        let result = repaired(&pinched);
        assert_eq!(codes(&result).last(), Some(&("SplitPinches", shared)));
        assert_eq!(result.surface.vertex_count(), 52);
        assert_eq!(result.surface.groups[0].vertices.len(), 52);
        assert_eq!(topology(&result.surface).components, 2);
        assert!((result.surface.volume() - 2.0).abs() < 1e-12);
    }
}

#[test]
fn walls_between_and_inside_solids_go() {
    let glued = soup(&join(cube(Vec3::zeros(), 1.0), &cube(Vec3::x(), 1.0)));
    let result = repaired(&glued);
    assert_eq!(codes(&result)[1], ("DroppedWalls", 16));
    assert_eq!(topology(&result.surface).components, 1);
    assert!((result.surface.volume() - 2.0).abs() < 1e-12);
    // a sheet of two sides, free inside the cube
    let mut wall = cube(Vec3::zeros(), 1.0);
    let n = wall.vertex_count() as u32;
    let (x, z) = (Vec3::x() * 0.1, Vec3::z() * 0.1);
    wall.positions.extend([Vec3::zeros(), x, x + z, z]);
    wall.triangles
        .extend([[0, 1, 2], [0, 2, 3], [2, 1, 0], [3, 2, 0]].map(|t| t.map(|v| v + n)));
    let result = repaired(&wall);
    assert_eq!(codes(&result)[0], ("DroppedWalls", 4));
    assert_eq!(result.surface, cube(Vec3::zeros(), 1.0));
}

#[test]
fn cracks_at_the_middle_of_edges_are_closed() {
    let clean = cube(Vec3::zeros(), 1.0);
    let mut cracked = clean.clone();
    for t in [40, 12, 3] {
        let [a, b, c] = cracked.triangles[t];
        let [x, y, _] = cracked.corners(t);
        let new = cracked.vertex_count() as u32;
        // just next to the exact position
        cracked
            .positions
            .push(x * 0.7 + y * 0.3 + Vec3::repeat(1e-7));
        cracked.triangles[t] = [a, new, c];
        cracked.triangles.insert(t + 1, [new, b, c]);
    }
    let result = repaired(&cracked);
    assert_eq!(codes(&result), [("InsertedInEdges", 3)]);
    assert!((result.surface.volume() - 1.0).abs() < 1e-6);
    assert_eq!(result.surface.triangles.len(), clean.triangles.len() + 6);
}

#[test]
fn repairing_twice_changes_nothing_more() {
    let touching = join(
        cube(Vec3::zeros(), 1.0),
        &cube(Vec3::new(1.0, 1.0, 0.0), 1.0),
    );
    for raw in [soup(&touching), inverted(touching.clone()), touching] {
        let once = repaired(&raw);
        let again = repaired(&once.surface);
        assert_eq!(codes(&again), []);
        assert_eq!(again.surface, once.surface);
    }
}

#[test]
fn what_is_no_solid_is_refused_with_its_place() {
    let clean = cube(Vec3::zeros(), 1.0);
    let mut open = clean.clone();
    let gone = open.triangles.remove(5);
    let rim: Vec<Vec3> = gone.iter().map(|&v| clean.positions[v as usize]).collect();
    match failure(&open) {
        RepairError::SkinOpen { holes, edges, at } => {
            assert_eq!((holes, edges), (1, 3));
            let middles = [(0, 1), (1, 2), (2, 0)].map(|(i, j)| (rim[i] + rim[j]) * 0.5);
            assert!(middles.contains(&Vec3::from(at)));
        }
        other => panic!("{other}"),
    }
    let nothing = SurfaceMesh::new(vec![], vec![]);
    assert_eq!(failure(&nothing).code(), "NoTriangles");
    let mut bad = clean.clone();
    bad.triangles[3][1] = 999;
    assert_eq!(failure(&bad).code(), "IndexOutOfRange");
    let mut bad = clean.clone();
    bad.positions[3].y = f64::NAN;
    assert_eq!(failure(&bad).code(), "NonFinite");
    // pressed flat: closed still, but of no volume
    let flat = mapped(clean, |p| Vec3::new(p.x, p.y * 1e-14, p.z));
    assert_eq!(failure(&flat).code(), "FlatSurface");
}

#[test]
fn a_strip_with_one_side_is_refused() {
    // a Klein bottle: a 5 x 5 grid of squares, one way around mirrored
    let n = 5_u32;
    let id = |i: u32, j: u32| {
        let j = if i >= n { n - j % n } else { j };
        (i % n) * n + j % n
    };
    let positions = (0..n * n)
        .map(f64::from)
        .map(|k| Vec3::new(k.sin(), (k * k).cos(), (3.0 * k).cos()))
        .collect();
    let triangles = (0..n * n)
        .flat_map(|k| {
            let (i, j) = (k / n, k % n);
            let square = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
            let [a, b, c, d] = square;
            [[a, b, c], [a, c, d]]
        })
        .collect();
    let bottle = SurfaceMesh::new(positions, triangles);
    assert_eq!(failure(&bottle).code(), "NotOrientable");
}

#[test]
fn without_a_repair_turned_faces_and_pinches_are_refused_for_what_they_are() {
    let refused = |raw: &SurfaceMesh| {
        require_solid(raw, &Progress::new())
            .expect_err("no solid")
            .code()
    };
    let mut turned = cube(Vec3::zeros(), 1.0);
    turned.triangles[0].swap(1, 2);
    assert_eq!(refused(&turned), "Misoriented");
    // two cubes that share one corner
    let touching = join(cube(Vec3::zeros(), 1.0), &cube(Vec3::repeat(1.0), 1.0));
    assert_eq!(refused(&soup(&touching)), "Pinched");
    for raw in [turned, soup(&touching)] {
        assert!(repair(&raw, &Progress::new()).is_ok());
    }
}

#[test]
fn a_cancelled_repair_stops() {
    let result = repair(&soup(&cube(Vec3::zeros(), 1.0)), &cancelled());
    assert_eq!(result, Err(RepairError::Cancelled(Cancelled)));
}
