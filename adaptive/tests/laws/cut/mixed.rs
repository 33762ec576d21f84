//! Half-refined bodies vibrate like uniform ones: linear frequencies of cuts, from dense matrices of their forces.

use std::sync::Arc;

use pliant_adaptive::bake::bake_with;
use pliant_adaptive::cut::{Cut, CutForces, Interface};
use pliant_adaptive::params::Calibration;
use pliant_adaptive::step::multirate::CutDynamics;
use pliant_adaptive::{AdaptiveParams, LodHierarchy};
use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::material::{Damping, Material, MaterialLaw, YoungPoisson};
use pliant_core::math::Vec3;
use pliant_core::scene::Selection;

use crate::bodies::{With, block, cube_material, left_of};
use crate::cut::cuts::{Dice, constants, free_nodes, green, split_where, stiffness};

/// The lowest frequency of small motions of a cut, rad/s. The matrix consists of the forces of the linear law at each unit displacement.
fn lowest_frequency(b: &CutDynamics, material: &Material) -> f64 {
    let elements = constants(0.0)
        .with(|p| p.lame = material.lame())
        .with(|p| p.law = MaterialLaw::Cauchy);
    let of = CutForces {
        cut: b.cut(),
        operators: b.operators(),
        constants: &elements,
        interface: Interface::Conservative,
    };
    let free = free_nodes(b.cut());
    let mut matrix = stiffness(&of, &free);
    let mass = |i: usize| b.masses()[free[i / 3]];
    for i in 0..matrix.nrows() {
        for j in 0..matrix.ncols() {
            matrix[(i, j)] /= (mass(j) * mass(i)).sqrt();
        }
    }
    let symmetric = (&matrix + matrix.transpose()) * 0.5;
    symmetric.symmetric_eigenvalues().min().sqrt()
}

/// A block of two levels whose inner nodes are moved by up to `jitter` of a cell.
fn jittered(mut geometry: BodyGeometry, size: Vec3, jitter: f64) -> BodyGeometry {
    let mut dice = Dice(7);
    for level in &mut geometry.levels {
        let mut mesh = level.as_ref().clone();
        let cell = mesh.mean_edge();
        for x in &mut mesh.nodes {
            let d = dice.vector() * (jitter * cell);
            for k in 0..3 {
                // faces stay flat
                if x[k].abs() < 0.499 * size[k] {
                    x[k] += d[k];
                }
            }
        }
        *level = Arc::new(mesh);
    }
    geometry
}

/// Relative errors of the periods of the coarse body and of three half-refined ones, against the fine body. The refined half has `x·axis` negative, `x·axis` positive, or `z` positive.
fn errors(asset: &Arc<LodHierarchy>, axis: Vec3, material: &Material) -> [f64; 4] {
    let across = Vec3::z();
    let frequency = |is_fine: &dyn Fn(&Vec3) -> bool, all: bool| {
        let params = AdaptiveParams::default();
        let mut b = green(asset, Damping::Ratio(0.0), &params);
        b.change_cut(|cut| {
            if all {
                *cut = Cut::at_level(cut.forest().clone(), 1);
                return;
            }
            split_where(cut, 0, is_fine);
        });
        lowest_frequency(&b, material)
    };
    let fine = frequency(&|_| false, true);
    let cuts: [&dyn Fn(&Vec3) -> bool; 4] = [
        &|_| false,
        &|x| axis.dot(x) < 0.0,
        &|x| axis.dot(x) > 0.0,
        &|x| across.dot(x) > 0.0,
    ];
    cuts.map(|keep| fine / frequency(keep, false) - 1.0)
}

#[test]
fn half_refined_bodies_vibrate_like_fine_ones() {
    let of = |young, poisson| Material {
        elastic: YoungPoisson { young, poisson },
        ..cube_material(0.0)
    };
    let (cube, stiff): ([f64; 3], Material) = ([1.0; 3], cube_material(0.0));
    let (long, plate) = ([2.0, 0.7, 1.1], [1.0, 1.0, 0.4]);
    let (slab, tower) = ([0.4, 0.2, 0.4], [0.5, 1.0, 0.8]);
    // the last number: how far the errors of half-refined bodies may lie outside those of the two levels
    let on_wall = [
        ("cube", cube, [[3; 3], [5; 3]], stiff, 0.01),
        ("cube of 4", cube, [[4; 3], [6; 3]], stiff, 0.01),
        ("uneven cube", cube, [[3; 3], [6; 3]], stiff, 0.02),
        ("long", long, [[5, 2, 3], [8, 4, 6]], of(2e4, 0.4), 0.02),
        ("plate", plate, [[4, 4, 2], [7, 7, 3]], of(3e5, 0.0), 0.02),
    ];
    let on_foot = [
        ("slab", slab, [[4, 2, 4], [7, 4, 7]], of(2e4, 0.3), 0.025),
        ("tower", tower, [[2, 4, 3], [4, 7, 6]], of(2e4, 0.45), 0.02),
    ];
    let cases = on_wall.map(|case| (case, true)).into_iter();
    for ((name, sides, levels, material, most), is_on_wall) in
        cases.chain(on_foot.map(|case| (case, false)))
    {
        let size = Vec3::from(sides);
        let (support, axis) = match is_on_wall {
            true => (left_of(-0.499 * size.x), Vec3::x()),
            false => (Selection::Lowest(0.01), Vec3::y()),
        };
        let jitter = if name == "uneven cube" { 0.15 } else { 0.0 };
        let geometry = block(size, &levels, material, Some(support));
        let geometry = jittered(geometry, size, jitter);
        let bake = |calibration| {
            let asset = bake_with(&geometry, calibration, &Progress::new()).expect("bakes");
            errors(&Arc::new(asset), axis, &material)
        };
        let calibrated = bake(Calibration::Modes);
        let (low, high) = (calibrated[0].min(0.0), calibrated[0].max(0.0));
        for error in &calibrated[1..] {
            assert!(
                *error > low - most && *error < high + most,
                "{name}: {calibrated:?}"
            );
        }
        if sides == cube {
            let is_small = calibrated[1..].iter().all(|e| e.abs() < most);
            assert!(is_small, "{name}: {calibrated:?}");
            let plain = bake(Calibration::Off);
            if jitter == 0.0 {
                let is_small = plain[1..].iter().all(|e| e.abs() < 0.03);
                assert!(is_small, "{name}, uncalibrated: {plain:?}");
            }
            let (low, high) = (plain[0].min(0.0), plain[0].max(0.0));
            assert!(
                plain[1..]
                    .iter()
                    .all(|e| *e > low - most && *e < high + most),
                "{name}, uncalibrated: {plain:?}"
            );
        }
    }
}
