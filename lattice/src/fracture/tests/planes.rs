//! Blades in planes of particles and beside them, through bodies that move.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;

use crate::fracture::tests::blades::{cuttable, pieces, sweep};
use crate::testing::bodies::{body_of, grid_of, model_of, run, throw};
use crate::{LatticeModel, Precision};

/// Frames in which a blade goes through a body.
const FRAMES: u32 = 8;

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
    let weight = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
    let height = |k: u32| 0.3 - 0.9 * f64::from(k) / f64::from(FRAMES);
    for k in 0..FRAMES {
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
    // in planes of particles, where links end, and between particles; particles less than 5e-8 m away count as on one side
    let places = [
        0.0, 0.05, 1e-7, -1e-7, 1e-6, -3e-6, 4.9e-5, 5.1e-5, -5.1e-5, 0.012, 0.025,
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
