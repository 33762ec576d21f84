//! Elements that are stretched extremely get inertia instead of shorter steps.

use pliant_adaptive::{AdaptiveModel, Resolution};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::inspect::Inspect;
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;

use crate::bodies::{FRAME, constrained, counter, frame, frames, max_displacement, model, nearest};
use crate::cut::slab::{SMALL, inversion_resistant, params, slab_of};

/// A stiff slab: some hundred steps a frame at rest.
fn stiff() -> AdaptiveModel {
    let asset = slab_of(&SMALL[..2], inversion_resistant(4e8, 0.1));
    model(&asset, params(Resolution::Cut))
}

/// The middle of the top pulled up by `height` m, at `speed` m/s.
fn pull(b: &AdaptiveModel, height: f64, speed: f64) -> BoundaryConditions {
    let skin = b.surface();
    let vertex = nearest(skin, Vec3::new(0.0, 0.1, 0.0));
    let target = skin.positions[vertex as usize] + Vec3::y() * height;
    constrained([DisplacementConstraint::held(vertex, target).moving(Vec3::y() * speed)])
}

#[test]
fn an_overstretched_element_gets_inertia_instead_of_steps_and_returns_to_rest() {
    let mut b = stiff();
    frame(&mut b, &BoundaryConditions::default());
    let at_rest = counter(&b, "substeps");
    let (mut scaled, mut most, mut saved) = (0.0_f64, 0.0_f64, None);
    let step = 0.03;
    for k in 1..=25 {
        let height = step * f64::from(k.min(10));
        let speed = if k <= 10 { step / FRAME } else { 0.0 };
        let boundary = pull(&b, height, speed);
        let report = frame(&mut b, &boundary);
        scaled = scaled.max(counter(&b, "yielding"));
        most = most.max(counter(&b, "substeps"));
        assert!(report.energy.expect("told").scale().is_finite());
        if k == 12 {
            saved = Some(b.snapshot());
        }
    }
    assert!(scaled > 0.0, "the pull is not hard enough");
    assert!(
        b.stats()
            .notes
            .iter()
            .any(|n| n.contains("instead of shorter steps"))
    );
    // up to three times the rate at rest is allowed, and a failed frame is repeated at four times that
    assert!(most <= 3.0 * 4.0 * at_rest, "{most} of {at_rest}");
    // added inertia is part of the state
    let held = b.snapshot();
    b.restore(&saved.expect("frame 12")).expect("same model");
    for k in 13..=25 {
        let boundary = pull(&b, step * f64::from(k.min(10)), 0.0);
        frame(&mut b, &boundary);
    }
    assert!(b.snapshot() == held);
    frames(&mut b, &BoundaryConditions::default(), 240);
    assert_eq!(counter(&b, "yielding"), 0.0);
    let worst = max_displacement(&b);
    assert!(worst < 0.01 * b.surface().bounds().diagonal(), "{worst} m");
}
