//! The bench `fem-cube`: one second of a clamped cube under gravity, frame by frame.

use std::hint::black_box;
use std::sync::Arc;

use pliant_core::bench::{BenchCase, Work};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, FrameRequest, StepError};

use crate::AdaptiveModel;
use crate::benchmark::cube::{OPERATIONS, baked_cube};
use crate::params::{AdaptiveParams, ForceKernel, LevelChoice, Precision};

/// Frames of the second.
const FRAMES: u32 = 60;
/// Largest distance of the corner from its place with readable forces, over the way it goes: rounding, as in `tests/laws/forces/lanes.rs`.
const TOLERANCE: f64 = 1e-3;

/// One second from rest. Returns the corner's position at the end of each frame, m, and the number of steps.
fn second(body: &mut AdaptiveModel) -> Result<(Vec<Vec3>, u32), StepError> {
    body.reset();
    let boundary = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
    let mut path: Vec<Vec3> = Vec::new();
    let mut steps = 0;
    for _ in 0..FRAMES {
        let report = body.advance(FrameRequest::new(1.0 / f64::from(FRAMES), &boundary))?;
        steps += report.substeps;
        path.extend(body.level_positions().last());
    }
    Ok((path, steps))
}

pub(crate) fn cube_second(nodes: usize) -> Result<BenchCase, String> {
    if !(8..=100_000).contains(&nodes) {
        return Err("8 to 100 thousand nodes".into());
    }
    let cells = ((nodes as f64).cbrt().round() as usize - 1).max(1);
    let asset = Arc::new(baked_cube(cells)?);
    let body = |kernel, precision| {
        let params = AdaptiveParams {
            level: LevelChoice::Index(0),
            kernel,
            precision,
            ..AdaptiveParams::default()
        };
        let mut body = AdaptiveModel::new(asset.clone(), params).map_err(|e| e.to_string())?;
        let (path, steps) = second(&mut body).map_err(|e| e.to_string())?;
        Ok::<_, String>((body, path, steps))
    };
    let (mut fast, found, steps) = body(ForceKernel::Fast, Precision::F32)?;
    let (mut readable, exact, _) = body(ForceKernel::Reference, Precision::F64)?;
    let way = |x: &Vec3| (x - exact[0]).norm();
    let swing = exact.iter().map(way).fold(0.0, f64::max);
    for (x, place) in found.iter().zip(&exact) {
        let error = (x - place).norm() / swing;
        if error.is_nan() || error > TOLERANCE {
            return Err(format!("the corner is off by {:.2} %", 100.0 * error));
        }
    }
    let level = &asset.levels[0];
    let work = Work {
        bytes: 0.0,
        flops: OPERATIONS * level.mesh.tets.len() as f64 * f64::from(steps),
        double: false,
    };
    let again = |body: &mut AdaptiveModel| {
        // it did not fail when it was prepared
        let _ = black_box(second(body));
    };
    let case = BenchCase::new(level.node_count(), 1.0, work, move || again(&mut fast));
    Ok(case.with_reference(1.0, move || again(&mut readable)))
}
