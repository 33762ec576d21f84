//! Forces and steps of a level as scenes compute them: state in double precision, element forces in single precision.

use std::hint::black_box;

use pliant_core::bench::BenchCase;
use pliant_core::material::DampingParameters;
use pliant_core::math::Vec3;

use crate::benchmark::cube::{bent, cells_for, compare, constants, cube, work};
use crate::force::{ElementConstants, ForceField};
use crate::hierarchy::Level;
use crate::params::{AdaptiveParams, ForceKernel, Precision};
use crate::step::level_dynamics::Dynamics;

/// The forces of `level` by `kernel`: in single precision as in scenes, or in double.
fn field(
    level: &Level,
    constants: ElementConstants,
    kernel: ForceKernel,
    precision: Precision,
) -> ForceField {
    let params = AdaptiveParams {
        kernel,
        precision,
        ..AdaptiveParams::default()
    };
    let (mesh, shapes) = (level.mesh.clone(), level.force_shapes());
    ForceField::from_mesh(mesh, shapes, constants, &params, &mut Vec::new())
}

/// The forces of a bent cube in motion; the reference computes them by `reference` in double precision.
pub(crate) fn forces(
    tets: usize,
    damping: DampingParameters,
    reference: ForceKernel,
) -> Result<BenchCase, String> {
    let level = cube(cells_for(tets)?)?;
    let x = bent(&level);
    let v: Vec<Vec3> = x.iter().map(|x| x.yzx()).collect();
    let prepared = |kernel, precision| {
        let mut field = field(&level, constants(damping), kernel, precision);
        let mut forces = vec![Vec3::zeros(); x.len()];
        field.evaluate(&x, &v, &mut forces);
        (field, forces)
    };
    let (mut fast, mut found) = prepared(ForceKernel::Fast, Precision::F32);
    let (mut double, mut exact) = prepared(reference, Precision::F64);
    compare(&found, &exact)?;
    let count = level.mesh.tets.len();
    let (places, speeds) = (x.clone(), v.clone());
    let case = BenchCase::new(count, count as f64, work(count), move || {
        fast.evaluate(&x, &v, &mut found);
        black_box(&mut found);
    });
    Ok(case.with_reference(count as f64, move || {
        double.evaluate(&places, &speeds, &mut exact);
        black_box(&mut exact);
    }))
}

/// A step of a bent cube without damping; the reference has readable forces in double precision.
pub(crate) fn step(tets: usize) -> Result<BenchCase, String> {
    let level = cube(cells_for(tets)?)?;
    let prepared = |kernel, precision| {
        let field = field(
            &level,
            constants(DampingParameters::default()),
            kernel,
            precision,
        );
        let mut dynamics = Dynamics::new(&level, field, 0.0, level.masses.clone());
        dynamics.positions = bent(&level);
        dynamics.evaluate();
        dynamics
    };
    let mut fast = prepared(ForceKernel::Fast, Precision::F32);
    let mut readable = prepared(ForceKernel::Reference, Precision::F64);
    compare(&fast.forces, &readable.forces)?;
    let count = level.mesh.tets.len();
    let case = BenchCase::new(count, count as f64, work(count), move || advance(&mut fast));
    Ok(case.with_reference(count as f64, move || advance(&mut readable)))
}

/// A step so short that the deformation hardly changes during the timing, and the forces after it.
fn advance(dynamics: &mut Dynamics) {
    const STEP: f64 = 1e-7;
    dynamics.kick(STEP, &Vec3::new(0.0, -9.81, 0.0));
    dynamics.drift(STEP);
    dynamics.evaluate();
    black_box(dynamics);
}
