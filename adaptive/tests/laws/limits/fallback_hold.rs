//! A supported body under impossible constraints is held, then releases them, and recovers.

use pliant_adaptive::{AdaptiveModel, Resolution};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::inspect::Inspect;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::model::{DeformableModel, Degradation, FrameReport, FrameRequest, StepError};
use pliant_core::scene::Selection;

use crate::bodies::{
    FRAME, With, baked, block, constrained, counter, max_displacement, model, shown, vertices,
};
use crate::cut::slab::{SIZE, SMALL, inversion_resistant, params, slab_of};

fn slab(support: Option<Selection>) -> AdaptiveModel {
    let asset = baked(&block(
        SIZE,
        &SMALL[..2],
        inversion_resistant(2e4, 0.1),
        support,
    ));
    model(&asset, params(Resolution::Cut))
}

/// Constraints that move neighbouring vertices of the top by twenty metres and more in different directions in every frame. Their velocities are zero, so that none counts as too fast.
pub fn impossible_constraints(
    skin: &SurfaceMesh,
    frame: u32,
) -> impl Iterator<Item = DisplacementConstraint> {
    let top = vertices(skin, |x| x.y > 0.099);
    (0..).zip(top).map(move |(k, vertex): (u32, u32)| {
        let side = |shift: u32| f64::from((k * 7 + frame * 3 + shift) % 5) - 2.0;
        let off = Vec3::new(side(0), side(1), side(2)) * 20.0;
        DisplacementConstraint::held(vertex, skin.positions[vertex as usize] + off)
    })
}

fn impossible_frame(b: &mut AdaptiveModel, k: u32) -> Result<FrameReport, StepError> {
    let boundary = constrained(impossible_constraints(b.surface(), k));
    step(b, &boundary)
}

fn step(b: &mut AdaptiveModel, boundary: &BoundaryConditions) -> Result<FrameReport, StepError> {
    b.advance(FrameRequest::new(FRAME, boundary))
}

fn holds(b: &AdaptiveModel) -> f64 {
    counter(b, "stood_still")
}

#[test]
fn a_body_under_impossible_constraints_is_held_releases_them_and_recovers() {
    let mut b = slab(Some(Selection::Lowest(0.01)));
    let mut saved = None;
    let (mut energy, mut given_up) = (0.0, Vec::new());
    for k in 0..60 {
        let report = impossible_frame(&mut b, k).unwrap_or_else(|e| panic!("frame {k}: {e}"));
        assert_eq!(
            b.reactions().len(),
            impossible_constraints(b.surface(), k).count()
        );
        assert!(
            b.reactions()
                .iter()
                .all(|f| f.iter().all(|c| c.is_finite()))
        );
        energy = report.energy.expect("told").dissipated;
        given_up.extend(report.degraded);
        if report.degraded == Some(Degradation::StoodStill) {
            assert!(report.max_violation > 1.0, "twenty metres were asked for");
        }
        if k == 40 {
            saved = Some(b.snapshot());
        }
    }
    assert!(holds(&b) > 0.0, "these constraints are too easy");
    assert!(energy.is_finite());
    let told = given_up.iter().filter(|d| **d == Degradation::StoodStill);
    assert_eq!(told.count() as f64, holds(&b));
    assert!(b.stats().notes.iter().any(|n| n.contains("stood still")));
    // the count of successive frames is part of the state
    let end = b.snapshot();
    b.restore(&saved.expect("frame 40")).expect("same model");
    for k in 41..60 {
        impossible_frame(&mut b, k).expect("as before");
    }
    assert!(b.snapshot() == end);
    let nothing = BoundaryConditions::default();
    for _ in 0..300 {
        step(&mut b, &nothing).expect("free");
    }
    let worst = max_displacement(&b);
    assert!(worst < 0.006, "{worst} m of a diagonal of 0.6 m");
}

#[test]
fn pressing_beside_the_support_of_coarse_elements_throws_no_node() {
    let asset = slab_of(&[[2, 1, 2], [16, 8, 16]], inversion_resistant(2e4, 0.1));
    // only the coarsest cut fits
    let poor = params(Resolution::Cut).with(|p| p.budget_units = 600);
    let mut b = model(&asset, poor);
    let skin = b.surface().clone();
    let low = vertices(&skin, |x| x.x > 0.199 && (-0.09..-0.07).contains(&x.y));
    assert!(!low.is_empty());
    // 20 mm within a third of a second, then held
    let (frames, depth) = (20, 0.02);
    for k in 0..60 {
        let way = depth * f64::from((k + 1).min(frames)) / f64::from(frames);
        let speed = if k < frames {
            depth / f64::from(frames) / FRAME
        } else {
            0.0
        };
        let boundary = constrained(low.iter().map(|&vertex| {
            DisplacementConstraint::contact(
                vertex,
                skin.positions[vertex as usize] - Vec3::x() * way,
                -Vec3::x(),
            )
            .moving(-Vec3::x() * speed)
        }));
        let report = step(&mut b, &boundary).unwrap_or_else(|e| panic!("frame {k}: {e}"));
        // the deviation of the coarse elements is reported
        let now = shown(&b);
        let behind = |&v: &u32| skin.positions[v as usize].x - way;
        let worst = low.iter().map(|v| now.position(*v as usize).x - behind(v));
        let worst = worst.fold(0.0, f64::max);
        assert!(
            (report.max_violation - worst).abs() < 1e-6,
            "frame {k}: {worst}"
        );
        let moved = max_displacement(&b);
        assert!(moved < 4.0 * depth, "frame {k}: {moved} m");
    }
    assert_eq!(holds(&b), 0.0);
}

#[test]
fn a_free_body_is_never_held() {
    let mut b = slab(None);
    let failed = (0..200).find_map(|k| impossible_frame(&mut b, k).err());
    assert_eq!(holds(&b), 0.0);
    if let Some(error) = failed {
        assert_eq!(error.code(), "Diverged");
    }
}
