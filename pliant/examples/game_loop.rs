//! A game loop: screen frames at irregular times, a body that advances in fixed steps, and an undo.
//!
//! `cargo run --release -p pliant --example game_loop`

use std::time::Instant;

use pliant::{Body, Material, Method, Scene};

fn main() -> pliant::Result<()> {
    let jelly = Body::cuboid([0.15, 0.2, 0.15], 0.03)
        .material(Material::isotropic(2e4, 0.3).with_damping_ratio(0.03))
        .hold_lowest(0.01)
        .set("adaptive.target_edges", vec![0.075, 0.04]);
    let scene = Scene::new("game").body(jelly);
    let mut world = scene.build(Method::Adaptive)?;

    // the player grabs the top and pulls it aside
    let top = world.nearest_vertex([0.0, 0.1, 0.0]);
    let rest = &world.skin().positions;
    let is_near = |v: &u32| (rest[*v as usize] - rest[top as usize]).norm() < 0.04;
    let ring: Vec<u32> = (0..rest.len() as u32).filter(is_near).collect();
    let before = world.snapshot();
    let mut clock = 0.0;
    let mut worst = 0.0_f64;
    println!(" screen    body     top moved aside");
    for screen in 0..90 {
        // the screen drops a frame now and then
        let elapsed = if screen % 17 == 5 { 0.04 } else { 0.0167 };
        clock += elapsed;
        match clock {
            t if t < 0.5 => world.grab(&ring, [0.05 * t / 0.5, 0.0, 0.0])?,
            _ => world.release(),
        }
        let started = Instant::now();
        let frames = world.advance(elapsed)?;
        worst = worst.max(started.elapsed().as_secs_f64() / frames.max(1) as f64);
        // upload world.positions() and world.normals() here
        if screen % 3 == 0 {
            let aside = world.displacement(top)?.x;
            let dots = " ".repeat((30.0 + 500.0 * aside).clamp(0.0, 70.0) as usize);
            println!("{clock:6.2} s {:6.2} s {dots}o", world.time());
        }
    }
    let energy = world.energy().map_or(0.0, |e| e.kinetic + e.elastic);
    println!("left of the swing: {:.2} mJ", 1e3 * energy);
    world.restore(&before)?;
    println!(
        "undone: {:.2} s, top at {:.3} m",
        world.time(),
        world.displacement(top)?.x
    );
    println!(
        "slowest frame {:.2} ms of {:.2}",
        1e3 * worst,
        1e3 * world.frame_duration()
    );
    Ok(())
}
