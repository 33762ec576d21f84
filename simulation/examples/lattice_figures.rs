//! Draws figures 2, 3 and 6 of Rivers and James (2007) with our bodies: one displaced particle and half-widths, one pull and four kinds of shape
//! matching, and frame rates of the large scenes.
//!
//! `cargo run --release -p pliant-simulation --example lattice_figures -- FOLDER [quick]`, or `cargo xtask figures lattice`.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh, VoxelGrid};
use pliant_core::model::{DeformableModel, FrameRequest};
use pliant_core::scene::{Method, ShapeMatching};
use pliant_lattice::{LatticeModel, LatticeParams, bake};
use pliant_render::picture::{stacked, titled};
use pliant_render::{BodyView, Canvas, OrbitCamera, PictureOptions, draw_scene};
use pliant_simulation::build::build_method;
use pliant_simulation::cache::AssetCache;
use pliant_simulation::scenes::{ImportOptions, LoadedScene, load};
use pliant_simulation::setup::{Setup, prepare};
use pliant_simulation::world::{Interaction, World};

type Failed = Box<dyn Error>;
type Color = [f32; 3];
type TitledPicture = (String, Canvas);

const GREEN: Color = [0.1, 0.62, 0.47];
/// Of rigid, linear, quadratic and lattice matching.
const COLORS: [Color; 4] = [
    [0.55, 0.57, 0.6],
    [0.85, 0.55, 0.1],
    [0.15, 0.45, 0.75],
    GREEN,
];
/// Cells of the block of figure 2 along each side, and their edge, m.
const CELLS_PER_SIDE: usize = 8;
const CELL: f64 = 0.05;

fn main() -> Result<(), Failed> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(arguments.first().map_or(".", String::as_str));
    let quick = arguments.iter().any(|a| a == "quick");
    std::fs::create_dir_all(folder)?;
    displaced(folder)?;
    pull(folder)?;
    frame_rates(folder, quick)
}

/// A block with a lattice whose particles are the vertices of its skin.
fn block(half_width: usize) -> Result<LatticeModel, Failed> {
    let size = Vec3::repeat(CELLS_PER_SIDE as f64 * CELL);
    let geometry = BodyGeometry {
        voxels: Some(Arc::new(VoxelGrid::new(
            size * -0.5,
            CELL,
            [CELLS_PER_SIDE; 3],
            vec![true; CELLS_PER_SIDE.pow(3)],
        ))),
        ..BodyGeometry::new(
            Arc::new(box_surface(
                size,
                [CELLS_PER_SIDE; 3],
                CellStyle::Alternating,
            )),
            Material::default().with_damping_ratio(0.0),
        )
    };
    let params = LatticeParams {
        alpha: Some(1.0),
        steps: Some(1),
        ..LatticeParams::with_half_width(half_width)
    };
    let asset = bake(&geometry, &params, &Progress::new())?;
    Ok(LatticeModel::new(Arc::new(asset), &params)?)
}

/// Figure 2: one particle is displaced; two steps without forces, by half-width.
fn displaced(folder: &Path) -> Result<(), Failed> {
    let mut rows: Vec<TitledPicture> = Vec::new();
    let mut csv = String::from("half_width,step,corner_displacement_m,moved_particles\n");
    for half_width in 1..=3 {
        let mut model = block(half_width)?;
        let mut camera = OrbitCamera::default();
        let mut bounds = model.surface().bounds();
        bounds.max += Vec3::repeat(2.0 * CELL);
        camera.fit(&bounds, 1.0);
        let rest = model.positions().to_vec();
        let highest = model.surface().bounds().max;
        let corner = rest.iter().position(|x| (x - highest).amax() < 1e-9);
        let corner = corner.ok_or("the block has a corner")?;
        let mut x = rest.clone();
        x[corner] += Vec3::repeat(2.0 * CELL);
        model.set_state(&x, &vec![Vec3::zeros(); x.len()]);
        for step in 0..=2 {
            let mut frame = SurfaceFrame::default();
            model.write_surface(&mut frame);
            let moved = rest.iter().zip(model.positions());
            let moved = moved.filter(|(a, b)| (*a - *b).norm() > 1e-3 * CELL);
            let far = (model.positions()[corner] - rest[corner]).norm();
            writeln!(csv, "{half_width},{step},{far:.5},{}", moved.count())?;
            let body = (&**model.surface(), &frame);
            let canvas = picture(
                &camera,
                body,
                &moved_colors(model.surface(), &frame),
                (360, 360),
                (true, None),
            );
            rows.push((format!("w = {half_width}, after {step} steps"), canvas));
            let boundary = BoundaryConditions::default();
            model.advance(FrameRequest::new(1.0 / 60.0, &boundary))?;
        }
    }
    print!("{csv}");
    std::fs::write(folder.join("figure-2.csv"), csv)?;
    let strips: Vec<Canvas> = rows.chunks(3).map(|row| titled(row, |_| GREEN)).collect();
    stacked(&strips).write_png(&folder.join("figure-2.png"))?;
    Ok(())
}

