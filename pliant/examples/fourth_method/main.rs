//! A fourth method in one file: a damped mass-spring network, in the same world and under the same tool as the lattice.
//!
//! `cargo run --release -p pliant --example fourth_method`

mod mass_spring;

use mass_spring::MassSpring;
use pliant::{Body, Material, Method, Scene, Tool};

fn main() -> pliant::Result<()> {
    let pad = Body::cuboid([0.2, 0.1, 0.2], 0.04)
        .material(Material::isotropic(2e4, 0.25).with_damping_ratio(0.3))
        .hold_lowest(0.01)
        .set("lattice.cell", 0.025);
    let scene = Scene::new("fourth method")
        .body(pad)
        .tool(Tool::sphere("ball", 0.07, [0.0, 0.13, 0.0]))
        .gravity([0.0; 3]);
    let prepared = scene.prepare()?;
    let own = MassSpring::new(prepared.geometry());
    let mut worlds = [
        prepared.world_of(Box::new(own)),
        prepared.build(Method::Lattice)?,
    ];
    println!("   time  {:>12} {:>12}", worlds[0].kind(), worlds[1].kind());
    for frame in 1..=90 {
        let depth = 0.015 * (std::f64::consts::PI * f64::from(frame) / 90.0).sin();
        for world in &mut worlds {
            world.move_tool("ball", [0.0, 0.12 - depth, 0.0])?;
            world.step()?;
        }
        if frame % 6 == 0 {
            let forces = [worlds[0].tool_force("ball")?, worlds[1].tool_force("ball")?];
            let [a, b] = forces.map(|f| f.norm());
            println!("{:5.2} s  {a:10.3} N {b:10.3} N", worlds[0].time());
        }
    }
    Ok(())
}
