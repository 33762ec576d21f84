//! Figures 6 and 8: a cube under three strain measures, and one shape of three materials with its levels of detail.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use pliant_adaptive::study::mesh::{box_with_about, wall_nodes};
use pliant_adaptive::{AdaptiveModel, ElementModel};
use pliant_core::asset::Progress;
use pliant_core::boundary::BoundaryConditions;
use pliant_core::contact::ToolShape;
use pliant_core::inspect::QuantityBuffer;
use pliant_core::material::{Material, YoungPoisson};
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};
use pliant_core::model::{DeformableModel, FrameRequest};
use pliant_core::scene::Method;
use pliant_render::picture::titled;
use pliant_render::{BodyView, Canvas, OrbitCamera, PictureOptions, ToolView, draw_scene};
use pliant_simulation::build::build_method;
use pliant_simulation::cache::AssetCache;
use pliant_simulation::scenes::LoadedScene;
use pliant_simulation::setup::prepare;
use pliant_simulation::world::{Interaction, World};

use crate::Failed;
use crate::curves::{GRAVITY, SIDE, reference_material};

type Color = [f32; 3];

/// Colour of the bodies.
const BODY_COLOR: Color = [0.80, 0.52, 0.36];
/// Levels from coarse to fine: the paper's blue, green and yellow, and a fourth.
const LEVELS: [Color; 4] = [
    [0.20, 0.36, 0.78],
    [0.16, 0.62, 0.36],
    [0.95, 0.80, 0.20],
    [0.86, 0.32, 0.18],
];
/// Time of the pictures of figure 6, s: the softest cube is deepest about then.
const PICTURE_TIME: f64 = 0.4;
const FRAME: f64 = 1.0 / 60.0;
/// Radius of the ball of figure 8, m.
const FINGER_RADIUS: f64 = 0.015;

/// Figure 6: a soft cube at one instant of its first swing.
pub fn deformed_cubes(folder: &Path) -> Result<(), Failed> {
    let size = Vec3::repeat(SIDE);
    let material = Material {
        elastic: YoungPoisson {
            young: 1.2e5,
            poisson: 0.3,
        },
        ..reference_material()
    };
    let mut csv = String::from("model,lowest_m,volume_ratio\n");
    let mut pictures: Vec<(String, Canvas)> = Vec::new();
    let mut camera = OrbitCamera {
        yaw: 0.5,
        pitch: 0.15,
        ..OrbitCamera::default()
    };
    let reached = Aabb {
        min: Vec3::new(-0.5, -1.2, -0.6),
        max: Vec3::new(0.9, 0.6, 0.6),
    };
    camera.fit(&reached, 0.9);
    for (model, name) in [
        (ElementModel::Cauchy, "Cauchy"),
        (ElementModel::Simplified, "simplified Cauchy"),
        (ElementModel::Green, "Green"),
    ] {
        let mesh = box_with_about(size, 729);
        let held = wall_nodes(&mesh, size);
        let mut body = AdaptiveModel::from_tets(mesh, material, &held, model)?;
        let skin = Arc::clone(body.surface());
        let boundary = BoundaryConditions::with_gravity(Vec3::new(0.0, -GRAVITY, 0.0));
        for _ in 0..(PICTURE_TIME / FRAME).round() as u32 {
            body.advance(FrameRequest::new(FRAME, &boundary))?;
        }
        let mut frame = SurfaceFrame::default();
        body.write_surface(&mut frame);
        let positions: Vec<Vec3> = (0..frame.positions.len())
            .map(|v| frame.position(v))
            .collect();
        let lowest = positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        let volume = SurfaceMesh::new(positions, skin.triangles.clone()).volume() / skin.volume();
        writeln!(csv, "{},{lowest:.4},{volume:.4}", model.name())?;
        let view = BodyView {
            surface: &skin,
            frame: &frame,
            colors: None,
            base_color: BODY_COLOR,
        };
        let options = PictureOptions {
            width: 420,
            height: 460,
            ground: None,
            wireframe: true,
            ..PictureOptions::default()
        };
        let title = format!("{name}: volume {volume:.2}");
        pictures.push((title, draw_scene(&camera, &[view], &[], &options)));
    }
    print!("{csv}");
    std::fs::write(folder.join("figure-6.csv"), csv)?;
    titled(&pictures, |_| BODY_COLOR).write_png(&folder.join("figure-6.png"))?;
    Ok(())
}

