//! A ball goes through a slab, which breaks (lattice, `toughness`). Draws the pieces.
//!
//! `cargo run --release -p pliant --example fracture`

use std::path::Path;

use pliant::{Body, Material, Method, Scene, Tool, ToolShape};
use pliant_render::{BodyView, OrbitCamera, PictureOptions, ToolView, draw_scene};

/// Radius of the ball, m.
const RADIUS: f64 = 0.03;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let slab = Body::cuboid([0.2, 0.2, 0.03], 0.01)
        .material(Material::isotropic(5e4, 0.0).with_damping_ratio(0.3))
        .hold_lowest(0.05)
        .set("lattice.cell", 0.01)
        .set("lattice.half_width", 1)
        .set("lattice.toughness", 0.15);
    let scene = Scene::new("fracture")
        .body(slab)
        .tool(Tool::sphere("ball", RADIUS, [0.0, 0.05, 0.1]))
        .tool(Tool::floor("floor", -0.1).friction(0.6));
    let mut world = scene.build(Method::Lattice)?;
    for frame in 0..50 {
        let z = 0.1 - 0.006 * f64::from(frame);
        world.move_tool("ball", [0.0, 0.05, z])?;
        world.step()?;
        if frame % 5 == 0 {
            let broken = world.stats().counter("broken_links").unwrap_or(0.0);
            println!(
                "{:5.2} s  ball at z = {z:6.3} m  broken links {broken}",
                world.time()
            );
        }
    }
    let surface = world.surface();
    let (skin, frame) = match &surface.cut {
        Some(cut) => (cut.surface.as_ref(), &cut.frame),
        None => (world.skin(), surface),
    };
    let mut camera = OrbitCamera::default();
    camera.fit(&world.skin().bounds(), 4.0 / 3.0);
    let ball = ToolView {
        shape: ToolShape::Sphere { radius: RADIUS },
        pose: world.tool_pose("ball")?,
    };
    let body = BodyView {
        surface: skin,
        frame,
        colors: None,
        base_color: [0.1, 0.62, 0.47],
    };
    let options = PictureOptions {
        ground: Some(-0.1),
        supersample: 2,
        ..PictureOptions::default()
    };
    let picture = draw_scene(&camera, &[body], &[ball], &options);
    std::fs::create_dir_all("pliant-out")?;
    picture.write_png(Path::new("pliant-out/fracture.png"))?;
    println!("pliant-out/fracture.png is the picture");
    Ok(())
}
