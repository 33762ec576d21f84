//! From the words of a scene to the parameters of the solvers.

use std::sync::Arc;

use pliant_adaptive::cut::Interface;
use pliant_adaptive::params::{
    Calibration, DampingRule, FilterRule, Precision, Resolution, Scheme, StepRule, units_for,
};
use pliant_adaptive::{AdaptiveParams, LevelChoice};
use pliant_contact::BodyContact;
use pliant_core::scene::{Method, VertexWeight};
use pliant_lattice::{Fracture, LatticeParams, Masses, RotationMethod, ShapeMatching, Sums};

use crate::build::DEFAULT_BUDGET_MS;
use crate::setup::Setup;

/// Share of a supported body's mass that the adaptive method may add to slivers of thin walls for a longer step.
const MASS_SCALING: f64 = 0.04;
/// Share of the budget for a level that all of a body is kept at, where a cut moves.
const FLOOR_SHARE: f64 = 0.5;

/// Whether a cut through all levels moves the body of the adaptive method. Where the scene leaves the choice: a single body that something holds. Nothing tells where a body that
/// flies or swings freely should be finer, and a filter needs one step for all nodes.
pub fn moves_on_cut(setup: &Setup) -> bool {
    let wanted = &setup.description.body.adaptive;
    let is_filtered = FilterRule::from_name(&wanted.filter).unwrap_or_default() != FilterRule::Off;
    let is_simple = !setup.is_group() && !is_filtered && wanted.models.is_empty();
    wanted
        .cut
        .unwrap_or(is_simple && !setup.geometry.supports.is_empty())
}

/// What the adaptive method is asked for.
pub(crate) fn adaptive_params(setup: &Setup) -> AdaptiveParams {
    let wanted = &setup.description.body.adaptive;
    let budget_ms = wanted.budget_ms.unwrap_or(DEFAULT_BUDGET_MS);
    let precision = match wanted.double_precision {
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
        frame_duration: setup.frame_duration(),
        step_rule: if wanted.courant {
            StepRule::Courant
        } else {
            StepRule::ElementBound
        },
        // the damping ratio is met either way; this rule leaves the step to the elastic waves, which fine levels need
        damping_rule: DampingRule::Rayleigh,
        mass_scaling: MASS_SCALING,
        calibration: match wanted.uncalibrated {
            true => Calibration::Off,
            false => Calibration::Local,
        },
        precision,
        resolution,
        // the scene's reader has checked the names; empty stands for the default
        interface: Interface::from_name(&wanted.interface).unwrap_or_default(),
        scheme: Scheme::from_name(&wanted.scheme).unwrap_or_default(),
        filter: FilterRule::from_name(&wanted.filter).unwrap_or_default(),
        allow_unstable: wanted.allow_unstable,
        gamma_max: wanted.gamma_max,
        floor_share: if setup.is_group() { 0.0 } else { FLOOR_SHARE },
        ..AdaptiveParams::default()
    }
}

/// What the lattice is asked for.
pub(crate) fn lattice_params(setup: &Setup) -> LatticeParams {
    let wanted = &setup.description.body.lattice;
    LatticeParams {
        half_width: wanted.half_width,
        alpha: wanted.alpha,
        steps: wanted.steps,
        frame_duration: setup.frame_duration(),
        sums: match wanted.sums.as_str() {
            "naive" => Some(Sums::Naive),
            "bar-plate-cube" => Some(Sums::BarPlateCube),
            "running" => Some(Sums::Running),
            _ => None,
        },
        precision: match wanted.double_precision {
            Some(true) => Some(pliant_lattice::Precision::Double),
            Some(false) => Some(pliant_lattice::Precision::Single),
            // small bodies in a crowd are where the time goes
            None if setup.is_group() && wanted.sums.is_empty() => {
                Some(pliant_lattice::Precision::Single)
            }
            None => None,
        },
        // a group has no account of energies
        energy_accounting: setup.is_group().then_some(false),
        masses: match vertex_weights(&wanted.weights, setup) {
            Some(weights) => Masses::Attribute(weights),
            None if wanted.equal_masses => Masses::Unit,
            None => Masses::Volume,
        },
        damp_globally: wanted.damp_globally,
        damp_every: wanted.damp_every,
        rotation: match wanted.rotation.as_str() {
            "jacobi-warm" => RotationMethod::JacobiWarm,
            "jacobi-cold" => RotationMethod::JacobiCold,
            _ => RotationMethod::Newton,
        },
        stiffness: vertex_weights(&wanted.stiffness, setup),
        fit: !wanted.uncalibrated,
        regions_once: wanted.regions_once,
        fracture: wanted.toughness.map(|toughness| Fracture {
            toughness,
            max_breaks: wanted.max_breaks.unwrap_or(Fracture::default().max_breaks),
            shortened_too: wanted.breaks_shortened,
        }),
        matching: match wanted.matching.as_str() {
            "rigid" => ShapeMatching::Rigid,
            "linear" => ShapeMatching::Linear { beta: wanted.beta },
            "quadratic" => ShapeMatching::Quadratic { beta: wanted.beta },
            _ => ShapeMatching::Lattice,
        },
        bones: wanted.bones.clone(),
        ..LatticeParams::default()
    }
}

/// The number at each vertex of the body's skin; `None` where the scene gives none.
fn vertex_weights(list: &[VertexWeight], setup: &Setup) -> Option<Arc<[f64]>> {
    if list.is_empty() {
        return None;
    }
    let skin = &setup.geometry.skin;
    let mut factors = vec![1.0; skin.vertex_count()];
    for weight in list {
        match weight {
            VertexWeight::Part { select, factor } => {
                for v in select.skin_vertices(skin) {
                    factors[v as usize] = *factor;
                }
            }
            VertexWeight::Attribute(name) => {
                let found = setup.attributes.iter().find(|(known, _)| known == name);
                if let Some((_, values)) = found {
                    factors.copy_from_slice(values);
                }
            }
        }
    }
    Some(factors.into())
}

/// What the bodies of a kind touch: the same in all methods where the scene makes no difference.
pub(crate) fn contact_of(kind: &Setup, method: Method) -> BodyContact {
    let body = &kind.description.body;
    let common = BodyContact {
        with_others: body.lattice.body_contact,
        with_itself: body.lattice.self_contact,
        friction: body.lattice.friction,
    };
    match method {
        Method::Adaptive => BodyContact {
            with_others: body.adaptive.body_contact.unwrap_or(common.with_others),
            with_itself: body.adaptive.self_contact.unwrap_or(common.with_itself),
            friction: body.adaptive.friction.unwrap_or(common.friction),
        },
        Method::Lattice | Method::Quasistatic => common,
    }
}
