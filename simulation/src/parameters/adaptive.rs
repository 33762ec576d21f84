//! From the text of a scene to the parameters of the adaptive method.

use pliant_adaptive::cut::Interface;
use pliant_adaptive::params::{
    Calibration, DampingRule, FilterRule, Precision, Resolution, Scheme, StepRule, units_for,
};
use pliant_adaptive::{AdaptiveParams, LevelChoice};
use pliant_core::scene::Method;

use super::body_contact::body_contact;
use crate::setup::Setup;

/// Computing time a frame where the scene gives none, ms of the nominal machine: half a frame, so that two other methods can run beside this one.
pub(crate) const DEFAULT_BUDGET_MS: f64 = 8.0;

/// Share of a body's mass that the adaptive method may give to slivers of thin walls for a longer step.
const MASS_SCALING: f64 = 0.04;
/// Share of the budget for a level that all of a body is kept at, where a cut moves.
const FLOOR_SHARE: f64 = 0.5;

/// What a frame may cost beyond the budget for a short while, over the budget, where no clock asks for less: with it most cuts are as fine as the budget of all other frames allows,
/// and stay as they are while elements are pressed.
const OVERRUN_ALLOWANCE: f64 = 0.25;

/// Whether a cut through all levels moves the body of the adaptive method.
///
/// Where the scene leaves the choice, a single body that something holds does so. Nothing tells where a body that flies or swings freely should be finer, and a filter needs one
/// step for all nodes. Blades and cracks go through one level, but a body moves on its cut until a blade reaches it or a load comes near breaking it.
pub(crate) fn moves_on_cut(setup: &Setup) -> bool {
    let description = &setup.description.body.adaptive;
    let is_simple = !setup.is_group() && !description.paper_filter && description.models.is_empty();
    description
        .cut
        .unwrap_or(is_simple && !setup.geometry.supports.is_empty())
}

/// What the scene asks of the adaptive method.
pub(crate) fn adaptive_params(setup: &Setup) -> AdaptiveParams {
    let description = &setup.description.body.adaptive;
    let budget_ms = description.budget_ms.unwrap_or(DEFAULT_BUDGET_MS);
    let precision = match description.double_precision {
        true => Precision::F64,
        false => Precision::F32,
    };
    let resolution = if moves_on_cut(setup) {
        Resolution::Cut
    } else {
        Resolution::Level
    };
    AdaptiveParams {
        level: LevelChoice::Auto,
        budget_units: units_for(budget_ms, precision, resolution),
        overrun_allowance: match setup.is_group() {
            true => 0.0,
            false => OVERRUN_ALLOWANCE,
        },
        prepares_changes: !setup.is_group(),
        frame_duration: setup.frame_duration(),
        step_rule: if description.courant {
            StepRule::Courant
        } else {
            StepRule::ElementBound
        },
        // both rules meet the damping ratio; with this one the elastic waves alone bound the step, which fine levels need
        damping_rule: DampingRule::Rayleigh,
        mass_scaling: MASS_SCALING,
        calibration: match description.uncalibrated {
            true => Calibration::Off,
            false => Calibration::Local,
        },
        precision,
        resolution,
        blades: setup.has_blades(),
        subcycling: !setup.is_group(),
        fracture: setup.description.body.fracture,
        friction: body_contact(setup, Method::Adaptive).friction,
        interface: match description.paper_interface {
            true => Interface::Paper,
            false => Interface::Conservative,
        },
        scheme: match description.node_jump {
            true => Scheme::NodeJump,
            false => Scheme::ElementImpulses,
        },
        filter: match description.paper_filter {
            true => FilterRule::Paper,
            false => FilterRule::Off,
        },
        allow_unstable: description.allow_unstable,
        gamma_max: description.gamma_max,
        floor_share: if setup.is_group() { 0.0 } else { FLOOR_SHARE },
        ..AdaptiveParams::default()
    }
}
