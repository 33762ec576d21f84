//! The energy account of a cut under a tool: several rates must not create energy.

use std::sync::Arc;

use pliant_adaptive::cut::Interface;
use pliant_adaptive::{AdaptiveModel, AdaptiveParams, DampingRule, LodHierarchy, Resolution};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::inspect::Inspect;
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, EnergyAccount, FrameRequest};

use crate::bodies::{FRAME, SIDES, With, baked_block, counter, frame, model};
use crate::cut::cuts::{set_by_rest, split_where};
use crate::cut::slab::{LEVELS, params, press_and_hold, slab};

/// Presses in 30 frames, holds for 60, releases. Returns the largest error of the balance, the largest energy, and the energy dissipated at rest, J;
/// and the largest number of simultaneous rates.
fn press_hold_release(b: &mut AdaptiveModel) -> (f64, f64, f64, usize) {
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
    let params = params(Resolution::Cut).with(|p| p.damping_rule = rule);
    model(asset, params)
}

#[test]
fn damping_dissipates_nothing_in_a_body_at_rest_under_a_tool() {
    for (rule, levels) in [
        (DampingRule::Rayleigh, LEVELS.as_slice()),
        (DampingRule::Strain, &[[6, 3, 6], [12, 6, 12]]),
    ] {
        let asset = slab(levels);
        let mut b = damped(&asset, rule);
        let (worst, scale, held, rates) = press_hold_release(&mut b);
        assert!(rates > 1, "one rate alone has no ripple");
        // a single level has an error of 0.6 %, because of the release from one frame to the next
        assert!(
            worst < 0.02 * scale,
            "{rule:?}: {worst:.3e} of {scale:.3e} J"
        );
        assert!(
            held.abs() < 1e-3 * scale,
            "{rule:?}: {held:.3e} of {scale:.3e} J"
        );
    }
}

#[test]
fn an_energy_gain_without_work_is_detected_and_shortens_the_steps() {
    let size = SIDES;
    let asset = baked_block(size, &[[2, 2, 2], [4, 3, 5]], 0.0, None);
    let swing = |interface: Interface| {
        let params = AdaptiveParams {
            interface,
            allow_unstable: true,
            recover: false,
            // the cut does not change
            gamma_max: Some(1e3),
            gamma_min: Some(0.0),
            ..params(Resolution::Cut)
        };
        let mut b = model(&asset, params);
        let cut = b.cut_mut().expect("a cut");
        cut.change_cut(|cut| split_where(cut, 0, |x| x.x > 0.1));
        set_by_rest(cut, |x| (Vec3::new(1.02 * x.x, x.y, x.z), Vec3::zeros()));
        let mut work = Vec::new();
        for _ in 0..75 {
            let report = b.advance(FrameRequest::new(FRAME, &BoundaryConditions::default()));
            work.push(report.map_or(0.0, |_| counter(&b, "evaluations")));
        }
        (b, work)
    };
    let raised_levels = |b: &AdaptiveModel| counter(b, "raised_levels");
    let (stable, _) = swing(Interface::Conservative);
    assert_eq!(raised_levels(&stable), 0.0);
    let (mut unstable, work) = swing(Interface::Paper);
    let raised = raised_levels(&unstable);
    assert!(raised >= 1.0, "{raised}");
    let notes = unstable.stats().notes;
    assert!(notes.iter().any(|n| n.contains("without input")));
    let [early, late] = [30, 70].map(|k| work[k]);
    assert!(2.0 * late > 3.0 * early, "shorter steps: {early} {late}");
    unstable.reset();
    assert_eq!(raised_levels(&unstable), 0.0);
}
