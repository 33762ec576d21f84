//! Forces as the model computes them, against double precision.

use std::hint::black_box;

use pliant_core::bench::BenchCase;
use pliant_core::material::DampingParameters;
use pliant_core::math::Vec3;

use crate::benchmark::cube::{bent, cells_for, compare, constants, cube, exact_forces, work};
use crate::force::fast::FastForces;
use crate::force::lanes::{LaneForces, SimdLevel};

pub(crate) fn model_force(tets: usize, damping: DampingParameters) -> Result<BenchCase, String> {
    let level = cube(cells_for(tets)?)?;
    let constants = constants(damping);
    let x = bent(&level);
    let v: Vec<Vec3> = x.iter().map(|x| x.yzx()).collect();
    let exact = exact_forces(&level, constants, &x, &v);
    let mut lanes = LaneForces::new(&level, constants, SimdLevel::Auto);
    let mut found = exact.clone();
    lanes.evaluate(&x, &v, &mut found);
    compare(&found, &exact)?;
    let mut double = FastForces::new(&level, constants);
    let count = level.mesh.tets.len();
    let (places, speeds, mut forces) = (x.clone(), v.clone(), exact);
    let run = move || {
        lanes.evaluate(&x, &v, &mut found);
        black_box(&mut found);
    };
    Ok(
        BenchCase::new(count, count as f64, work(count), run).with_reference(
            count as f64,
            move || {
                double.evaluate(&places, &speeds, &mut forces);
                black_box(&mut forces);
            },
        ),
    )
}
