//! Two methods on one scene: forces and skins under the same poke, side by side.
//!
//! `cargo run --release -p pliant --example compare`

use pliant::{Body, Material, Method, Scene, Tool, Vec3};

fn main() -> pliant::Result<()> {
    let pad = Body::cuboid([0.2, 0.1, 0.2], 0.025)
        .material(Material::isotropic(2e4, 0.0).with_damping_ratio(0.3))
        .hold_lowest(0.01)
        .set("lattice.cell", 0.025);
    let scene = Scene::new("compare")
        .body(pad)
        .tool(Tool::sphere("ball", 0.045, [0.0, 0.1, 0.0]))
        .gravity([0.0; 3]);
    // both methods share skin, support and tool
    let prepared = scene.prepare()?;
    let mut lattice = prepared.build(Method::Lattice)?;
    let mut statics = prepared.build(Method::Quasistatic)?;
    println!(
        "   time     {}   {}   largest distance of the skins",
        lattice.kind(),
        statics.kind()
    );
    for frame in 1..=90 {
        // down by 12 mm, and up again
        let depth = 0.012 * (std::f64::consts::PI * f64::from(frame) / 90.0).sin();
        for world in [&mut lattice, &mut statics] {
            world.move_tool("ball", [0.0, 0.095 - depth, 0.0])?;
            world.step()?;
        }
        if frame % 6 == 0 {
            let (a, b) = (lattice.surface(), statics.surface());
            let apart = |v: usize| (a.position(v) - b.position(v)).norm();
            let farthest = (0..a.positions.len()).map(apart).fold(0.0, f64::max);
            let force = |f: Vec3| f.norm();
            println!(
                "{:5.2} s  {:7.3} N     {:7.3} N   {:8.3} mm",
                lattice.time(),
                force(lattice.tool_force("ball")?),
                force(statics.tool_force("ball")?),
                1e3 * farthest
            );
        }
    }
    Ok(())
}