/// The scene of figure 8: a soft body on its foot, pressed from the side.
fn scene(young: f64, quick: bool) -> Result<LoadedScene, Failed> {
    let nodes = if quick {
        "[40, 160, 700]"
    } else {
        "[60, 300, 1600]"
    };
    let text = format!(
        r#"
schema = 1
name = "materials"
duration = 1.5
gravity = [0.0, -9.81, 0.0]
methods = ["adaptive"]
[[body]]
name = "nodule"
mesh = {{ procedural = "nodule", longest = 0.1 }}
material = {{ young = {young}, poisson = 0.4, density = 1000.0, zeta = 0.2, law = "stable_neo_hookean" }}
support = [ {{ name = "base", select = {{ lowest = 0.1 }}, motion = "fixed" }} ]
adaptive = {{ nodes = {nodes}, budget_ms = 24.0, resolution = "cut" }}
[[tool]]
name = "finger"
shape = {{ sphere = {{ radius = {FINGER_RADIUS} }} }}
contact = {{ kind = "frictionless" }}
motion = {{ path = "press" }}
[[path]]
name = "press"
interpolation = "smooth"
keys = [ {{ t = 0.0, at = [0.08, 0.06, 0.0] }}, {{ t = 1.0, at = [0.045, 0.055, 0.0] }}, {{ t = 1.5, at = [0.045, 0.055, 0.0] }} ]
"#
    );
    Ok(LoadedScene::of_text("figure 8", text)?)
}

/// Figure 8: one shape, three materials, coloured by level of detail.
pub fn three_materials(folder: &Path, quick: bool) -> Result<(), Failed> {
    let mut csv = String::from("young_pa,active_nodes,step_levels,force_n\n");
    let mut pictures = Vec::new();
    for young in [6e3, 3e4, 3e5] {
        let progress = Progress::new();
        let setup = Arc::new(prepare(&scene(young, quick)?, &progress)?);
        let built = build_method(&setup, Method::Adaptive, &AssetCache::disabled(), &progress)?;
        let mut world = World::new(built.method, built.model, Arc::clone(&setup));
        let (mut force, mut end) = (0.0, "");
        for _ in 0..80 {
            match world.step_frame(&Interaction::default()) {
                Ok(out) => force = out.wrenches.first().map_or(0.0, |w| w.force.norm()),
                // it is shown as it stood
                Err(error) => {
                    eprintln!("figure 8, E = {young} Pa: {error}");
                    end = ", stopped";
                    break;
                }
            }
        }
        let stats = world.model().stats();
        writeln!(
            csv,
            "{young},{},{},{force:.3}",
            stats.active_nodes,
            stats.counter("step_levels").unwrap_or(0.0)
        )?;
        let mut levels = QuantityBuffer::default();
        world.model().sample_quantity("lod_level", &mut levels)?;
        let colors: Vec<Color> = levels.scalars.iter().map(|l| color_of(*l)).collect();
        let frame = world.frame();
        let mut bounds = Aabb::empty();
        (0..frame.positions.len()).for_each(|v| bounds.grow(&frame.position(v)));
        let mut camera = OrbitCamera {
            yaw: 0.75,
            pitch: 0.3,
            ..OrbitCamera::default()
        };
        camera.fit(&bounds, 0.8);
        let view = BodyView {
            surface: setup.skin(),
            frame,
            colors: Some(&colors),
            base_color: BODY_COLOR,
        };
        let glyphs: Vec<ToolView> = (world.tools().iter())
            .map(|tool| ToolView {
                shape: ToolShape::Sphere {
                    radius: FINGER_RADIUS,
                },
                pose: tool.end,
            })
            .collect();
        let options = PictureOptions {
            width: 420,
            height: 460,
            ground: Some(bounds.min.y),
            wireframe: true,
            ..PictureOptions::default()
        };
        let title = format!("E = {} kPa: {} nodes{end}", young / 1e3, stats.active_nodes);
        pictures.push((title, draw_scene(&camera, &[view], &glyphs, &options)));
    }
    print!("{csv}");
    std::fs::write(folder.join("figure-8.csv"), csv)?;
    titled(&pictures, |_| BODY_COLOR).write_png(&folder.join("figure-8.png"))?;
    Ok(())
}

/// The colour of a level; between two levels a mixture.
fn color_of(level: f32) -> Color {
    let low = (level.max(0.0) as usize).min(LEVELS.len() - 1);
    let high = (low + 1).min(LEVELS.len() - 1);
    let share = (level - low as f32).clamp(0.0, 1.0);
    std::array::from_fn(|k| LEVELS[low][k] + (LEVELS[high][k] - LEVELS[low][k]) * share)
}
