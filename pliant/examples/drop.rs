//! Drops a mesh onto a floor and draws its bounces.
//!
//! `cargo run --release -p pliant --example drop -- [MESH]`; without a mesh it writes one first.

use std::path::PathBuf;

use pliant::meshing::io::write_obj;
use pliant::meshing::procedural::{ProceduralSpec, body};
use pliant::{Body, Material, Method, Progress, Scene, Tool};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mesh = match std::env::args_os().nth(1) {
        Some(mesh) => PathBuf::from(mesh),
        None => torus()?,
    };
    let ring = Body::from_file(&mesh)
        .longest(0.2)
        .on_floor()
        .material(Material::isotropic(3e4, 0.3).with_damping_ratio(0.03));
    // the body stands on y = 0: the floor is half a metre lower
    let scene = Scene::new("drop")
        .body(ring)
        .tool(Tool::floor("floor", -0.5).friction(0.5));
    let mut world = scene.build(Method::Lattice)?;
    println!("   time   force on floor   height above it");
    for frame in 1..=90 {
        world.step()?;
        if frame % 3 == 0 {
            let lowest = world
                .positions()
                .iter()
                .map(|x| x[1])
                .fold(f32::MAX, f32::min);
            let height = f64::from(lowest) + 0.5;
            let force = world.tool_force("floor")?.norm();
            let dots = " ".repeat((50.0 * height.max(0.0)) as usize);
            println!("{:6.2} s {force:8.1} N |{dots}o", world.time());
        }
    }
    Ok(())
}

/// Writes a torus, in place of a mesh from another program.
fn torus() -> Result<PathBuf, Box<dyn std::error::Error>> {
    let spec = ProceduralSpec {
        edge: Some(0.02),
        ..ProceduralSpec::new("torus")
    };
    std::fs::create_dir_all("pliant-out")?;
    let file = PathBuf::from("pliant-out/torus.obj");
    write_obj(&file, &body(&spec, &Progress::new())?)?;
    println!("{} is the mesh\n", file.display());
    Ok(file)
}
