//! Prints what a particle step costs: nanoseconds by half-width, way of summing and damping, on one thread.
//!
//! `cargo run --release -p pliant-lattice --example cost_per_particle`

use std::sync::Arc;
use std::time::Instant;

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::material::{Damping, Material};
use pliant_core::math::Vec3;
use pliant_core::mesh::VoxelGrid;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::model::{DeformableModel, FrameRequest, WorkBudget};
use pliant_lattice::{LatticeModel, LatticeParams, Sums, bake};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "shape  particles  w  sums            damping  applications  ns/particle/step  bake, ms"
    );
    for (name, cells, solid) in [
        ("block", 18, true),
        ("ball", 24, false),
        ("shell", 40, false),
    ] {
        for w in [1, 2, 3, 4, 6] {
            for sums in [Sums::BarPlateCube, Sums::Running] {
                for zeta in [0.0, 0.02, 0.1] {
                    if zeta > 0.0 && w > 2 {
                        continue;
                    }
                    let geometry = body(cells, solid, name == "shell");
                    let params = LatticeParams {
                        half_width: Some(w),
                        alpha: Some(1.0),
                        steps: Some(10),
                        damping: Some(Damping::Ratio(zeta)),
                        sums: Some(sums),
                        ..LatticeParams::default()
                    };
                    let start = Instant::now();
                    let asset = Arc::new(bake(&geometry, &params, &Progress::new())?);
                    let bake_time = start.elapsed().as_millis();
                    let mut model = LatticeModel::new(Arc::clone(&asset), &params)?;
                    let wobble: Vec<Vec3> = model
                        .positions()
                        .iter()
                        .map(|x| Vec3::new(x.y, -x.x, 0.3 * x.y) * 5.0)
                        .collect();
                    let at = model.positions().to_vec();
                    model.set_state(&at, &wobble);
                    let (time, passes) = nanoseconds(&mut model)?;
                    println!(
                        "{name:6} {:8} {w:3}  {:14} {zeta:8} {passes:13} {time:10.1} {bake_time:15}",
                        asset.particle_count(),
                        format!("{sums:?}"),
                    );
                }
            }
        }
    }
    Ok(())
}

/// The least of some frames, per particle and step; and applications of the damping operator a frame.
fn nanoseconds(model: &mut LatticeModel) -> Result<(f64, f64), Box<dyn std::error::Error>> {
    let boundary = BoundaryConditions::default();
    let mut best = f64::INFINITY;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    for _ in 0..6 {
        let start = Instant::now();
        let report = pool.install(|| {
            model.advance(FrameRequest {
                duration: 1.0 / 60.0,
                boundary: &boundary,
                budget: WorkBudget::UNLIMITED,
                force_tap: None,
            })
        })?;
        best = best.min(start.elapsed().as_nanos() as f64 / report.work_used as f64);
    }
    let stats = pliant_core::inspect::Inspect::stats(model);
    let passes = stats
        .counters
        .iter()
        .find(|c| c.0 == "damping_applications")
        .map_or(0.0, |c| c.1);
    Ok((best, passes))
}

/// A block or ball of `cells` cells an axis in a box skin; only volume and extent of the skin matter here.
fn body(cells: usize, block: bool, hollow: bool) -> BodyGeometry {
    let edge = 0.2 / cells as f64;
    let mut kept = vec![true; cells.pow(3)];
    if !block {
        for (at, keep) in kept.iter_mut().enumerate() {
            let c = [at % cells, at / cells % cells, at / cells / cells];
            let r = c
                .map(|i| (i as f64 + 0.5) / cells as f64 - 0.5)
                .iter()
                .map(|x| x * x)
                .sum::<f64>()
                .sqrt();
            *keep = r < 0.5 && (!hollow || r > 0.46);
        }
    }
    BodyGeometry {
        skin: Arc::new(box_surface(Vec3::repeat(0.2), [4; 3], CellStyle::Kuhn)),
        material: Material::default(),
        supports: Vec::new(),
        levels: Vec::new(),
        greens_level: None,
        voxels: Some(Arc::new(VoxelGrid::new(
            Vec3::repeat(-0.1),
            edge,
            [cells; 3],
            kept,
        ))),
    }
}
