//! Forces and steps in single precision against a plain loop.

use std::hint::black_box;

use pliant_core::bench::BenchCase;
use pliant_core::material::DampingParameters;
use pliant_core::math::Vec3;

use crate::benchmark::cube::{bent, cells_for, compare, constants, cube, exact_forces, work};
use crate::force::lanes::scalar::ScalarForces;
use crate::force::lanes::{LaneBody, SimdLevel};
use crate::hierarchy::Level;

/// A bent cube in lanes, and the same for the plain loop.
struct Prepared {
    level: Level,
    body: LaneBody,
    plain: ScalarForces,
    moved: Vec<[f32; 3]>,
}

/// Checks the lanes against double precision.
fn prepared(tets: usize) -> Result<Prepared, String> {
    let level = cube(cells_for(tets)?)?;
    let constants = constants(DampingParameters::default());
    let x = bent(&level);
    let mut body = LaneBody::new(&level, &constants, SimdLevel::Auto);
    body.set_positions(&x);
    let rest = vec![Vec3::zeros(); x.len()];
    compare(&body.forces(), &exact_forces(&level, constants, &x, &rest))?;
    let plain = ScalarForces::new(&level.mesh, &level.shapes, &constants.lame);
    let narrow = |(x, rest): (&Vec3, &Vec3)| [0, 1, 2].map(|k| (x[k] - rest[k]) as f32);
    let moved = x.iter().zip(&level.mesh.nodes).map(narrow).collect();
    Ok(Prepared {
        level,
        body,
        plain,
        moved,
    })
}

pub(crate) fn lanes_force(tets: usize) -> Result<BenchCase, String> {
    let Prepared {
        level,
        mut body,
        plain,
        moved,
    } = prepared(tets)?;
    let count = level.mesh.tets.len();
    let mut forces = vec![[0.0; 3]; moved.len()];
    let run = move || {
        body.evaluate();
        black_box(&mut body);
    };
    Ok(
        BenchCase::new(count, count as f64, work(count), run).with_reference(
            count as f64,
            move || {
                plain.evaluate(&moved, &mut forces);
                black_box(&mut forces);
            },
        ),
    )
}

pub(crate) fn lanes_step(tets: usize) -> Result<BenchCase, String> {
    let Prepared {
        level,
        mut body,
        plain,
        mut moved,
    } = prepared(tets)?;
    let count = level.mesh.tets.len();
    // so short that the deformation hardly changes during the timing
    let step = 1e-7_f32;
    let mut forces = vec![[0.0_f32; 3]; moved.len()];
    let mut velocities = forces.clone();
    let inverse: Vec<f32> = level.masses.iter().map(|m| (1.0 / m) as f32).collect();
    let run = move || {
        body.step(f64::from(step), &Vec3::new(0.0, -9.81, 0.0));
        black_box(&mut body);
    };
    Ok(
        BenchCase::new(count, count as f64, work(count), run).with_reference(
            count as f64,
            move || {
                plain.evaluate(&moved, &mut forces);
                for (n, v) in velocities.iter_mut().enumerate() {
                    for k in 0..3 {
                        v[k] += step * forces[n][k] * inverse[n];
                        moved[n][k] += step * v[k];
                    }
                }
                black_box(&mut moved);
            },
        ),
    )
}
