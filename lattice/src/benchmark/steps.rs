//! Steps of one body and of many in single precision.

use std::sync::Arc;

use pliant_core::bench::BenchCase;
use rayon::prelude::*;

use crate::bake::stiffness_weights::find_pull;
use crate::benchmark::blocks::{ALPHA, BLOCK, BODY, STEP, block, sides, step_work, wave};
use crate::benchmark::double_step::Reference;
use crate::kernels::{FastBody, Level};

/// A step of the large block, named after its half-width.
pub(crate) fn width(half_width: usize, steady: bool) -> Result<BenchCase, String> {
    // from there on every region is the whole block
    let most = BLOCK.iter().max().copied().unwrap_or(0);
    if half_width > most {
        return Err(format!("half-widths of 1 to {most}"));
    }
    let mut case = step(BLOCK.iter().product(), half_width, 0.0, steady)?;
    case.size = half_width;
    Ok(case)
}

pub(crate) fn step(
    particles: usize,
    half_width: usize,
    gain: f64,
    steady: bool,
) -> Result<BenchCase, String> {
    let asset = block(sides(particles), half_width)?;
    let count = asset.particle_count();
    let mut body = match steady {
        false => FastBody::new(Arc::clone(&asset), Level::Auto),
        true => FastBody::steady(&asset, Level::Auto),
    };
    body.deform(wave);
    let mut reference = Reference::new(Arc::clone(&asset));
    reference.check(&mut body)?;
    let case = BenchCase::new(
        count,
        count as f64,
        step_work(count, gain > 0.0),
        move || {
            body.step(ALPHA, STEP, gain);
        },
    );
    Ok(case.with_reference(count as f64, move || reference.step()))
}

pub(crate) fn with_stiffness_weights(half_width: usize) -> Result<BenchCase, String> {
    let plain = block(sides(BLOCK.iter().product()), half_width)?;
    let mut asset = (*plain).clone();
    let weight = |region: usize| 0.6 + 0.4 * (0.01 * region as f64).sin();
    asset.stiffness_weights = (0..asset.region_count()).map(weight).collect();
    find_pull(&mut asset);
    let (asset, count) = (Arc::new(asset), plain.particle_count());
    let [mut body, mut other] = [&asset, &plain].map(|asset| {
        let mut body = FastBody::new(Arc::clone(asset), Level::Auto);
        body.deform(wave);
        body
    });
    Reference::new(asset).check(&mut body)?;
    let case = BenchCase::new(
        half_width,
        count as f64,
        step_work(count, false),
        move || body.step(ALPHA, STEP, 0.0),
    );
    Ok(case.with_reference(count as f64, move || other.step(ALPHA, STEP, 0.0)))
}

pub(crate) fn shell(diameter: usize) -> Result<BenchCase, String> {
    let mut body = crate::kernels::shell(diameter, 1, Level::Auto).map_err(|e| e.to_string())?;
    body.deform(wave);
    let count = body.particle_count();
    let work = step_work(count, false);
    Ok(BenchCase::new(count, count as f64, work, move || {
        body.step(ALPHA, STEP, 0.0);
    }))
}

pub(crate) fn bodies(count: usize) -> Result<BenchCase, String> {
    let asset = block(BODY, 2)?;
    let mut body = FastBody::new(Arc::clone(&asset), Level::Auto);
    body.deform(wave);
    Reference::new(Arc::clone(&asset)).check(&mut body)?;
    let particles = count * asset.particle_count();
    let mut bodies = vec![body; count];
    Ok(BenchCase::new(
        count,
        1.0,
        step_work(particles, false),
        move || {
            bodies
                .par_iter_mut()
                .for_each(|body| body.step(ALPHA, STEP, 0.0));
        },
    ))
}
