//! `same-bits SCENE METHOD FRAMES`: presses the tool `finger` of a scene down by half a millimetre a frame, and prints the hash of the skin and the bits of the force after each frame. The
//! tests of the Python bindings do the same and compare.

use std::error::Error;

use pliant::recording::surface_hash;
use pliant::{Method, Scene};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [scene, method, frames] = words.as_slice() else {
        return Err("give SCENE METHOD FRAMES".into());
    };
    let method = Method::from_name(method).ok_or("no such method")?;
    let mut world = Scene::load(scene)?.build(method)?;
    for frame in 0..frames.parse::<u32>()? {
        let y = 0.13 - 0.0005 * f64::from(frame);
        world.move_tool("finger", [0.0, y, 0.0])?;
        world.step()?;
        let force = world.tool_force("finger")?;
        let bits = [force.x, force.y, force.z].map(|f| format!("{:016x}", f.to_bits()));
        println!(
            "{:016x} {}",
            surface_hash(world.positions()),
            bits.join(" ")
        );
    }
    Ok(())
}