/// Figure 3: the same pull with one rigid, linear or quadratic map of the whole body, and with a lattice.
fn pull(folder: &Path) -> Result<(), Failed> {
    let mut pictures: Vec<TitledPicture> = Vec::new();
    let mut csv = String::from("matching,force_max_n,volume_ratio\n");
    let mut camera = OrbitCamera {
        yaw: 0.25,
        ..OrbitCamera::default()
    };
    let reached = Aabb {
        min: Vec3::new(-0.12, 0.0, -0.1),
        max: Vec3::new(0.36, 0.46, 0.1),
    };
    camera.fit(&reached, 0.9);
    let kinds = [
        ("rigid", ShapeMatching::Rigid),
        ("linear", ShapeMatching::Linear { beta: 0.8 }),
        ("quadratic", ShapeMatching::Quadratic { beta: 0.8 }),
        ("lattice", ShapeMatching::Lattice),
    ];
    for ((name, matching), color) in kinds.into_iter().zip(COLORS) {
        let mut scene = load("pull", &ImportOptions::default())?;
        scene.description.body.lattice.matching = matching;
        let (setup, mut world) = world(&scene)?;
        let mut force = 0.0_f64;
        for _ in 0..120 {
            let out = world.step_frame(&Interaction::default())?;
            let forces = out.grab_forces.iter().map(|f| f.norm());
            force = forces.fold(force, f64::max);
        }
        let frame = world.frame();
        let places = (0..frame.positions.len()).map(|v| frame.position(v));
        let triangles = setup.skin().triangles.clone();
        let volume = SurfaceMesh::new(places.collect(), triangles).volume();
        let ratio = volume / setup.skin().volume();
        writeln!(csv, "{name},{force:.3},{ratio:.4}")?;
        let body = (&**setup.skin(), frame);
        let colors = vec![color; frame.positions.len()];
        let canvas = picture(&camera, body, &colors, (432, 480), (false, Some(0.0)));
        pictures.push((name.to_string(), canvas));
    }
    print!("{csv}");
    std::fs::write(folder.join("figure-3.csv"), csv)?;
    titled(&pictures, |k| COLORS[k % 4]).write_png(&folder.join("figure-3.png"))?;
    Ok(())
}

/// Figure 6: frames a second of the large scenes; the paper has 1, 2 and 20 on a Pentium 4 of 3.4 GHz.
fn frame_rates(folder: &Path, quick: bool) -> Result<(), Failed> {
    let mut csv = String::from(
        "scene,particles_paper,steps_a_frame,frames_a_second_paper,particles_ours,median_ms,frames_a_second_ours\n",
    );
    let mut pictures: Vec<TitledPicture> = Vec::new();
    for (name, cells, steps, particles, rate) in [
        ("buddha", 63, 10, 57_626, 1),
        ("buddha-shell", 61, 10, 19_959, 2),
        ("infant", 28, 3, 2_570, 20),
    ] {
        let mut scene = load(name, &ImportOptions::default())?;
        let lattice = &mut scene.description.body.lattice;
        lattice.cells_longest = Some(if quick { cells / 2 } else { cells });
        lattice.steps = Some(steps);
        let (setup, mut world) = world(&scene)?;
        let mut costs = Vec::new();
        for _ in 0..if quick { 20 } else { 60 } {
            let start = Instant::now();
            world.step_frame(&Interaction::default())?;
            costs.push(start.elapsed().as_secs_f64() * 1e3);
        }
        costs.sort_by(f64::total_cmp);
        let median = costs[costs.len() / 2];
        let (ours, fps) = (world.model().stats().total_nodes, 1e3 / median);
        writeln!(
            csv,
            "{name},{particles},{steps},{rate},{ours},{median:.2},{fps:.1}"
        )?;
        let frame = world.frame();
        let mut bounds = Aabb::empty();
        (0..frame.positions.len()).for_each(|v| bounds.grow(&frame.position(v)));
        let mut camera = OrbitCamera::default();
        camera.fit(&bounds, 0.9);
        let ground = Some(bounds.min.y);
        let body = (&**setup.skin(), frame);
        let colors = vec![GREEN; frame.positions.len()];
        let canvas = picture(&camera, body, &colors, (432, 480), (false, ground));
        pictures.push((format!("{name}: {fps:.0}/s (paper {rate}/s)"), canvas));
    }
    print!("{csv}");
    std::fs::write(folder.join("figure-6.csv"), csv)?;
    titled(&pictures, |_| GREEN).write_png(&folder.join("figure-6.png"))?;
    Ok(())
}

/// A scene made ready to run with the lattice.
fn world(scene: &LoadedScene) -> Result<(Arc<Setup>, World), Failed> {
    let progress = Progress::new();
    let setup = Arc::new(prepare(scene, &progress)?);
    let built = build_method(&setup, Method::Lattice, &AssetCache::disabled(), &progress)?;
    let world = World::new(built.method, built.model, Arc::clone(&setup));
    Ok((setup, world))
}

fn picture(
    camera: &OrbitCamera,
    (surface, frame): (&SurfaceMesh, &SurfaceFrame),
    colors: &[Color],
    (width, height): (usize, usize),
    (wireframe, ground): (bool, Option<f64>),
) -> Canvas {
    let body = BodyView {
        surface,
        frame,
        colors: Some(colors),
        base_color: GREEN,
    };
    let options = PictureOptions {
        width,
        height,
        ground,
        wireframe,
        ..PictureOptions::default()
    };
    draw_scene(camera, &[body], &[], &options)
}

/// Grey where nothing has moved, to red where a vertex has moved by a cell: a decade a third of the way.
fn moved_colors(surface: &SurfaceMesh, frame: &SurfaceFrame) -> Vec<Color> {
    let (still, far) = ([0.72, 0.75, 0.78], [0.85, 0.2, 0.12]);
    let color = |v: usize| {
        let moved = (frame.position(v) - surface.positions[v]).norm() / CELL;
        let share = ((moved.max(1e-9).log10() + 3.0) / 3.0).clamp(0.0, 1.0) as f32;
        std::array::from_fn(|k| still[k] + (far[k] - still[k]) * share)
    };
    (0..surface.vertex_count()).map(color).collect()
}
