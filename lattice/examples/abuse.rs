//! Abuse: bodies are scrambled by three cells, collapsed to a point, flattened and mirrored, and let go, each for 100,000 steps. Prints a table and
//! fails when anything is not finite, energy doubles, or a damped body does not come back to its shape.
//!
//! `cargo run --release -p pliant-lattice --example abuse [-- STEPS]`, or `cargo xtask abuse [STEPS]`.

use std::error::Error;
use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::material::{Damping, Material};
use pliant_core::math::Vec3;
use pliant_core::mesh::VoxelGrid;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::model::{DeformableModel, FrameRequest, StepError};
use pliant_lattice::{LatticeModel, LatticeParams, Precision, bake};
use rayon::prelude::*;

/// Steps of each case where none are given.
const STEPS: usize = 100_000;
/// What is done to the bodies.
const ABUSES: [&str; 4] = ["scrambled", "collapsed", "flattened", "mirrored"];
/// Cells of the body along x, y, z, an ellipsoid among them.
const CELLS: [usize; 3] = [10, 7, 7];
/// Edge of a cell, m.
const CELL: f64 = 0.05;
/// Steps of a frame: the first of a frame is in double precision in any case.
const FRAME: usize = 4;
/// Frames whose energies are averaged: symplectic steps make it oscillate.
const MEAN: usize = 10;
/// Damped frames until a body is asked for its shape.
const RETURN: usize = 300;

fn main() -> Result<(), Box<dyn Error>> {
    let steps = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => STEPS,
    };
    println!("half-width  precision  abuse      steps    energy  back to shape, cells");
    let mut cases = Vec::new();
    for half_width in [1, 2] {
        for precision in [Precision::Double, Precision::Single] {
            cases.extend(ABUSES.map(|abuse| (half_width, precision, abuse)));
        }
    }
    // lines come in the order in which cases end
    let good: Vec<bool> = cases
        .par_iter()
        .map(|&(half_width, precision, abuse)| {
            let name = format!("{half_width:<11} {precision:<10?} {abuse:<10} {steps:<8}");
            let energy = undamped(half_width, precision, abuse, steps);
            let shape = damped(half_width, precision, abuse);
            let (line, good) = match (energy, shape) {
                (Ok(energy), Ok(shape)) => (
                    format!("{energy:<7.3} {shape:.2e}"),
                    energy < 2.0 && shape < 0.01,
                ),
                (Err(error), _) | (_, Err(error)) => (error.to_string(), false),
            };
            println!("{name} {line} {}", if good { "" } else { "FAILED" });
            good
        })
        .collect();
    match good.iter().filter(|good| !**good).count() {
        0 => Ok(()),
        n => Err(format!("{n} of {} cases failed", good.len()).into()),
    }
}

fn model(
    half_width: usize,
    precision: Precision,
    zeta: f64,
) -> Result<LatticeModel, Box<dyn Error>> {
    let size = Vec3::from(CELLS.map(|n| n as f64)) * CELL;
    let kept = (0..CELLS.iter().product::<usize>())
        .map(|at| {
            let cell = [
                at % CELLS[0],
                at / CELLS[0] % CELLS[1],
                at / CELLS[0] / CELLS[1],
            ];
            let r = |k: usize| (cell[k] as f64 + 0.5) / (0.5 * CELLS[k] as f64) - 1.0;
            r(0).powi(2) + r(1).powi(2) + r(2).powi(2) < 1.1
        })
        .collect();
    let params = LatticeParams {
        alpha: Some(1.0),
        steps: Some(FRAME as u32),
        precision: Some(precision),
        damping: Some(Damping::Ratio(zeta)),
        ..LatticeParams::with_half_width(half_width)
    };
    let geometry = BodyGeometry {
        skin: Arc::new(box_surface(size, CELLS, CellStyle::Kuhn)),
        material: Material::default(),
        supports: Vec::new(),
        levels: Vec::new(),
        greens_level: None,
        voxels: Some(Arc::new(VoxelGrid::new(size * -0.5, CELL, CELLS, kept))),
    };
    let asset = bake(&geometry, &params, &Progress::new())?;
    Ok(LatticeModel::new(Arc::new(asset), &params)?)
}

fn put(model: &mut LatticeModel, abuse: &str) {
    // numbers between -1 and 1, the same everywhere
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let map = |x: &Vec3| {
        let noise = Vec3::new(next(), next(), next());
        match abuse {
            "scrambled" => x + noise * (3.0 * CELL),
            "collapsed" => noise * 1e-10,
            "flattened" => Vec3::new(x.x, x.y, 0.0),
            _ => Vec3::new(-x.x, x.y, x.z),
        }
    };
    let x: Vec<Vec3> = model.positions().iter().map(map).collect();
    model.set_state(&x, &vec![Vec3::zeros(); x.len()]);
}

/// Kinetic and elastic energy after a frame, J.
fn advance(model: &mut LatticeModel) -> Result<f64, StepError> {
    let boundary = BoundaryConditions::default();
    let report = model.advance(FrameRequest::new(1.0 / 60.0, &boundary))?;
    let energy = report.energy.unwrap_or_default();
    Ok(energy.kinetic + energy.elastic)
}

/// Largest mean energy over that of the first steps, without damping.
fn undamped(
    half_width: usize,
    precision: Precision,
    abuse: &str,
    steps: usize,
) -> Result<f64, Box<dyn Error>> {
    let mut model = model(half_width, precision, 0.0)?;
    put(&mut model, abuse);
    let (mut first, mut largest) = (None, 0.0_f64);
    for _ in 0..(steps / (MEAN * FRAME)).max(10) {
        let mut mean = 0.0;
        for _ in 0..MEAN {
            mean += advance(&mut model)? / MEAN as f64;
        }
        largest = largest.max(mean / *first.get_or_insert(mean));
    }
    match largest.is_finite() {
        true => Ok(largest),
        false => Err("energy is not a number".into()),
    }
}

/// Largest change of a distance from one particle, cells, after a damped body was let go.
fn damped(half_width: usize, precision: Precision, abuse: &str) -> Result<f64, Box<dyn Error>> {
    let mut model = model(half_width, precision, 0.1)?;
    let rest = model.positions().to_vec();
    put(&mut model, abuse);
    for _ in 0..RETURN {
        advance(&mut model)?;
    }
    let x = model.positions();
    let change = |p: usize| ((x[p] - x[0]).norm() - (rest[p] - rest[0]).norm()).abs() / CELL;
    Ok((0..x.len()).map(change).fold(0.0, f64::max))
}
