//! Energy: a body never gives back more than was put in.

use pliant_core::math::Vec3;
use pliant_core::model::EnergyAccount;

use super::trial::{FRAME, SIDES};
use super::{ModelFactory, Promises, Trial, Verdict};

/// Error of the balance, as a share of the largest term, at which a run reports that it cannot be trusted.
const BALANCE_TOLERANCE: f64 = 0.05;
/// Share of the largest work that a closed path may give back by round-off, and by which the energy may seem to grow in a frame. Time steps conserve an energy that differs from the measured
/// one in the order of the step.
const MAX_GAIN: f64 = 1e-3;

/// A patch of the upper face is led along a closed path. The work of the hand is not negative at its end. A model with inertia reports energies that balance, and loses energy in every frame
/// in which nothing does work on it.
///
/// # Errors
/// How much is gained.
pub fn energy(make: &ModelFactory<'_>, _: &Promises) -> Verdict {
    let mut trial = Trial::new(make, true);
    let inertia = trial.model.capabilities().inertia;
    let patch: Vec<u32> = trial
        .top_vertices()
        .into_iter()
        .filter(|v| trial.rest[*v as usize].norm() < 0.075)
        .collect();
    let corners = [
        Vec3::zeros(),
        Vec3::new(0.0, -0.01, 0.0),
        Vec3::new(0.01, -0.01, 0.005),
        Vec3::new(0.01, 0.0, 0.0),
        Vec3::zeros(),
    ];
    let (mut work, mut max_work) = (0.0, 0.0_f64);
    let mut previous = Vec3::zeros();
    let mut previous_force = Vec3::zeros();
    for pair in corners.windows(2) {
        for k in 1..=20 {
            let now = pair[0] + (pair[1] - pair[0]) * (f64::from(k) / 20.0);
            let held: Vec<(u32, Vec3, Vec3)> = patch.iter().map(|v| (*v, now, previous)).collect();
            let boundary = trial.held_at(&held);
            let report = trial.advance(&boundary)?;
            let force: Vec3 = trial.reactions().iter().sum();
            // a model with inertia reports the mean force of the frame, one without inertia the force at its end
            let mean = if inertia {
                force
            } else {
                (force + previous_force) * 0.5
            };
            work += mean.dot(&(now - previous));
            max_work = max_work.max(work);
            (previous, previous_force) = (now, force);
            check_balance(inertia, report.energy.as_ref())?;
        }
    }
    if work < -MAX_GAIN * max_work || max_work <= 0.0 {
        return Err(format!(
            "a closed path gives {:e} J away, of {max_work:e} J on the way",
            -work
        ));
    }
    match inertia {
        true => check_dissipation(make),
        false => Ok(()),
    }
}

/// A model with inertia reports its energy, and the energy balances.
fn check_balance(inertia: bool, energy: Option<&EnergyAccount>) -> Verdict {
    match energy {
        None if inertia => Err("a model with inertia reports no energy".into()),
        Some(e) if e.balance().abs() > BALANCE_TOLERANCE * e.scale() => {
            Err(format!("{e:?} do not balance"))
        }
        _ => Ok(()),
    }
}

/// The block is pushed for a while. After that it loses energy in every frame.
fn check_dissipation(make: &ModelFactory<'_>) -> Verdict {
    let mut trial = Trial::new(make, true);
    let corner = trial.vertex_near(Vec3::from(SIDES) * 0.5);
    let mut last = f64::INFINITY;
    let mut first = 0.0;
    for k in 0..90 {
        let loads = [(corner, Vec3::new(0.5, -0.5, 0.3))];
        let boundary = trial.loaded(if k < 12 { &loads } else { &[] });
        let report = trial.advance(&boundary)?;
        check_balance(true, report.energy.as_ref())?;
        let e = report.energy.unwrap_or_default();
        let now = e.kinetic + e.elastic + e.potential;
        if k == 12 {
            first = now;
        }
        if k > 12 && now > last + MAX_GAIN * first {
            let time = f64::from(k) * FRAME;
            return Err(format!(
                "left alone, the energy grew from {last:e} to {now:e} J at {time} s"
            ));
        }
        last = now;
    }
    match last < 0.9 * first && first > 0.0 {
        true => Ok(()),
        false => Err(format!("damping left {last:e} J of {first:e} J")),
    }
}
