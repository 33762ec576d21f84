//! Contact between cut faces and between pieces.

use pliant_adaptive::AdaptiveModel;
use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;

use super::{
    block_asset, cut, cuttable, damped_block, frames, halved, in_piece_of, pieces, pulled,
    sweep_across, sweep_down,
};
use crate::bodies::{baked_block, below, frame, left_of, mass, momenta, weight};

/// The edge of the cells of [`block_asset`] with 8 x 4 x 4 of them, m.
const CELL: f64 = 0.05;

/// A damped bar that is held at its left end.
fn held_bar() -> AdaptiveModel {
    damped_block(0.7, Some(left_of(-0.199)))
}

/// A force (N) on the right end of the bar.
fn on_the_right(body: &AdaptiveModel, force: Vec3) -> BoundaryConditions {
    pulled(body, force, |x| x.x > 0.199)
}

/// Mean position of the nodes whose rest position lies in this range along x, m.
fn mean_of(body: &AdaptiveModel, range: std::ops::Range<f64>) -> Vec3 {
    let nodes = &body.asset().levels[0].mesh.nodes;
    let inside: Vec<usize> = (0..nodes.len())
        .filter(|&n| range.contains(&nodes[n].x))
        .collect();
    let sum: Vec3 = inside.iter().map(|&n| body.level_positions()[n]).sum();
    sum / inside.len() as f64
}

/// Shortening of the bar under a compressive force (N), m.
fn compression(body: &mut AdaptiveModel, force: f64) -> f64 {
    let press = on_the_right(body, Vec3::x() * -force);
    frames(body, &press, 120);
    assert!(body.level_velocities().iter().all(|v| v.norm() < 1e-3));
    0.2 - mean_of(body, 0.19..0.21).x
}

#[test]
fn a_cut_bar_is_as_stiff_under_pressure_as_the_whole_one() {
    let force = 400.0;
    let whole = compression(&mut held_bar(), force);
    for x in [0.0, 0.012] {
        let cut = compression(&mut halved(held_bar(), sweep_down(x, 0.3, -0.3)), force);
        assert!((cut / whole - 1.0).abs() < 0.05, "{x}: {cut} {whole}");
    }
}

#[test]
fn a_closed_cut_does_not_change_the_bending_stiffness() {
    // one bending direction closes the cut in the top, the other opens it
    let deflection = |has_cut: bool, force: f64| {
        let mut bar = held_bar();
        if has_cut {
            cut(&mut bar, &[sweep_down(0.0, 0.3, 0.0)]);
            assert_eq!(pieces(&bar), 1);
        }
        let bend = on_the_right(&bar, Vec3::y() * force);
        frames(&mut bar, &bend, 150);
        mean_of(&bar, 0.19..0.21).y
    };
    let (whole, closed, open) = (
        deflection(false, 60.0),
        deflection(true, 60.0),
        -deflection(true, -60.0),
    );
    assert!((closed / whole - 1.0).abs() < 0.05, "{closed} {whole}");
    assert!(open > 1.3 * whole, "{open} {whole}");
}

#[test]
fn colliding_halves_conserve_momentum_and_do_not_interpenetrate() {
    let asset = block_asset([8, 4, 4], None);
    let mut body = halved(cuttable(&asset), sweep_down(0.012, 0.3, -0.3));
    // the right half is moved away and rotated a little, so that an edge hits first
    let turn = nalgebra::UnitQuaternion::from_euler_angles(0.1, 0.2, 0.15);
    let x: Vec<Vec3> = body.level_positions().to_vec();
    let right = in_piece_of(&body, |x| x.x > 0.19);
    let place = |(x, right): (&Vec3, &bool)| match right {
        true => turn * x + Vec3::new(0.03, 0.01, 0.0),
        false => *x,
    };
    let places: Vec<Vec3> = x.iter().zip(&right).map(place).collect();
    let speed = |right: &bool| Vec3::x() * if *right { -1.0 } else { 1.0 };
    let velocities: Vec<Vec3> = right.iter().map(speed).collect();
    body.set_state(&places, &velocities);
    let (mass, (momentum, angular)) = (mass(&body), momenta(&body));
    let (mut dissipated, mut deepest) = (0.0_f64, 0.0_f64);
    for k in 0..30 {
        let report = frame(&mut body, &BoundaryConditions::default());
        let energy = report.energy.expect("an account");
        let sum = energy.kinetic + energy.elastic + energy.dissipated;
        assert!(energy.work.abs() < 1e-9 * sum, "{k}: {energy:?}");
        assert!((sum / (0.5 * mass) - 1.0).abs() < 0.01, "{k}: {energy:?}");
        assert!(
            energy.dissipated > dissipated - 1e-3 * sum,
            "{k}: {energy:?} {dissipated}"
        );
        dissipated = energy.dissipated;
        let (then, turning) = momenta(&body);
        assert!((then - momentum).norm() < 1e-10 * mass, "{k} {then}");
        // friction acts at two points with the gap between them
        assert!(
            (turning - angular).norm() < 1e-3 * mass * CELL,
            "{k} {turning} {angular}"
        );
        deepest = deepest.max(body.contact_between_pieces().1);
    }
    let gap = mean_of(&body, 0.1..0.21).x - mean_of(&body, -0.21..-0.1).x;
    assert!(gap > 0.25, "they went through each other: {gap}");
    assert!(deepest > 0.0 && deepest < 0.05 * CELL, "{deepest}");
}

#[test]
fn a_cut_off_piece_rests_on_the_lower_one_and_can_be_restored() {
    let (size, foot) = (Vec3::repeat(0.2), Some(below(-0.099)));
    let whole = cuttable(&baked_block(size, &[[4, 4, 4]], 0.3, foot));
    // through the middle of the cells above the middle
    let mut body = halved(whole, sweep_across(0.02, -0.3, 0.3));
    let boundary = weight();
    let top = |body: &AdaptiveModel| {
        let nodes = &body.asset().levels[0].mesh.nodes;
        let node = nodes
            .iter()
            .position(|x| (x - Vec3::new(0.0, 0.1, 0.0)).norm() < 1e-9);
        body.level_positions()[node.expect("a node")]
    };
    frames(&mut body, &boundary, 60);
    let before = body.snapshot();
    let there = top(&body);
    frames(&mut body, &boundary, 60);
    let after = body.level_positions().to_vec();
    assert!(
        (top(&body) - there).norm() < 1e-4,
        "it rests: {there} {}",
        top(&body)
    );
    assert!((there.y - 0.1).abs() < 0.1 * CELL, "{there}");
    assert!(body.contact_between_pieces().0 > 4);
    body.restore(&before).expect("the same body");
    frames(&mut body, &boundary, 60);
    assert!(body.level_positions() == after, "the same bits");
}
