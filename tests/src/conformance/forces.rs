//! Forces: action equals reaction, and compliances are symmetric.

use pliant_core::boundary::Friction;
use pliant_core::math::Vec3;

use super::trial::{FRAME, SIDES};
use super::{ModelFactory, Promises, Trial, Verdict};

/// Share of a force that may be missing after three seconds. By then damping has reduced the motion of the block to less than that.
const BALANCE_TOLERANCE: f64 = 1e-3;

/// Under a plate and its own weight the held block is in balance. A free block that is pushed off its centre for a tenth of a second flies on with exactly the momentum of the push.
///
/// # Errors
/// What is missing in the balance.
pub fn action_is_reaction(make: &ModelFactory<'_>, _: &Promises) -> Verdict {
    let mut trial = Trial::new(make, true);
    let density = 1000.0;
    let mass = density * SIDES.iter().product::<f64>();
    let gravity = Vec3::new(0.0, -9.81, 0.0);
    for k in 1..=180 {
        let depth = 0.004 * (f64::from(k) / 30.0).min(1.0);
        let mut boundary = trial.plate(0.5 * SIDES[1] - depth, Vec3::zeros(), Friction::None);
        boundary.gravity = gravity;
        trial.advance(&boundary)?;
    }
    let tool: Vec3 = trial.reactions().iter().sum();
    let support: Vec3 = trial.model.support_reactions().iter().sum();
    let residual = (tool + support + gravity * mass).norm();
    if tool.norm() < 1.0 || residual > BALANCE_TOLERANCE * support.norm() {
        return Err(format!(
            "the plate gives {tool:?} N, the support {support:?} N, the weight {} N: {residual:e} N are left",
            mass * gravity.y
        ));
    }
    match trial.model.capabilities().free_bodies {
        true => free_flight(make, mass),
        false => Ok(()),
    }
}

fn free_flight(make: &ModelFactory<'_>, mass: f64) -> Verdict {
    let mut trial = Trial::new(make, false);
    let corner = trial.vertex_near(Vec3::from(SIDES) * 0.5);
    let face = trial.vertex_near(Vec3::new(0.1, 0.0, 0.0));
    let loads = [
        (corner, Vec3::new(0.1, -0.2, 0.05)),
        (face, Vec3::new(-0.4, 0.1, 0.1)),
    ];
    let total = loads[0].1 + loads[1].1;
    for _ in 0..6 {
        let boundary = trial.loaded(&loads);
        trial.advance(&boundary)?;
    }
    // two opposite corners of a block lie around its centre, whatever its rotation
    let ends = [Vec3::from(SIDES) * 0.5, Vec3::from(SIDES) * -0.5];
    let ends = ends.map(|x| trial.vertex_near(x) as usize);
    let centre = |t: &Trial| (t.position(ends[0]) + t.position(ends[1])) * 0.5;
    let unloaded = trial.loaded(&[]);
    for _ in 0..60 {
        trial.advance(&unloaded)?;
    }
    let start = centre(&trial);
    for _ in 0..60 {
        trial.advance(&unloaded)?;
    }
    let momentum = (centre(&trial) - start) * (mass / (60.0 * FRAME));
    let impulse = total * (6.0 * FRAME);
    match (momentum - impulse).norm() <= 1e-3 * impulse.norm() {
        true => Ok(()),
        false => Err(format!(
            "pushed with {impulse:?} N s, it flies with {momentum:?} N s"
        )),
    }
}

/// How far a vertex is moved, m: a five-hundredth of the block. It moves in both directions, so that the nonlinear part cancels to the second order.
const DISPLACEMENT: f64 = 2e-4;
/// Frames until the block is at rest again: two seconds, of which the motion of the vertex takes half a second.
const SETTLING_FRAMES: u32 = 120;

/// The force at B for a displacement at A is the force at A for the same displacement at B, for pairs of vertices and directions (Maxwell and Betti). The stiffness then derives from an energy.
///
/// # Errors
/// The pair that breaks it.
pub fn reciprocity(make: &ModelFactory<'_>, _: &Promises) -> Verdict {
    let places = [
        (Vec3::new(0.0, 0.05, 0.0), Vec3::y()),
        (Vec3::new(0.05, 0.05, 0.025), Vec3::new(0.6, 0.8, 0.0)),
        (Vec3::new(0.1, 0.025, 0.0), Vec3::z()),
    ];
    let mut trial = Trial::new(make, true);
    let ends = places.map(|(place, along)| (trial.vertex_near(place), along));
    let mut stiffness = [[0.0; 3]; 3];
    for moved in 0..3 {
        for sign in [-1.0, 1.0] {
            trial.model.reset();
            let mut previous = Vec3::zeros();
            for k in 1..=SETTLING_FRAMES {
                let step = ends[moved].1 * (sign * DISPLACEMENT * (f64::from(k) / 30.0).min(1.0));
                let held: Vec<(u32, Vec3, Vec3)> = (0..3)
                    .map(|e| match e == moved {
                        true => (ends[e].0, step, previous),
                        false => (ends[e].0, Vec3::zeros(), Vec3::zeros()),
                    })
                    .collect();
                previous = step;
                let boundary = trial.held_at(&held);
                trial.advance(&boundary)?;
                if k == SETTLING_FRAMES {
                    let constraints = boundary.displacements().iter();
                    for (c, force) in constraints.zip(trial.reactions()) {
                        let at = ends.iter().position(|e| e.0 == c.vertex).unwrap_or(0);
                        stiffness[at][moved] +=
                            sign * force.dot(&ends[at].1) / (2.0 * DISPLACEMENT);
                    }
                }
            }
        }
    }
    for (a, b) in [(1, 0), (2, 0), (2, 1)] {
        let (stiffness_ab, stiffness_ba) = (stiffness[a][b], stiffness[b][a]);
        let scale = stiffness_ab.abs().max(stiffness_ba.abs());
        if (stiffness_ab - stiffness_ba).abs() > 0.01 * scale || scale == 0.0 {
            return Err(format!(
                "{stiffness_ab} N/m from place {b} to place {a}, {stiffness_ba} N/m back"
            ));
        }
    }
    Ok(())
}
