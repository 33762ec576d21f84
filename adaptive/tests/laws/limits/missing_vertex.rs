//! A constraint on a vertex that does not exist.

use pliant_adaptive::{LevelChoice, Resolution};
use pliant_core::boundary::DisplacementConstraint;
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, FrameRequest, StepError, SteppedModel};

use crate::bodies::{FRAME, With, constrained, model};
use crate::cut::slab::{SMALL, params, press, slab, step};

#[test]
fn a_constraint_on_a_missing_vertex_is_refused_and_changes_nothing() {
    let asset = slab(&SMALL[..2]);
    for resolution in [Resolution::Level, Resolution::Cut] {
        let params = params(resolution).with(|p| p.level = LevelChoice::Index(1));
        let mut b = model(&asset, params);
        let good = press(&b, 0.005, 0.0);
        step(&mut b, &good, u64::MAX);
        let before = b.snapshot();
        let count = b.surface().vertex_count() as u32;
        let held = [0, count].map(|v| DisplacementConstraint::held(v, Vec3::zeros()));
        let missing = constrained(held);
        let refused = |error: StepError| {
            assert_eq!(error.code(), "Diverged");
            let told = format!("skin vertex {count} of {count} was constrained");
            assert!(error.to_string().contains(&told), "{error}");
        };
        let error = b.advance(FrameRequest::new(FRAME, &missing));
        refused(error.expect_err("no such vertex"));
        refused(b.begin(FRAME, &missing, 16).expect_err("no such vertex"));
        assert!(b.snapshot() == before);
        step(&mut b, &good, u64::MAX);
    }
}
