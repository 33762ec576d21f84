//! Laws of displaced surfaces.

use pliant_core::asset::Progress;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::embedding::embed_in_surface;
use pliant_core::mesh::procedural::octahedron;

use super::displaced::DisplacedSurface;
use super::error::SubdivideError;
use super::levels::{Scheme, subdivide};
use super::rows::loop_rows;
use super::sharp::SharpEdges;

/// A sphere of 66 vertices.
fn control() -> SurfaceMesh {
    let levels = subdivide(
        &octahedron(),
        2,
        Scheme::Midpoint,
        &SharpEdges::none(),
        &Progress::new(),
    );
    let mut sphere = levels.expect("closed").levels.pop().expect("the finest");
    sphere.positions.iter_mut().for_each(|x| *x /= x.norm());
    sphere
}

fn over(detail: &[Vec3]) -> DisplacedSurface {
    let (control, sharp) = (control(), SharpEdges::none());
    let made = DisplacedSurface::new(&control, 2, &sharp, detail, &Progress::new());
    made.expect("a closed control surface")
}

/// The vertices of the smooth surface, lifted along their normals.
fn lifted(height: impl Fn(&Vec3) -> f64) -> Vec<Vec3> {
    let smooth = over(&[]).smooth().clone();
    let normals = smooth.vertex_normals();
    let pairs = smooth.positions.iter().zip(normals);
    pairs.map(|(x, n)| x + n * height(x)).collect()
}

fn bumpy() -> Vec<Vec3> {
    lifted(|x| 0.15 + 0.04 * (9.0 * x.x).sin() * (7.0 * x.z).cos())
}

/// A rotation about an axis that is none of the coordinates'.
fn rotation(angle: f64) -> Mat3 {
    *nalgebra::Rotation3::new(Vec3::new(1.0, -2.0, 0.5).normalize() * angle).matrix()
}

/// Largest distance of the fine vertices from where a map of space sends them.
fn farthest(detail: &[Vec3], places: &[Vec3], map: impl Fn(&Vec3) -> Vec3) -> f64 {
    assert_eq!(detail.len(), places.len());
    let pairs = detail.iter().zip(places);
    pairs.map(|(x, y)| (map(x) - y).norm()).fold(0.0, f64::max)
}

fn moved(map: impl Fn(&Vec3) -> Vec3) -> Vec<Vec3> {
    control().positions.iter().map(map).collect()
}

#[test]
fn rows_are_the_rules_of_loop() {
    let base = octahedron();
    let face = SharpEdges::from_faces(&base, &[3]).expect("a face");
    for sharp in [SharpEdges::none(), face] {
        let levels = subdivide(&base, 3, Scheme::Loop, &sharp, &Progress::new()).expect("closed");
        let rows = loop_rows(&levels);
        let finest = &levels.levels[3];
        assert_eq!(rows.len(), finest.vertex_count());
        for (v, x) in finest.positions.iter().enumerate() {
            assert!((rows.interpolate(v, &base.positions) - x).norm() < 1e-14);
            let sum: f64 = rows.row(v).1.iter().sum();
            assert!((sum - 1.0).abs() < 1e-14);
        }
    }
}

#[test]
fn at_rest_the_fine_surface_is_where_it_was() {
    let detail = bumpy();
    let places = over(&detail).places(&control().positions);
    assert!(farthest(&detail, &places.expect("all vertices"), |x| *x) < 1e-14);
}

#[test]
fn a_constant_displacement_stays_constant_in_a_rigid_motion() {
    let detail = lifted(|_| 0.1);
    let surface = over(&detail);
    for vertex in 0..detail.len() {
        let height = surface.height(vertex).expect("a vertex");
        // above a vertex of a convex surface nothing is closer than that vertex
        assert!((height - 0.1).abs() < 1e-9, "{height}");
    }
    assert_eq!(surface.height(detail.len()), None);
    let (turn, shift) = (rotation(1.1), Vec3::new(0.3, -4.0, 2.0));
    let map = |x: &Vec3| turn * x + shift;
    let places = surface.places(&moved(map)).expect("all vertices");
    assert!(farthest(&detail, &places, map) < 1e-13);
}

#[test]
fn affine_motions_are_followed_up_to_the_height_times_the_strain() {
    let stretch = Mat3::new(0.6, 0.1, -0.2, 0.1, -0.5, 0.3, -0.2, 0.3, 0.2);
    let on_it = over(&[]).smooth().positions.clone();
    let detail = bumpy();
    for share in [1e-2, 1e-3] {
        let map = |x: &Vec3| x + stretch * x * share + Vec3::z();
        let places = over(&on_it).places(&moved(map)).expect("all vertices");
        assert!(farthest(&on_it, &places, map) < 1e-13);
        let places = over(&detail).places(&moved(map)).expect("all vertices");
        let error = farthest(&detail, &places, map);
        // both A n and the new normal leave the old one by at most the strain
        let bound = 0.19 * 2.1 * share * stretch.norm();
        assert!(error > 1e-2 * bound && error < bound, "{error} {bound}");
    }
}

/// Where linear elasticity turns a part, the fine surface turns with it; an embedding by displacements of the control surface does not.
#[test]
fn small_rotations_err_by_their_square_and_embeddings_by_themselves() {
    let detail = bumpy();
    let surface = over(&detail);
    let skin = SurfaceMesh::new(detail.clone(), surface.smooth().triangles.clone());
    let embedding = embed_in_surface(&skin, &control());
    let mut last = None;
    for angle in [2e-2, 1e-2] {
        let spin = Vec3::new(0.2, 1.0, -0.4).normalize() * angle;
        let map = |x: &Vec3| x + spin.cross(x);
        let places = surface.places(&moved(map)).expect("all vertices");
        let displaced = farthest(&detail, &places, map);
        let motion: Vec<Vec3> = control().positions.iter().map(|x| spin.cross(x)).collect();
        let along = |v: usize| detail[v] + embedding.interpolate(v, &motion);
        let carried: Vec<Vec3> = (0..detail.len()).map(along).collect();
        let embedded = farthest(&detail, &carried, map);
        println!("{angle}: displaced {displaced:.2e}, embedded {embedded:.2e}");
        assert!(embedded > 0.05 * angle && displaced < 0.05 * embedded);
        if let Some((before, other)) = last.replace((displaced, embedded)) {
            let (a, b): (f64, f64) = (before / displaced, other / embedded);
            assert!(
                (3.5..4.5).contains(&a) && (1.9..2.1).contains(&b),
                "{a} {b}"
            );
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let control = control();
    let broken = [Vec3::zeros(), Vec3::new(0.0, f64::NAN, 0.0)];
    let sharp = SharpEdges::none();
    let made = DisplacedSurface::new(&control, 1, &sharp, &broken, &Progress::new());
    assert_eq!(made, Err(SubdivideError::NonFinite { vertex: 1 }));
    let surface = over(&[Vec3::x()]);
    assert_eq!(surface.places(&control.positions[1..]), None);
    let mut open = control;
    open.triangles.pop();
    let made = DisplacedSurface::new(&open, 1, &sharp, &[], &Progress::new());
    assert!(matches!(made, Err(SubdivideError::OpenSurface { .. })));
}
