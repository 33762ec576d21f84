//! Blades in planes of particles and beside them, through bodies that move.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;

use crate::fracture::tests::blades::{cuttable, pieces, sweep};
use crate::testing::bodies::{body_of, grid_of, model_of, run, throw};
use crate::{LatticeModel, Precision};

/// Frames in which a blade goes through a body that falls.
const FRAMES: u32 = 8;
/// The same for one that floats.
const SLOW_FRAMES: u32 = 150;

/// How a block moves while it is cut.
#[derive(Debug, Clone, Copy)]
enum Motion {
    /// It falls, and its particles move against each other at first by as much as this, m/s.
    Falls(f64),
    /// It is held below, and sinks under its weight.
    Sinks,
}

/// A block with planes of particles at multiples of 0.05 m from its middle.
fn block(precision: Precision, motion: Motion) -> LatticeModel {
    let grid = grid_of([6, 4, 4], |_| true);
    let params = cuttable(precision);
    match motion {
        Motion::Sinks => model_of(&body_of(grid, 0.2), &params),
        Motion::Falls(speed) => {
            let mut block = model_of(&body_of(grid, -1.0), &params);
            let wave = |x: &Vec3| Vec3::new(x.y, x.z, x.x).map(|c| (40.0 * c + 0.3).sin());
            throw(&mut block, |x| *x, |x| wave(x) * speed);
            block
        }
    }
}

/// Cuts a block under its weight through all of its height; `edge` is the edge of the blade at a height.
fn cut_down(block: &mut LatticeModel, edge: impl Fn(f64) -> [Vec3; 2]) {
    cut_down_in(FRAMES, 9.81, block, edge);
}

/// The same in so many frames, under this gravity, m/s².
fn cut_down_in(
    frames: u32,
    gravity: f64,
    block: &mut LatticeModel,
    edge: impl Fn(f64) -> [Vec3; 2],
) {
    let weight = BoundaryConditions::with_gravity(Vec3::y() * -gravity);
    let height = |k: u32| 0.3 - 0.9 * f64::from(k) / f64::from(frames);
    for k in 0..frames {
        let [begin, end] = [height(k), height(k + 1)].map(&edge);
        let blade = sweep(begin, end, Vec3::y());
        block.set_blades(&[blade]).expect("a blade");
        run(block, 1, &weight).expect("a report");
    }
}

/// The edge of a blade across x.
fn across_x(x: f64) -> impl Fn(f64) -> [Vec3; 2] {
    move |y| [-1.0, 1.0].map(|z| Vec3::new(x, y, z))
}

/// The edge of a blade across z.
fn across_z(z: f64) -> impl Fn(f64) -> [Vec3; 2] {
    move |y| [-1.0, 1.0].map(|x| Vec3::new(x, y, z))
}

#[test]
fn a_blade_through_a_body_that_moves_makes_two_pieces_wherever_it_is() {
    let motions = [
        Motion::Falls(0.0),
        Motion::Falls(1e-3),
        Motion::Falls(0.05),
        Motion::Sinks,
    ];
    // in planes of particles, where links end, and between particles; beside the borders of what counts as on one side (5e-8 m) and as near (5e-3 m)
    let places = [
        0.0, 0.05, 1e-7, -1e-7, 1e-6, -3e-6, 4.9e-8, 5.1e-8, -5.1e-8, 4.9e-3, 5.1e-3, -5.1e-3,
        0.012, 0.025,
    ];
    for precision in [Precision::Double, Precision::Single] {
        for motion in motions {
            for x in places {
                let mut block = block(precision, motion);
                cut_down(&mut block, across_x(x));
                assert_eq!(pieces(&block), 2, "{precision:?} {motion:?} {x}");
            }
        }
    }
}

#[test]
fn two_blades_that_cross_in_a_body_that_moves_make_four_pieces() {
    let places = [
        [0.0, 0.0],
        [0.05, 0.0],
        [0.0, 0.012],
        [1e-7, -1e-6],
        [0.012, 0.025],
    ];
    for precision in [Precision::Double, Precision::Single] {
        for motion in [Motion::Falls(0.0), Motion::Falls(1e-3), Motion::Sinks] {
            for [x, z] in places {
                let mut block = block(precision, motion);
                cut_down(&mut block, across_x(x));
                assert_eq!(pieces(&block), 2, "{precision:?} {motion:?} {x}");
                cut_down(&mut block, across_z(z));
                assert_eq!(pieces(&block), 4, "{precision:?} {motion:?} {x} {z}");
            }
        }
    }
}

#[test]
fn a_slow_blade_in_a_plane_of_particles_that_swing_through_it_makes_two_pieces() {
    for precision in [Precision::Double, Precision::Single] {
        for speed in [0.02, 0.05, 0.1, 0.2] {
            for x in [0.0, 0.05, 1e-6, -2e-4, 1e-3] {
                let mut block = block(precision, Motion::Falls(speed));
                cut_down_in(SLOW_FRAMES, 0.0, &mut block, across_x(x));
                assert_eq!(pieces(&block), 2, "{precision:?} {speed} {x}");
            }
        }
    }
}
