//! Energy: nobody gets more out of a body than was put in.

use pliant_core::math::Vec3;
use pliant_core::model::EnergyAccount;

use super::trial::{FRAME, SIDES};
use super::{Make, Promises, Trial, Verdict};

/// Error of the balance over the largest term at which a run tells that it cannot be trusted.
const BALANCE: f64 = 0.05;
/// Share of the work on the way that round-off may give back on a closed path, and by which a frame may seem to gain: steps conserve an energy that differs from the
/// measured one in the order of the step.
const GAIN: f64 = 1e-3;

/// A patch of the upper face is led along a closed path: the work of the hand is never negative at its end. A model with inertia reports energies that balance, and loses some in
/// every frame in which nothing works on it.
///
/// # Errors
/// How much is gained.
pub fn energy(make: &Make<'_>, _: &Promises) -> Verdict {
    let mut trial = Trial::new(make, true);
    let inertia = trial.model.capabilities().inertia;
    let patch: Vec<u32> = trial
        .top()
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
    let (mut work, mut most) = (0.0, 0.0_f64);
    let mut before = Vec3::zeros();
    let mut last_force = Vec3::zeros();
    for pair in corners.windows(2) {
        for k in 1..=20 {
            let now = pair[0] + (pair[1] - pair[0]) * (f64::from(k) / 20.0);
            let held: Vec<(u32, Vec3, Vec3)> = patch.iter().map(|v| (*v, now, before)).collect();
            let boundary = trial.held_at(&held);
            let report = trial.advance(&boundary)?;
            let force: Vec3 = trial.reactions().iter().sum();
            // a model with inertia tells the mean force of the frame, one without that at its end
            let mean = if inertia {
                force
            } else {
                (force + last_force) * 0.5
            };
            work += mean.dot(&(now - before));
            most = most.max(work);
            (before, last_force) = (now, force);
            account(inertia, report.energy.as_ref())?;
        }
    }
    if work < -GAIN * most || most <= 0.0 {
        return Err(format!(
            "a closed path gives {:e} J away, of {most:e} J on the way",
            -work
        ));
    }
    match inertia {
        true => left_alone(make),
        false => Ok(()),
    }
}

/// A model with inertia has an account, and it balances.
fn account(inertia: bool, energy: Option<&EnergyAccount>) -> Verdict {
    match energy {
        None if inertia => Err("a model with inertia reports no energy".into()),
        Some(e) if e.balance().abs() > BALANCE * e.scale() => Err(format!("{e:?} do not balance")),
        _ => Ok(()),
    }
}

/// Pushed for a while and let go, the block loses energy in every frame.
fn left_alone(make: &Make<'_>) -> Verdict {
    let mut trial = Trial::new(make, true);
    let corner = trial.vertex_near(Vec3::from(SIDES) * 0.5);
    let mut last = f64::INFINITY;
    let mut first = 0.0;
    for k in 0..90 {
        let loads = [(corner, Vec3::new(0.5, -0.5, 0.3))];
        let boundary = trial.pushed(if k < 12 { &loads } else { &[] });
        let report = trial.advance(&boundary)?;
        account(true, report.energy.as_ref())?;
        let e = report.energy.unwrap_or_default();
        let now = e.kinetic + e.elastic + e.potential;
        if k == 12 {
            first = now;
        }
        if k > 12 && now > last + GAIN * first {
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
