//! A knife goes through a stretched bar, by finite elements and by the lattice: the bar pulls less and less, and springs apart.
//!
//! `cargo run --release -p pliant --example blade`

use pliant::{Body, Material, Method, Scene, Selection, Tool, ToolShape, World};

fn main() -> pliant::Result<()> {
    let wall = Selection::HalfSpace {
        point: [0.0, 0.0, -0.1499],
        normal: [0.0, 0.0, -1.0],
    };
    let bar = Body::cuboid([0.1, 0.1, 0.3], 0.02)
        .material(Material::isotropic(3e4, 0.0).with_damping_ratio(0.3))
        .hold("wall", wall)
        .set("adaptive.target_edges", vec![0.04, 0.02])
        .set("lattice.cell", 0.02);
    // the edge lies along x, the back above it
    let knife = ToolShape::Blade {
        length: 0.16,
        height: 0.05,
        thickness: 0.001,
    };
    let scene = Scene::new("blade")
        .body(bar)
        .tool(Tool::of_shape("knife", knife, [0.0, 0.06, 0.003]))
        .gravity([0.0; 3]);
    let prepared = scene.prepare()?;
    let mut worlds = [
        prepared.build(Method::Adaptive)?,
        prepared.build(Method::Lattice)?,
    ];
    // a hand holds the free end; one vertex of the top is on each side of the knife
    let rest = &prepared.skin().positions;
    let is_end = |v: &u32| rest[*v as usize].z > 0.1499;
    let end: Vec<u32> = (0..rest.len() as u32).filter(is_end).collect();
    let [left, right] = [-0.01, 0.01].map(|z| worlds[0].nearest_vertex([0.01, 0.05, z]));

    let [a, b] = [worlds[0].kind(), worlds[1].kind()];
    println!("                {a:>28}{b:>28}");
    let columns = "       pull      gap  pieces";
    println!("   time    depth{columns}{columns}");
    for frame in 1..=120 {
        // stretched by 5 %, then cut from above
        let pull = 0.015 * (f64::from(frame) / 30.0).min(1.0);
        let edge = 0.06 - 0.12 * (f64::from(frame - 40) / 60.0).clamp(0.0, 1.0);
        for world in &mut worlds {
            world.grab(&end, [0.0, 0.0, pull])?;
            world.move_tool("knife", [0.0, edge, 0.003])?;
            world.step()?;
        }
        if frame % 6 == 0 {
            let depth = 1e3 * (0.05 - edge).clamp(0.0, 0.1);
            print!("{:5.2} s {depth:5.0} mm", worlds[0].time());
            for world in &worlds {
                let (left, right) = (world.displacement(left)?, world.displacement(right)?);
                let (force, gap) = (world.grab_force().z, 1e3 * (right - left).z);
                print!("   {force:6.2} N {gap:5.1} mm {:7}", pieces(world));
            }
            println!();
        }
    }
    let whole = 3e4 * 0.01 * 0.05;
    println!("a whole bar pulls with E A strain = {whole:.1} N");
    Ok(())
}

/// Number of connected pieces.
fn pieces(world: &World) -> f64 {
    world.stats().counter("components").unwrap_or(1.0)
}
