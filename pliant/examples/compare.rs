//! Two methods on one scene: the same poke, felt and seen side by side.
//!
//! `cargo run --release -p pliant --example compare`

use pliant::{Body, Material, Method, Scene, Tool, Vec3};

fn main() -> pliant::Result<()> {
    let pad = Body::cuboid([0.2, 0.1, 0.2], 0.0125)
        .material(Material::isotropic(2e4, 0.0).with_damping_ratio(0.3))
        .hold_lowest(0.01)
        .set("lattice.cell", 0.0125);
    let scene = Scene::new("compare")
        .body(pad)
        .tool(Tool::sphere("ball", 0.03, [0.0, 0.09, 0.0]).poking())
        .gravity([0.0; 3]);
    // skin, support and tool are made once and shared
    let prepared = scene.prepare()?;
    let mut lattice = prepared.build(Method::Lattice)?;
    let mut statics = prepared.build(Method::Quasistatic)?;
    println!(
        "   time     {}   {}   largest distance of the skins",
        lattice.kind(),
        statics.kind()
    );
    for frame in 1..=180 {
        lattice.step()?;
        statics.step()?;
        if frame % 15 == 0 {
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
