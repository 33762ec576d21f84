//! Steps of one body and of many in single precision; their reference is the step in double precision.

use std::sync::Arc;

use pliant_core::bench::BenchCase;
use rayon::prelude::*;

use crate::asset::LatticeAsset;
use crate::bake::stiffness_weights::update_mean_weights;
use crate::benchmark::blocks::{BLOCK, BODY, block, pace, shell, sides, step_work, wave};
use crate::benchmark::stepped_body::SteppedBody;

/// Largest difference from double precision over half the body's longest side, both in cells: some roundings (6e-8) of the largest position.
const TOLERANCE: f64 = 5e-7;

/// A step of the large block, named after its half-width.
pub(crate) fn width(half_width: usize) -> Result<BenchCase, String> {
    // beyond this every region is the whole block
    let most = BLOCK.iter().max().copied().unwrap_or(0);
    if half_width > most {
        return Err(format!("half-widths of 1 to {most}"));
    }
    let mut case = step(BLOCK.iter().product(), half_width, 0.0)?;
    case.size = half_width;
    Ok(case)
}

/// A deformed body of `asset` in double precision.
fn reference(asset: &Arc<LatticeAsset>, gain: f64) -> Result<SteppedBody, String> {
    let body = SteppedBody::in_double_precision(Arc::clone(asset), pace(gain));
    let mut body = body.map_err(|e| e.to_string())?;
    body.deform(wave);
    Ok(body)
}

/// A deformed body of `asset`. Fails if its goals do not agree with those of double precision.
fn moving_body(asset: &Arc<LatticeAsset>, gain: f64) -> Result<SteppedBody, String> {
    let body = SteppedBody::new(Arc::clone(asset), pace(gain));
    let mut body = body.map_err(|e| e.to_string())?;
    body.deform(wave);
    let longest = asset.dims.iter().copied().max().unwrap_or(0);
    let tolerance = TOLERANCE * 0.5 * longest as f64;
    let expected = reference(asset, gain)?.find_offsets();
    for (p, (found, expected)) in body.find_offsets().iter().zip(&expected).enumerate() {
        let off = (found - expected).amax();
        if off > tolerance {
            return Err(format!(
                "the goal of particle {p} is {off:e} cells off in single precision"
            ));
        }
    }
    Ok(body)
}

/// One step. A step that diverges ends the measurement, not the program.
fn run(body: &mut SteppedBody) {
    let _ = body.step();
}

pub(crate) fn step(particles: usize, half_width: usize, gain: f64) -> Result<BenchCase, String> {
    let asset = block(sides(particles), half_width).map_err(|e| e.to_string())?;
    let count = asset.particle_count();
    let mut body = moving_body(&asset, gain)?;
    let work = step_work(count, gain > 0.0);
    let case = BenchCase::new(count, count as f64, work, move || run(&mut body));
    let mut reference = reference(&asset, gain)?;
    Ok(case.with_reference(count as f64, move || run(&mut reference)))
}

pub(crate) fn with_stiffness_weights(half_width: usize) -> Result<BenchCase, String> {
    let plain = block(sides(BLOCK.iter().product()), half_width).map_err(|e| e.to_string())?;
    let mut asset = (*plain).clone();
    let weight = |region: usize| 0.6 + 0.4 * (0.01 * region as f64).sin();
    asset.stiffness_weights = (0..asset.region_count()).map(weight).collect();
    update_mean_weights(&mut asset);
    let (asset, count) = (Arc::new(asset), plain.particle_count());
    let (mut body, mut other) = (moving_body(&asset, 0.0)?, moving_body(&plain, 0.0)?);
    let work = step_work(count, false);
    let case = BenchCase::new(half_width, count as f64, work, move || run(&mut body));
    Ok(case.with_reference(count as f64, move || run(&mut other)))
}

pub(crate) fn step_of_shell(diameter: usize) -> Result<BenchCase, String> {
    let asset = shell(diameter, 1).map_err(|e| e.to_string())?;
    let mut body = moving_body(&asset, 0.0)?;
    let count = body.particle_count();
    let work = step_work(count, false);
    Ok(BenchCase::new(count, count as f64, work, move || {
        run(&mut body);
    }))
}

pub(crate) fn bodies(count: usize) -> Result<BenchCase, String> {
    let asset = block(BODY, 2).map_err(|e| e.to_string())?;
    let bodies = (0..count).map(|_| moving_body(&asset, 0.0));
    let mut bodies = bodies.collect::<Result<Vec<_>, _>>()?;
    let work = step_work(count * asset.particle_count(), false);
    Ok(BenchCase::new(count, 1.0, work, move || {
        bodies.par_iter_mut().for_each(run);
    }))
}
