//! A tool with a custom shape: a ring, given by its signed distance, is pressed into a pad. Draws its imprint.
//!
//! `cargo run --release -p pliant --example own_tool`

use pliant::{Body, Material, Method, Scene, SignedDistance, Tool, Vec3};

/// A torus about y.
#[derive(Debug)]
struct Ring {
    /// Radius of its centre line, m.
    radius: f64,
    /// Radius of its cross-section, m.
    thickness: f64,
}

impl SignedDistance for Ring {
    fn distance(&self, x: &Vec3) -> f64 {
        (x.x.hypot(x.z) - self.radius).hypot(x.y) - self.thickness
    }

    fn inner_radius(&self) -> f64 {
        self.thickness
    }

    fn outer_radius(&self) -> f64 {
        self.radius + self.thickness
    }
}

static RING: Ring = Ring {
    radius: 0.05,
    thickness: 0.016,
};

fn main() -> pliant::Result<()> {
    let (height, edge, cells) = (0.06, 0.00625, 32);
    let pad = Body::cuboid([0.2, height, 0.2], edge)
        .material(Material::isotropic(1e4, 0.0).with_damping_ratio(0.5))
        .hold_lowest(0.01)
        .set("lattice.cell", 0.0125);
    let scene = Scene::new("own tool")
        .body(pad)
        .tool(Tool::custom("ring", &RING, [0.0, 0.1, 0.0]))
        .gravity([0.0; 3]);
    let mut world = scene.build(Method::Lattice)?;
    for frame in 0..60 {
        let depth = 0.012 * (f64::from(frame) / 40.0).min(1.0);
        let y = 0.5 * height + RING.thickness - depth;
        world.move_tool("ring", [0.0, y, 0.0])?;
        world.step()?;
    }
    // one letter for each vertex of the upper face, the deeper the darker
    let mut picture = vec![b' '; (cells + 1) * (cells + 1)];
    let shades = b" .:-=+*#%@";
    for (rest, now) in world.skin().positions.iter().zip(world.positions()) {
        if rest.y > 0.499 * height {
            let at = |x: f64| ((x + 0.1) / edge).round() as usize;
            let depth = (rest.y - f64::from(now[1])) / 0.012;
            let shade = (depth.clamp(0.0, 0.99) * shades.len() as f64) as usize;
            picture[at(rest.z) * (cells + 1) + at(rest.x)] = shades[shade];
        }
    }
    for row in picture.chunks(cells + 1) {
        let row: String = row.iter().flat_map(|c| [char::from(*c); 2]).collect();
        println!("{row}");
    }
    println!(
        "the pad pushes the ring with {:.2} N",
        world.tool_force("ring")?.y
    );
    Ok(())
}
