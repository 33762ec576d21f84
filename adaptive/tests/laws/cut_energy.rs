//! The account of energy of a cut under a tool: what several rates must not invent.

use std::sync::Arc;

use pliant_adaptive::{AdaptiveModel, AdaptiveParams, DampingRule, LodHierarchy, Resolution};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::model::EnergyAccount;

use crate::bodies::{FRAME, frame};
use crate::cut_model::{LEVELS, model, params, press, slab};

/// Presses in 30 frames, holds for 60, lets go: largest error of the balance, largest energy, and what damping took while nothing moved, J.
fn account(b: &mut AdaptiveModel) -> (f64, f64, f64) {
    let (mut worst, mut scale) = (0.0_f64, 0.0_f64);
    let mut dissipated = Vec::new();
    for k in 1..=120 {
        let depth = 0.01 * (f64::from(k) / 30.0).min(1.0);
        let speed = if k <= 30 { 0.01 / 30.0 / FRAME } else { 0.0 };
        let boundary = if k <= 90 {
            press(b, depth, speed)
        } else {
            BoundaryConditions::default()
        };
        let energy: EnergyAccount = frame(b, &boundary).energy.expect("an account");
        worst = worst.max(energy.balance().abs());
        scale = scale.max(energy.scale());
        dissipated.push(energy.dissipated);
    }
    (worst, scale, dissipated[88] - dissipated[68])
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
        (DampingRule::Strain, &LEVELS[..2]),
    ] {
        let asset = slab(levels);
        let mut b = damped(&asset, rule);
        let (worst, scale, held) = account(&mut b);
        let rates = b.cut().expect("a cut").groups().len();
        eprintln!(
            "{}: balance {worst:.2e} of {scale:.2e} J, held {held:.2e} J",
            rule.name()
        );
        assert!(rates > 1, "one rate alone has no ripple");
        // the level by itself is at 0.6 %: release from one frame to the next
        assert!(worst < 0.02 * scale, "{worst:.3e} of {scale:.3e} J");
        assert!(held.abs() < 1e-3 * scale, "{held:.3e} of {scale:.3e} J");
    }
}
