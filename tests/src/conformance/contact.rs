//! Contact: a plate stays outside of the body and never pulls, and its friction stays within Coulomb's cone.

use pliant_core::boundary::Friction;
use pliant_core::math::Vec3;

use super::trial::{FRAME, SIDES};
use super::{ModelFactory, Promises, Trial, Verdict};

/// How deep the plate is pressed, m.
const DEPTH: f64 = 0.005;
/// Largest penetration after a frame, m: a hundredth of the depth. The iteration of a substep leaves a small error to the next one.
const MAX_PENETRATION: f64 = 0.01 * DEPTH;
/// Resolution of a skin in single precision around 0.1 m, m.
const SKIN_RESOLUTION: f64 = 2e-8;

/// A plate is pressed into the block, held and drawn back. No vertex stays behind it, the report names the deepest penetration, and every force pushes along the normal.
///
/// # Errors
/// The first frame and vertex that break it.
pub fn non_penetration(make: &ModelFactory<'_>, _: &Promises) -> Verdict {
    let mut trial = Trial::new(make, true);
    let top = 0.5 * SIDES[1];
    let mut height = top;
    let mut total_push = 0.0;
    for k in 1..=90 {
        let share = f64::from(k.min(30)) / 30.0 - f64::from((k - 60).max(0)) / 30.0;
        let next = top - DEPTH * share;
        let velocity = Vec3::y() * ((next - height) / FRAME);
        height = next;
        let boundary = trial.plate(height, velocity, Friction::None);
        let report = trial.advance(&boundary)?;
        let largest = trial.reactions().iter().map(Vec3::norm).fold(0.0, f64::max);
        let mut deepest = 0.0_f64;
        let constraints = boundary.displacements();
        for c in constraints {
            deepest = deepest.max(c.violation(&trial.world_position(c.vertex)));
        }
        let forces = trial.reactions();
        if forces.len() != constraints.len() {
            let (a, b) = (forces.len(), constraints.len());
            return Err(format!("frame {k}: {a} reactions for {b} constraints"));
        }
        for (c, force) in constraints.iter().zip(forces) {
            let normal_force = -force.y;
            if normal_force < -1e-9 * largest {
                return Err(format!(
                    "frame {k}: vertex {} is pulled with {normal_force:e} N",
                    c.vertex
                ));
            }
            if force.x.hypot(force.z) > 1e-9 * largest {
                return Err(format!(
                    "frame {k}: a plate without friction rubs with {force:?} N"
                ));
            }
            total_push += normal_force;
        }
        if deepest > MAX_PENETRATION {
            return Err(format!(
                "frame {k}: a vertex is {deepest:e} m behind the plate"
            ));
        }
        if (report.max_violation - deepest).abs() > SKIN_RESOLUTION {
            let reported = report.max_violation;
            return Err(format!(
                "frame {k}: {deepest:e} m are violated, {reported:e} m reported"
            ));
        }
    }
    match total_push > 1.0 {
        true => Ok(()),
        false => Err(format!(
            "the plate pushed with {total_push} N in all frames together"
        )),
    }
}

/// Coefficient of friction.
const MU: f64 = 0.4;

/// A plate is pressed and slides. No tangential force leaves the cone `|t| <= mu n`. When the plate has slid for a while, the sum of these forces reaches nine tenths of the cone and points
/// along the motion. A model that says it has no friction has no tangential forces.
///
/// # Errors
/// The first force outside the cone, or too little of it.
pub fn friction_cone(make: &ModelFactory<'_>, _: &Promises) -> Verdict {
    let mut trial = Trial::new(make, true);
    let friction = Friction::coulomb(MU);
    let has_friction = trial.model.capabilities().friction;
    let top = 0.5 * SIDES[1];
    let speed = Vec3::x() * 0.05;
    for k in 1..=120 {
        let share = (f64::from(k) / 30.0).min(1.0);
        let sliding = match k > 30 {
            true => speed,
            false => -Vec3::y() * (DEPTH / (30.0 * FRAME)),
        };
        let boundary = trial.plate(top - DEPTH * share, sliding, friction);
        trial.advance(&boundary)?;
        let forces = trial.reactions();
        let largest = forces.iter().map(Vec3::norm).fold(0.0, f64::max);
        for force in &forces {
            let (normal_force, tangential_force) = (-force.y, force.x.hypot(force.z));
            let allowed = if has_friction { MU * normal_force } else { 0.0 };
            if tangential_force > allowed + 1e-6 * largest {
                return Err(format!(
                    "frame {k}: {tangential_force} N along the plate, {allowed} N are in the cone"
                ));
            }
        }
        if k == 120 && has_friction {
            let total: Vec3 = forces.iter().sum();
            let share = total.x / (MU * -total.y);
            if !(0.9..=1.0 + 1e-6).contains(&share) {
                return Err(format!(
                    "a sliding plate rubs with {share} of what it may: {total:?} N"
                ));
            }
        }
    }
    Ok(())
}
