//! Elements that are torn far out of shape: they take inertia, not the time of the frame.

use pliant_adaptive::{AdaptiveModel, Resolution};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::inspect::Inspect;
use pliant_core::material::MaterialLaw;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::DeformableModel;
use pliant_core::scene::Selection;

use crate::bodies::{FRAME, baked, block, frame};
use crate::cut::slab::{params, soft};

/// A stiff slab of 0.4 × 0.2 × 0.4 m on its lower face: some hundred steps a frame at rest.
fn stiff() -> AdaptiveModel {
    let mut material = soft(0.1);
    material.elastic.young = 4e8;
    material.law = MaterialLaw::StableNeoHookean;
    let size = Vec3::new(0.4, 0.2, 0.4);
    let levels = [[2, 1, 2], [4, 2, 4]];
    let support = Some(Selection::Lowest(0.01));
    let asset = baked(&block(size, &levels, material, support));
    AdaptiveModel::new(asset, params(Resolution::Cut)).expect("fits")
}

/// The middle of the top pulled up by `height` m, at `speed` m/s.
fn pull(b: &AdaptiveModel, height: f64, speed: f64) -> BoundaryConditions {
    let skin = b.surface();
    let middle = |v: &u32| (skin.positions[*v as usize] - Vec3::new(0.0, 0.1, 0.0)).norm();
    let vertex = (0..skin.vertex_count() as u32)
        .min_by(|a, b| middle(a).total_cmp(&middle(b)))
        .expect("a vertex");
    let mut boundary = BoundaryConditions::default();
    let up =
        DisplacementConstraint::held(vertex, skin.positions[vertex as usize] + Vec3::y() * height)
            .moving(Vec3::y() * speed);
    boundary.set_displacements([up]).expect("valid");
    boundary
}

fn counter(b: &AdaptiveModel, name: &str) -> f64 {
    let counters = b.stats().counters;
    counters.iter().find(|c| c.0 == name).expect("counted").1
}

#[test]
fn a_torn_element_takes_inertia_and_not_the_frame_and_goes_back_to_rest() {
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
    eprintln!("{at_rest} steps at rest, at most {most}, {scaled} elements with inertia");
    assert!(scaled > 0.0, "the pull is not hard enough");
    assert!(
        b.stats()
            .notes
            .iter()
            .any(|n| n.contains("inertia instead of steps"))
    );
    // three times the rate at rest is followed, and a frame that went wrong is tried again at four times that
    assert!(most <= 3.0 * 4.0 * at_rest, "{most} of {at_rest}");
    // added inertia is part of the state
    let held = b.snapshot();
    b.restore(&saved.expect("frame 12")).expect("same model");
    for k in 13..=25 {
        let boundary = pull(&b, step * f64::from(k.min(10)), 0.0);
        frame(&mut b, &boundary);
    }
    assert!(b.snapshot() == held);
    for _ in 0..240 {
        frame(&mut b, &BoundaryConditions::default());
    }
    assert_eq!(counter(&b, "yielding"), 0.0);
    let mut skin = SurfaceFrame::default();
    b.write_surface(&mut skin);
    let away = |v: usize| (skin.position(v) - b.surface().positions[v]).norm();
    let farthest = (0..b.surface().vertex_count())
        .map(away)
        .fold(0.0, f64::max);
    assert!(
        farthest < 0.01 * b.surface().bounds().diagonal(),
        "{farthest} m"
    );
}
