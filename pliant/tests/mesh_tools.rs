//! Mesh tools press like the exact shapes that they approximate.

use pliant::core::contact::MeshShape;
use pliant::core::mesh::procedural::{CellStyle, box_surface};
use pliant::meshing::procedural::{ProceduralSpec, body};
use pliant::meshing::voxelise::distance_grid;
use pliant::{Body, Method, Progress, Scene, SurfaceMesh, Tool, ToolShape, Vec3};

/// Half the height of the pad, m.
const TOP: f64 = 0.05;
/// Cell size of the distance grid, m.
const CELL: f64 = 0.002;

fn mesh_shape(surface: SurfaceMesh) -> ToolShape {
    let grid = distance_grid(&surface, Some(CELL), &Progress::new()).expect("a grid");
    ToolShape::Mesh(MeshShape::new(surface, grid))
}

/// Forces with which a pad pushes tools, N, that reach `low` below their place and are all pressed to the same depth (m).
fn forces<const N: usize>(
    method: Method,
    shapes: [ToolShape; N],
    low: f64,
    depth: f64,
) -> [f64; N] {
    let pad = Body::cuboid([0.2, 2.0 * TOP, 0.2], 0.02)
        .hold_lowest(0.01)
        .set("adaptive.target_edges", vec![0.04])
        .set("quasistatic.boundary", 250)
        .set("lattice.cell", 0.02);
    let hover = TOP + low + 0.01;
    let named = shapes.into_iter().enumerate();
    let tools: Vec<Tool> = named
        .map(|(k, shape)| Tool::of_shape(&format!("tool {k}"), shape, [0.0, hover, 0.0]))
        .collect();
    let scene = tools
        .into_iter()
        .fold(Scene::new("pad").body(pad), Scene::tool);
    let mut world = scene.gravity([0.0; 3]).build(method).expect("built");
    std::array::from_fn(|k| {
        let name = format!("tool {k}");
        world.reset();
        for frame in 0..150 {
            let sunk = depth * (f64::from(frame) / 50.0).min(1.0);
            world
                .move_tool(&name, [0.0, TOP + low - sunk, 0.0])
                .expect("a tool");
            world.step().expect("a frame");
        }
        world.tool_force(&name).expect("a tool").y
    })
}

#[test]
fn the_force_of_a_mesh_of_a_ball_lies_between_those_of_balls_a_half_cell_smaller_and_larger() {
    let (radius, edge) = (0.08, 0.005);
    let spec = ProceduralSpec {
        longest: Some(2.0 * radius),
        edge: Some(edge),
        ..ProceduralSpec::new("sphere")
    };
    let mut surface = body(&spec, &Progress::new()).expect("a sphere");
    let middle = surface.bounds().center();
    surface.positions.iter_mut().for_each(|x| *x -= middle);
    // The zero level is at most half a cell from the mesh. A flat triangle is below the ball by the square of its circumradius over 2 R: edge²/(6 R).
    let off = 0.5 * CELL + edge * edge / (6.0 * radius);
    let ball = |radius: f64| ToolShape::Sphere { radius };
    let shape = mesh_shape(surface);
    for method in Method::ALL {
        let shapes = [ball(radius - off), shape.clone(), ball(radius + off)];
        // a tool that contains another one presses more
        let [small, mesh, large] = forces(method, shapes, radius, 0.012);
        assert!(
            0.0 < small && small < mesh && mesh < large,
            "{method:?}: {small} {mesh} {large}"
        );
    }
}

#[test]
fn the_face_of_a_mesh_of_a_box_presses_like_that_of_the_box() {
    let half_size = Vec3::new(0.05, 0.04, 0.05);
    let shape = mesh_shape(box_surface(half_size * 2.0, [2; 3], CellStyle::Kuhn));
    for method in Method::ALL {
        let exact = ToolShape::Box {
            half_size,
            rounding: 0.0,
        };
        let shapes = [exact, shape.clone()];
        let [exact, mesh] = forces(method, shapes, half_size.y, 0.006);
        // Next to a plane a distance grid is exact to the digits of f32, and the vertices of the pad are five cells from the edges of the box.
        assert!(
            exact > 0.1 && (mesh / exact - 1.0).abs() < 0.01,
            "{method:?}: {mesh} {exact}"
        );
    }
}

#[test]
fn a_mesh_reaches_as_far_as_its_farthest_corner_in_each_direction() {
    let surface = box_surface(Vec3::new(0.1, 0.06, 0.04), [2; 3], CellStyle::Kuhn);
    let shape = mesh_shape(surface);
    for (direction, reach) in [
        (Vec3::x(), 0.05),
        (-Vec3::y(), 0.03),
        (Vec3::new(0.6, 0.0, -0.8), 0.6 * 0.05 + 0.8 * 0.02),
    ] {
        assert!((shape.reach(&direction) - reach).abs() < 1e-12);
    }
    // the largest ball inside, to a cell; the ball around it
    assert!((shape.inner_radius() - 0.02).abs() < CELL);
    let around = Vec3::new(0.05, 0.03, 0.02).norm();
    assert!((shape.outer_radius() - around).abs() < 1e-12);
    assert!((ToolShape::Sphere { radius: 0.3 }).reach(&Vec3::z()) == 0.3);
}
