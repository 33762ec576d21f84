//! The account of energy of a cut under a tool: what several rates must not invent.

use std::sync::Arc;

use pliant_adaptive::cut::Interface;
use pliant_adaptive::{AdaptiveModel, AdaptiveParams, DampingRule, LodHierarchy, Resolution};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::inspect::Inspect;
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, EnergyAccount, FrameRequest};

use crate::bodies::{FRAME, SIDES, baked_block, counter, frame, model};
use crate::cut::cuts::split_where;
use crate::cut::slab::{LEVELS, params, press_and_hold, slab};

/// Presses in 30 frames, holds for 60, lets go: largest error of the balance, largest energy, and what damping took while nothing moved, J;
/// and the most rates at once.
fn account(b: &mut AdaptiveModel) -> (f64, f64, f64, usize) {
    let (mut worst, mut scale) = (0.0_f64, 0.0_f64);
    let (mut dissipated, mut rates) = (Vec::new(), 0);
    for k in 1..=120 {
        let boundary = if k <= 90 {
            press_and_hold(b, k)
        } else {
            BoundaryConditions::default()
        };
        let energy: EnergyAccount = frame(b, &boundary).energy.expect("an account");
        worst = worst.max(energy.balance().abs());
        scale = scale.max(energy.scale());
        dissipated.push(energy.dissipated);
        rates = rates.max(b.cut().expect("a cut").groups().len());
    }
    (worst, scale, dissipated[88] - dissipated[68], rates)
}

fn damped(asset: &Arc<LodHierarchy>, rule: DampingRule) -> AdaptiveModel {
    let params = AdaptiveParams {
        damping_rule: rule,
        ..params(Resolution::Cut)
    };
    model(asset, params)
}

#[test]
fn damping_takes_nothing_from_a_body_at_rest_under_a_tool() {
    for (rule, levels) in [
        (DampingRule::Rayleigh, LEVELS.as_slice()),
        (DampingRule::Strain, &[[6, 3, 6], [12, 6, 12]]),
    ] {
        let asset = slab(levels);
        let mut b = damped(&asset, rule);
        let (worst, scale, held, rates) = account(&mut b);
        eprintln!(
            "{}: balance {worst:.2e} of {scale:.2e} J, held {held:.2e} J, {rates} rates",
            rule.name()
        );
        assert!(rates > 1, "one rate alone has no ripple");
        // the level by itself is at 0.6 %: release from one frame to the next
        assert!(worst < 0.02 * scale, "{worst:.3e} of {scale:.3e} J");
        assert!(held.abs() < 1e-3 * scale, "{held:.3e} of {scale:.3e} J");
    }
}

#[test]
fn energy_from_nowhere_is_noticed_and_answered_with_shorter_steps() {
    let size = SIDES;
    let asset = baked_block(size, &[[2, 2, 2], [4, 3, 5]], 0.0, None);
    let swing = |interface: Interface| {
        let params = AdaptiveParams {
            interface,
            allow_unstable: true,
            recover: false,
            // the cut stays as it is
            gamma_max: Some(1e3),
            gamma_min: Some(0.0),
            ..params(Resolution::Cut)
        };
        let mut b = model(&asset, params);
        let cut = b.cut_mut().expect("a cut");
        let forest = cut.cut().forest().clone();
        cut.change_cut(|cut| split_where(cut, 0, |x| x.x > 0.1));
        cut.set_state(|n| {
            let x = forest.rest()[n as usize];
            (Vec3::new(1.02 * x.x, x.y, x.z), Vec3::zeros())
        });
        let mut work = Vec::new();
        for _ in 0..75 {
            let told = b.advance(FrameRequest::new(FRAME, &BoundaryConditions::default()));
            work.push(told.map_or(0.0, |_| counter(&b, "evaluations")));
        }
        (b, work)
    };
    let lifted = |b: &AdaptiveModel| counter(b, "raised_levels");
    let (calm, _) = swing(Interface::Conservative);
    assert_eq!(lifted(&calm), 0.0);
    let (mut wild, work) = swing(Interface::Paper);
    eprintln!("levels {} work {} {}", lifted(&wild), work[30], work[70]);
    assert!(lifted(&wild) >= 1.0);
    let notes = wild.stats().notes;
    assert!(notes.iter().any(|n| n.contains("without input")));
    assert!(2.0 * work[70] > 3.0 * work[30], "shorter steps");
    wild.reset();
    assert_eq!(lifted(&wild), 0.0);
}
