//! Green's functions to a file and back, with a solver crate alone: no scene, no world.
//!
//! `cargo run --release -p pliant --example greens`

use std::sync::Arc;

use pliant::core::asset::BodyGeometry;
use pliant::core::mesh::procedural::{CellStyle, box_surface, box_tets};
use pliant::quasistatic::{GreensAsset, QuasistaticModel, QuasistaticParams, bake::bake};
use pliant::{
    BoundaryConditions, DeformableModel, FrameRequest, Material, NodalLoad, Progress, Selection,
    Vec3,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // a bar of 0.4 m, clamped at its left end
    let (size, cells) = (Vec3::new(0.4, 0.05, 0.05), [32, 4, 4]);
    let skin = Arc::new(box_surface(size, cells, CellStyle::Kuhn));
    let left = Selection::HalfSpace {
        point: [-0.1999, 0.0, 0.0],
        normal: [-1.0, 0.0, 0.0],
    };
    let geometry = BodyGeometry {
        greens_level: Some(Arc::new(box_tets(size, cells, CellStyle::Kuhn))),
        ..BodyGeometry::new(Arc::clone(&skin), Material::isotropic(1e6, 0.0)).held_at("wall", left)
    };
    let params = QuasistaticParams {
        elements: pliant::quasistatic::params::GreensElements::Quadratic,
        ..QuasistaticParams::default()
    };
    let asset = bake(&geometry, &params, &Progress::new())?;
    std::fs::create_dir_all("pliant-out")?;
    let file = "pliant-out/bar.greens";
    std::fs::write(file, asset.to_bytes())?;
    let bytes = std::fs::read(file)?;
    println!(
        "{file}: {} kB, Green's functions of {} boundary nodes",
        bytes.len() / 1000,
        asset.nodes()
    );

    // with the Green's functions of the file: a load that travels along the bar, in real time
    let mut model = QuasistaticModel::new(Arc::new(GreensAsset::from_bytes(&bytes)?), &params);
    let end = skin
        .positions
        .iter()
        .position(|x| x.x > 0.199 && x.y > 0.024 && x.z.abs() < 1e-9);
    let end = end.ok_or("the bar has an end")?;
    println!("0.1 N pushes here   the end sinks   beam theory, P a^2 (3 L - a) / 6 E I");
    for step in 1..=8 {
        let a = 0.05 * f64::from(step);
        let load_point = Vec3::new(a - 0.2, 0.025, 0.0);
        let distances = skin.positions.iter().map(|x| (x - load_point).norm());
        let nearest = distances.enumerate().min_by(|p, q| p.1.total_cmp(&q.1));
        let mut boundary = BoundaryConditions::default();
        boundary.set_loads(nearest.map(|(v, _)| NodalLoad {
            vertex: v as u32,
            force: Vec3::new(0.0, -0.1, 0.0),
        }));
        model.advance(FrameRequest::new(1.0 / 60.0, &boundary))?;
        let mut now = pliant::SurfaceFrame::default();
        model.write_surface(&mut now);
        let sinks = skin.positions[end].y - now.position(end).y;
        let stiffness = 1e6 * 0.05_f64.powi(4) / 12.0;
        let theory = 0.1 * a * a * (3.0 * 0.4 - a) / (6.0 * stiffness);
        println!(
            "{a:12.2} m    {:12.3} mm   {:12.3} mm",
            1e3 * sinks,
            1e3 * theory
        );
    }
    Ok(())
}
