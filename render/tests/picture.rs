//! Whole pictures: the right size on the canvas, the same bytes for any number of threads, small files.

use pliant_core::contact::{Pose, ToolShape};
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};
use pliant_fuzzing::on_threads;
use pliant_render::surface::GlyphMesh;
use pliant_render::{BodyView, Canvas, OrbitCamera, PictureOptions, ToolView, draw_scene};

/// The glyph of a sphere as a body's skin.
fn sphere(radius: f64) -> SurfaceMesh {
    let shape = ToolShape::Sphere { radius };
    let glyph = GlyphMesh::of_tool(&shape, &Pose::at(Vec3::zeros()), 1.0);
    let positions = glyph
        .positions
        .iter()
        .map(|p| nalgebra::Vector3::from(*p).cast())
        .collect();
    SurfaceMesh::new(positions, glyph.triangles)
}

fn picture(mesh: &SurfaceMesh, camera: &OrbitCamera, options: &PictureOptions) -> Canvas {
    let frame = SurfaceFrame::at_rest(mesh);
    let body = BodyView {
        surface: mesh,
        frame: &frame,
        colors: None,
        base_color: [0.8, 0.4, 0.2],
    };
    let capsule = ToolShape::Capsule {
        radius: 0.3,
        half_length: 0.4,
    };
    let tool = ToolView {
        shape: capsule,
        pose: Pose::at(Vec3::new(0.15, 1.65, 0.1)),
    };
    let tools = if options.ground.is_some() {
        vec![tool]
    } else {
        Vec::new()
    };
    draw_scene(camera, &[body], &tools, options)
}

#[test]
fn the_silhouette_of_a_sphere_has_the_area_of_the_analytic_ellipse() {
    let camera = OrbitCamera {
        distance: 4.0,
        fov_y: 0.7,
        ..OrbitCamera::default()
    };
    let options = PictureOptions {
        width: 400,
        height: 300,
        supersample: 1,
        ..PictureOptions::default()
    };
    let canvas = picture(&sphere(1.0), &camera, &options);
    let drawn = canvas.depth.iter().filter(|d| d.is_finite()).count() as f64;
    // a sphere of radius r in the middle of the picture at distance d covers a disc of radius f r / sqrt(d² - r²) pixels,
    // with f = (height / 2) / tan(fov / 2)
    let focal = 150.0 / (0.35_f64).tan();
    let radius = focal / (16.0_f64 - 1.0).sqrt();
    let exact = std::f64::consts::PI * radius * radius;
    assert!(
        (drawn / exact - 1.0).abs() < 0.01,
        "{drawn} against {exact}"
    );
    let nearest = canvas.depth.iter().copied().fold(f32::INFINITY, f32::min);
    assert!((nearest - 3.0).abs() < 0.01);
}

#[test]
fn a_full_picture_is_the_same_for_one_and_two_threads_and_is_a_small_file() {
    let mesh = sphere(1.0);
    let camera = OrbitCamera {
        distance: 6.56,
        ..OrbitCamera::default()
    };
    let options = PictureOptions {
        ground: Some(-1.0),
        wireframe: true,
        supersample: 2,
        ..PictureOptions::default()
    };
    let with_threads = |count: usize| on_threads(count, || picture(&mesh, &camera, &options));
    let (one, two) = (with_threads(1), with_threads(2));
    assert_eq!(one.to_rgb8(), two.to_rgb8());
    assert_eq!(one, two);
    let file = one.png().expect("encodes");
    assert!(file.len() < 300_000, "{} bytes", file.len());
    let warm = one.color.iter().filter(|c| c[0] > 1.5 * c[2]).count();
    assert!(warm > 20_000, "the body is there: {warm}");
}

#[test]
fn broken_input_still_gives_a_picture() {
    let mut mesh = sphere(1.0);
    mesh.triangles.push([0, 1, 4_000_000]);
    mesh.positions[7] = Vec3::repeat(f64::NAN);
    mesh.positions[8] = Vec3::repeat(1e30);
    let options = PictureOptions {
        width: 0,
        height: 40,
        supersample: 99,
        ground: Some(f64::NAN),
        ..PictureOptions::default()
    };
    let mut frame = SurfaceFrame::at_rest(&sphere(1.0));
    frame.positions[7] = [f32::NAN; 3];
    frame.positions[8] = [f32::MAX; 3];
    frame.normals.truncate(500);
    let body = BodyView {
        surface: &mesh,
        frame: &frame,
        colors: Some(&[]),
        base_color: [f32::NAN; 3],
    };
    let shape = ToolShape::HalfSpace {
        point: Vec3::repeat(f64::NAN),
        normal: Vec3::zeros(),
    };
    let pose = Pose::at(Vec3::zeros());
    let half_space = ToolView { shape, pose };
    let camera = OrbitCamera::default();
    let canvas = draw_scene(
        &camera,
        &[body],
        std::slice::from_ref(&half_space),
        &options,
    );
    assert_eq!((canvas.width, canvas.height), (1, 40));
    let on_floor = PictureOptions {
        width: 40,
        ground: Some(-1.0),
        ..options
    };
    draw_scene(&camera, &[body], &[half_space], &on_floor);
}
