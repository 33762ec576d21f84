//! Figures 4 and 5: the height of a corner of a cube that swings, at three resolutions.

use std::fmt::Write as _;
use std::path::Path;

use pliant_adaptive::study::mesh::{box_with_about, wall_nodes};
use pliant_adaptive::study::oscillate;
use pliant_adaptive::{AdaptiveModel, ElementModel};
use pliant_core::asset::Progress;
use pliant_core::boundary::BoundaryConditions;
use pliant_core::material::{Damping, DampingParameters, Material, MaterialLaw};
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, FrameRequest};
use pliant_render::{Plot, Series};

use crate::Failed;

/// Edge of the cube, m.
pub const SIDE: f64 = 1.0;
/// m/s².
pub const GRAVITY: f64 = 9.81;
/// Nodes of the three meshes; the paper has 27, 57 and 135.
const NODES: [usize; 3] = [27, 57, 137];
/// The paper's red, black and blue, the black readable on dark pages.
const COLORS: [[f32; 3]; 3] = [[0.84, 0.15, 0.16], [0.45, 0.47, 0.5], [0.12, 0.35, 0.85]];
/// Damping ratio of the first swing in figure 5b.
const RATIO: f64 = 0.05;
/// Between two points of a damped curve, s.
const FRAME: f64 = 1.0 / 120.0;

/// The material of the converged reference.
pub fn reference_material() -> Material {
    Material::isotropic(1.022_222e6, 0.277_778)
        .with_density(1000.0)
        .with_damping_ratio(0.0)
        .with_law(MaterialLaw::Green)
}

/// Figures 4a (springs), 4b (Cauchy), 5a (Green) and 5b (Green, damped), each as a diagram and a table.
pub fn write(folder: &Path, quick: bool) -> Result<(), Failed> {
    let seconds = if quick { 1.0 } else { 3.0 };
    let mut summary = String::from("figure,model,nodes,period_s,trough_m,energy_drift\n");
    let mut slowest = 0.0_f64;
    for (name, title, model) in [
        ("4a", "Figure 4a: springs", ElementModel::Spring),
        ("4b", "Figure 4b: Cauchy strain", ElementModel::Cauchy),
        ("5a", "Figure 5a: Green strain", ElementModel::Green),
    ] {
        let mut curves = Vec::new();
        for nodes in NODES {
            let size = Vec3::repeat(SIDE);
            let mesh = box_with_about(size, nodes);
            let material = reference_material();
            let progress = Progress::new();
            let run = oscillate(&mesh, size, &material, GRAVITY, model, seconds, &progress)?;
            let five_decimals = |x: Option<f64>| x.map_or(String::new(), |x| format!("{x:.5}"));
            writeln!(
                summary,
                "{name},{},{},{},{},{}",
                model.name(),
                run.nodes,
                five_decimals(run.period_s),
                five_decimals(run.trough_m),
                run.energy_drift
                    .map_or(String::new(), |d| format!("{d:.1e}"))
            )?;
            slowest = slowest.max(run.period_s.unwrap_or(0.0));
            let points = run.t.iter().zip(&run.y).map(|(t, y)| [*t, *y]);
            curves.push((run.nodes, points.collect()));
        }
        draw(folder, name, title, curves)?;
    }
    // one phi and psi for all three meshes, so that the rates at which they come to rest can be compared
    let omega = std::f64::consts::TAU / slowest;
    let (beta, lame) = (2.0 * RATIO / omega, reference_material().lame());
    let damping = DampingParameters {
        phi: beta * lame.lambda,
        psi: beta * lame.mu,
    };
    let mut curves = Vec::new();
    for nodes in NODES {
        let points = damped(nodes, damping, seconds)?;
        writeln!(summary, "5b,green,{},,,", points.0)?;
        curves.push(points);
    }
    draw(folder, "5b", "Figure 5b: Green strain, damped", curves)?;
    print!("{summary}");
    std::fs::write(folder.join("figures-4-and-5.csv"), summary)?;
    Ok(())
}

/// The height of the corner of a damped cube.
fn damped(
    nodes: usize,
    damping: DampingParameters,
    seconds: f64,
) -> Result<(usize, Vec<[f64; 2]>), Failed> {
    let size = Vec3::repeat(SIDE);
    let mesh = box_with_about(size, nodes);
    let corner_position = Vec3::new(size.x, -size.y, size.z) / 2.0;
    let corner = mesh
        .nodes
        .iter()
        .position(|x| (x - corner_position).norm() < 1e-9);
    let corner = corner.ok_or("the cube has a corner")?;
    let (count, held) = (mesh.nodes.len(), wall_nodes(&mesh, size));
    let material = Material {
        damping: Damping::Parameters(damping),
        ..reference_material()
    };
    let mut body = AdaptiveModel::from_tets(mesh, material, &held, ElementModel::Green)?;
    let boundary = BoundaryConditions::with_gravity(Vec3::new(0.0, -GRAVITY, 0.0));
    let mut points = vec![[0.0, 0.0]];
    for k in 1..=(seconds / FRAME).round() as u32 {
        body.advance(FrameRequest::new(FRAME, &boundary))?;
        points.push([
            f64::from(k) * FRAME,
            body.level_positions()[corner].y - corner_position.y,
        ]);
    }
    Ok((count, points))
}

fn draw(
    folder: &Path,
    name: &str,
    title: &str,
    curves: Vec<(usize, Vec<[f64; 2]>)>,
) -> Result<(), Failed> {
    let mut plot = Plot::new(title, ("time", "s"), ("height of the corner", "m"));
    (plot.width, plot.height) = (720.0, 340.0);
    for ((nodes, points), color) in curves.into_iter().zip(COLORS) {
        plot.series.push(Series {
            name: format!("{nodes} nodes"),
            color,
            dashed: false,
            points,
        });
    }
    std::fs::write(folder.join(format!("figure-{name}.svg")), plot.svg())?;
    Ok(())
}
