//! Pokes a liver and prints what the finger feels, going in and coming out.
//!
//! `cargo run --release -p pliant --example poke`

use pliant::{Body, Material, Method, Scene, Tool, Vec3};

/// Radius of the finger tip, m.
const RADIUS: f64 = 0.02;

fn main() -> pliant::Result<()> {
    let liver = Body::procedural("liver")
        .longest(0.2)
        .edge(0.012)
        .material(Material::isotropic(4e3, 0.4))
        .hold_lowest(0.25)
        .set("quasistatic.boundary", 250);
    let scene = Scene::new("poke")
        .body(liver)
        .tool(Tool::sphere("finger", RADIUS, [0.0, 0.3, 0.0]))
        .gravity([0.0; 3]);
    let mut world = scene.build(Method::Quasistatic)?;

    // onto the highest vertex
    let positions = &world.skin().positions;
    let top = positions
        .iter()
        .fold(positions[0], |a, b| if b.y > a.y { *b } else { a });
    println!("depth     force on the finger");
    for k in 0..=20 {
        let depth = 0.001 * f64::from(10 - (k - 10_i32).abs());
        world.move_tool("finger", top + Vec3::y() * (RADIUS - depth))?;
        world.step()?;
        let force = world.tool_force("finger")?;
        let bar = "#".repeat((force.norm() * 100.0) as usize);
        println!("{:4.0} mm  {:6.3} N {bar}", 1e3 * depth, force.norm());
    }
    Ok(())
}
