//! Extreme states and inputs do not make a body diverge.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::mesh::VoxelGrid;

use rayon::prelude::*;

use crate::testing::bodies::{
    Random, ball, body_of, grid_of, internal_energy_after, model_of, momenta, pear, release, run,
    throw, undamped,
};
use crate::{LatticeModel, Precision};

fn abuses(model: &LatticeModel) -> Vec<(&'static str, Vec<Vec3>)> {
    let mut random = Random(11);
    let mut map = |f: &mut dyn FnMut(&Vec3, Vec3) -> Vec3| -> Vec<Vec3> {
        model.x.iter().map(|x| f(x, random.vector())).collect()
    };
    vec![
        ("noise", map(&mut |x, r| x + r * 0.15)),
        ("collapsed", map(&mut |_, r| r * 1e-10)),
        ("flat", map(&mut |x, _| Vec3::new(x.x, x.y, 0.0))),
        ("mirrored", map(&mut |x, _| Vec3::new(-x.x, x.y, x.z))),
    ]
}

/// Largest change of a distance from one particle, m.
fn shape_error(model: &LatticeModel) -> f64 {
    let rest = &model.asset.rest;
    (0..rest.len())
        .map(|p| ((model.x[p] - model.x[0]).norm() - (rest[p] - rest[0]).norm()).abs())
        .fold(0.0, f64::max)
}

/// Mean kinetic and elastic energy of ten frames, J: symplectic steps make energy oscillate.
fn mean_energy(model: &mut LatticeModel) -> f64 {
    let energies = (0..10).map(|_| internal_energy_after(model, 1));
    energies.sum::<f64>() / 10.0
}

/// Steps of a larger body, which `cargo xtask abuse` asks for.
fn long_abuse() -> Option<usize> {
    let asked = std::env::var("PLIANT_LONG_ABUSE").ok();
    asked.and_then(|steps| steps.parse().ok())
}

fn larger() -> VoxelGrid {
    grid_of([10, 7, 7], |c| {
        let y = |k: usize, r: f64| (c[k] as f64 + 0.5) / r - 1.0;
        y(0, 5.0).powi(2) + y(1, 3.5).powi(2) + y(2, 3.5).powi(2) < 1.1
    })
}

#[test]
fn abused_bodies_stay_bounded_without_damping() {
    let long = long_abuse();
    // the first step of a frame is in double precision in any case
    let precisions = [(Precision::Double, 1_u32), (Precision::Single, 3)];
    let cases = [1_usize, 2].map(|w| precisions.map(|p| (w, p)));
    cases
        .as_flattened()
        .par_iter()
        .for_each(|&(w, (precision, steps))| {
            let (grid, steps, blocks) = match long {
                Some(all) => (larger(), 4, (all / 40).max(10)),
                None => (pear(), steps, 60),
            };
            let params = undamped(w, 1.0, steps).in_precision(precision);
            let mut model = model_of(&body_of(grid, -1.0), &params);
            for (name, state) in abuses(&model) {
                release(&mut model, &state);
                let start = mean_energy(&mut model);
                let energies = (0..blocks).map(|_| mean_energy(&mut model));
                let gain = energies.fold(0.0, f64::max) / start;
                if long.is_some() {
                    println!("{name} w={w} {precision:?}: energy times {gain:.3}");
                }
                assert!(gain < 2.0, "{name} w={w} {precision:?}: {gain}");
            }
        });
}

#[test]
fn abused_bodies_return_to_their_shape_with_damping() {
    use Precision::{Double, Single};
    // with steps a frame, and frames: only the first step of a frame is in double precision in any case
    let (few, many) = ((2, 300), (20, 40));
    let mut shapes = vec![
        ("pear", pear(), 1, Double, few),
        ("pear", pear(), 2, Double, few),
        ("shell", ball(3.4, 2.2), 1, Double, few),
        ("pear", pear(), 1, Single, many),
        ("pear", pear(), 2, Single, many),
        ("block", grid_of([5, 4, 4], |_| true), 1, Single, many),
    ];
    if long_abuse().is_some() {
        for precision in [Double, Single] {
            shapes.extend([1, 2].map(|w| ("larger", larger(), w, precision, few)));
        }
    }
    for (shape, grid, w, precision, (steps, frames)) in shapes {
        let params = undamped(w, 1.0, steps).damped(0.1).in_precision(precision);
        let mut model = model_of(&body_of(grid, -1.0), &params);
        for (name, state) in abuses(&model) {
            // a shell turned inside out rests in that shape
            if shape == "shell" && name == "mirrored" {
                continue;
            }
            release(&mut model, &state);
            run(&mut model, frames, &BoundaryConditions::default()).expect("stable");
            let worst = shape_error(&model);
            assert!(
                worst < 0.01 * 0.05,
                "{shape} {name} w={w} {precision:?}: {worst}"
            );
        }
    }
}

#[test]
fn impossible_frames_are_refused_and_leave_the_body_alone() {
    for (precision, tolerance) in [(Precision::Double, 1e-12), (Precision::Single, 1e-5)] {
        let params = undamped(1, 1.0, 4).in_precision(precision);
        let mut model = model_of(&body_of(grid_of([2, 2, 2], |_| true), 0.1), &params);
        let before = model.x.clone();
        for pull in [f64::NAN, 1e30] {
            let gravity = BoundaryConditions::with_gravity(Vec3::new(0.0, pull, 0.0));
            assert!(run(&mut model, 1, &gravity).is_none());
            assert_eq!(model.x, before);
        }
        assert!(run(&mut model, 1, &BoundaryConditions::default()).is_some());
        for (a, b) in model.x.iter().zip(&before) {
            assert!((a - b).norm() < tolerance, "{precision:?}");
        }
    }
}

#[test]
fn a_scrambled_body_does_not_heat_up_and_keeps_its_momentum() {
    // without the guard it holds 8 times its energy after 12,000 steps
    for (w, precision) in [(1, Precision::Double), (1, Precision::Single)] {
        let params = undamped(w, 1.0, 8).in_precision(precision);
        let mut model = model_of(&body_of(pear(), -1.0), &params);
        let mut random = Random(3);
        let rotating = |x: &Vec3| Vec3::new(0.3, 0.0, 0.0) + Vec3::z().cross(x);
        throw(&mut model, |x| x + random.vector() * 0.15, rotating);
        let [p, l] = momenta(&model);
        let first = mean_energy(&mut model);
        let energies = (1..150).map(|_| mean_energy(&mut model));
        let most = energies.fold(first, f64::max);
        assert!(most < 2.0 * first, "{precision:?}: {}", most / first);
        assert!(
            most > 1.2 * first,
            "the guard had nothing to do: {}",
            most / first
        );
        // 12,000 violent steps; single precision may lose 1e-4 of what is in motion in 1,000
        let moving: f64 = model
            .v
            .iter()
            .zip(&model.asset.mass)
            .map(|(v, m)| v.norm() * m)
            .sum();
        let tolerance = moving
            * match precision {
                Precision::Double => 1e-10,
                Precision::Single => 1.2e-3,
            };
        let [p2, l2] = momenta(&model);
        let off = [(p2 - p).norm(), (l2 - l).norm()];
        assert!(
            off.iter().all(|off| *off < tolerance),
            "{precision:?} {off:?}"
        );
    }
}
