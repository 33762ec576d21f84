//! The bench `fem-cube`: one second of a clamped cube under gravity.

use std::hint::black_box;

use pliant_core::bench::{BenchCase, Work};
use pliant_core::material::DampingParameters;
use pliant_core::math::Vec3;

use crate::benchmark::cube::{OPERATIONS, constants, cube};
use crate::force::ElementConstants;
use crate::force::fast::FastForces;
use crate::force::lanes::{LaneBody, SimdLevel};
use crate::hierarchy::Level;

/// The explicit step over the largest stable one of the body at rest.
const STEP_SHARE: f64 = 0.85;

/// Highest angular frequency of the level at rest, rad/s, from above: power iteration on `M⁻¹K`, two per cent added for what it has not found.
fn highest_frequency(level: &Level, constants: ElementConstants) -> f64 {
    const PERTURBATION: f64 = 1e-6;
    let mut field = FastForces::new(level, constants);
    let count = level.node_count();
    let held = level.held_flags();
    let rest = vec![Vec3::zeros(); count];
    let mut forces = rest.clone();
    let mut mode: Vec<Vec3> = (0..count)
        .map(|n| {
            let t = n as f64;
            Vec3::new((t * 1.7).sin(), (t * 2.9).cos(), (t * 4.1).sin())
        })
        .collect();
    let mut squared = 0.0;
    for _ in 0..200 {
        let norm = mode.iter().map(Vec3::norm_squared).sum::<f64>().sqrt();
        let moved: Vec<Vec3> = (level.mesh.nodes.iter().zip(&mode))
            .map(|(x, m)| x + m * (PERTURBATION / norm))
            .collect();
        field.evaluate(&moved, &rest, &mut forces);
        for (n, m) in mode.iter_mut().enumerate() {
            *m = if held[n] {
                Vec3::zeros()
            } else {
                -forces[n] / (level.masses[n] * PERTURBATION)
            };
        }
        squared = mode.iter().map(Vec3::norm_squared).sum::<f64>().sqrt();
    }
    1.02 * squared.sqrt()
}

/// The corner's position at the end of each tenth of a second, in double precision.
fn reference_path(level: &Level, constants: ElementConstants, steps: usize) -> Vec<Vec3> {
    let mut field = FastForces::new(level, constants);
    let count = level.node_count();
    let held = level.held_flags();
    let step = 1.0 / steps as f64;
    let mut x = level.mesh.nodes.clone();
    let mut v = vec![Vec3::zeros(); count];
    let mut forces = v.clone();
    let mut path = Vec::new();
    for k in 1..=steps {
        field.evaluate(&x, &v, &mut forces);
        // velocities begin half a step back
        let kick = if k == 1 { 0.5 * step } else { step };
        for n in 0..count {
            if !held[n] {
                v[n] += (forces[n] / level.masses[n] + Vec3::new(0.0, -9.81, 0.0)) * kick;
                x[n] += v[n] * step;
            }
        }
        if k % (steps / 10) == 0 {
            path.push(x[count - 1]);
        }
    }
    path
}

pub(crate) fn cube_second(nodes: usize) -> Result<BenchCase, String> {
    if !(8..=100_000).contains(&nodes) {
        return Err("8 to 100 thousand nodes".into());
    }
    let cells = ((nodes as f64).cbrt().round() as usize - 1).max(1);
    let level = cube(cells)?;
    let constants = constants(DampingParameters::default());
    let rate = highest_frequency(&level, constants) / (2.0 * STEP_SHARE);
    let steps = (rate.ceil() as usize).next_multiple_of(10);
    let rest = level.mesh.nodes.clone();
    let corner = rest.len() - 1;
    let mut body = LaneBody::new(&level, &constants, SimdLevel::Auto);
    let gravity = Vec3::new(0.0, -9.81, 0.0);
    // steps of half the length approximate the exact motion of the mesh
    let exact = reference_path(&level, constants, 2 * steps);
    let swing = exact
        .iter()
        .map(|x| (x - rest[corner]).norm())
        .fold(0.0, f64::max);
    let step = 1.0 / steps as f64;
    body.begin(step, &gravity);
    for place in exact {
        for _ in 0..steps / 10 {
            body.step(step, &gravity);
        }
        let error = (body.position(corner) - place).norm() / swing;
        if error.is_nan() || error > 0.01 {
            return Err(format!("the corner is off by {:.2} %", 100.0 * error));
        }
    }
    let count = level.mesh.tets.len() * steps;
    let work = Work {
        bytes: 0.0,
        flops: OPERATIONS * count as f64,
        double: false,
    };
    let run = move || {
        body.set_positions(&rest);
        body.begin(step, &gravity);
        for _ in 0..steps {
            body.step(step, &gravity);
        }
        black_box(&mut body);
    };
    Ok(
        BenchCase::new(corner + 1, 1.0, work, run).with_reference(1.0, move || {
            black_box(reference_path(&level, constants, steps));
        }),
    )
}
