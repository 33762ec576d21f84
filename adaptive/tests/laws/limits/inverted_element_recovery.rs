//! A part that was torn away is drawn back to the body, also while a tool touches it.

use pliant_adaptive::{AdaptiveModel, Resolution};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;

use crate::bodies::{
    baked, block, constrained, counter, frame, left_of, max_displacement, model, vertices,
};
use crate::cut::cuts::set_by_rest;
use crate::cut::slab::{inversion_resistant, params};

/// A bar of 0.8 × 0.1 × 0.1 m, supported at its lower x end, whose other third is `off` m too high and moves upwards at `speed` m/s.
pub fn torn_bar(off: f64, speed: f64) -> AdaptiveModel {
    let size = Vec3::new(0.8, 0.1, 0.1);
    let end = Some(left_of(-0.399));
    let asset = baked(&block(
        size,
        &[[16, 2, 2]],
        inversion_resistant(2e4, 0.2),
        end,
    ));
    let mut b = model(&asset, params(Resolution::Cut));
    set_by_rest(b.cut_mut().expect("a cut"), |x| match x.x > 0.13 {
        true => (x + Vec3::y() * off, Vec3::y() * speed),
        false => (*x, Vec3::zeros()),
    });
    b
}

fn recovered(b: &AdaptiveModel) -> f64 {
    counter(b, "mended_nodes")
}

#[test]
fn a_torn_part_is_stopped_and_drawn_back_within_half_a_second() {
    let mut b = torn_bar(3.0, 6.0);
    let nothing = BoundaryConditions::default();
    let mut saved = None;
    for k in 0..30 {
        frame(&mut b, &nothing);
        if k == 5 {
            assert!(
                max_displacement(&b) > 3.3,
                "before the recovery delay: {} m",
                max_displacement(&b)
            );
            saved = Some(b.snapshot());
        }
    }
    assert!(recovered(&b) > 0.0, "nothing was torn");
    // 3.6 m, reduced by a tenth in each frame, is then small enough for the neck not to be torn; without the stop the part would stay a metre away
    assert!(max_displacement(&b) < 0.6, "{} m", max_displacement(&b));
    // the count of successive frames is part of the state
    let end = b.snapshot();
    b.restore(&saved.expect("frame 5")).expect("same model");
    for _ in 6..30 {
        frame(&mut b, &nothing);
    }
    assert!(b.snapshot() == end);
}

#[test]
fn a_torn_part_is_drawn_back_while_constraints_hold() {
    let mut b = torn_bar(3.0, 0.0);
    let skin = b.surface().clone();
    let held = vertices(&skin, |x| x.y > 0.049 && (-0.21..-0.09).contains(&x.x));
    assert!(!held.is_empty());
    let depth = 0.01;
    let boundary = constrained(held.iter().map(|&vertex| {
        DisplacementConstraint::held(vertex, skin.positions[vertex as usize] - Vec3::y() * depth)
    }));
    for k in 0..30 {
        let report = frame(&mut b, &boundary);
        assert_eq!(report.degraded, None, "frame {k}");
        assert!(
            report.max_violation < 1e-3,
            "frame {k}: {} m",
            report.max_violation
        );
    }
    assert!(recovered(&b) > 0.0, "nothing was torn");
    assert!(max_displacement(&b) < 0.6, "{} m", max_displacement(&b));
}
