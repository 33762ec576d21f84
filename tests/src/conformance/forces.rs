//! Forces: what acts on the body acts back, and compliances are symmetric.

use pliant_core::boundary::Friction;
use pliant_core::math::Vec3;

use super::trial::{FRAME, SIDES};
use super::{Make, Promises, Trial, Verdict};

/// Share of a force that may be missing after three seconds, in which the motion of the block has died to less than that.
const BALANCE: f64 = 1e-3;

/// Under a plate and its own weight the held block is in balance; a free block, pushed for a tenth of a second off its middle, flies on with exactly the momentum of the push.
///
/// # Errors
/// What is missing in the balance.
pub fn action_is_reaction(make: &Make<'_>, _: &Promises) -> Verdict {
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
    let left = (tool + support + gravity * mass).norm();
    if tool.norm() < 1.0 || left > BALANCE * support.norm() {
        return Err(format!(
            "the plate gives {tool:?} N, the support {support:?} N, the weight {} N: {left:e} N are left",
            mass * gravity.y
        ));
    }
    match trial.model.capabilities().free_bodies {
        true => free_flight(make, mass),
        false => Ok(()),
    }
}

fn free_flight(make: &Make<'_>, mass: f64) -> Verdict {
    let mut trial = Trial::new(make, false);
    let corner = trial.vertex_near(Vec3::from(SIDES) * 0.5);
    let face = trial.vertex_near(Vec3::new(0.1, 0.0, 0.0));
    let pushes = [
        (corner, Vec3::new(0.1, -0.2, 0.05)),
        (face, Vec3::new(-0.4, 0.1, 0.1)),
    ];
    let total = pushes[0].1 + pushes[1].1;
    for _ in 0..6 {
        let boundary = trial.pushed(&pushes);
        trial.advance(&boundary)?;
    }
    // two opposite corners of a block lie around its centre, whatever its rotation
    let ends = [Vec3::from(SIDES) * 0.5, Vec3::from(SIDES) * -0.5];
    let ends = ends.map(|x| trial.vertex_near(x) as usize);
    let middle = |t: &Trial| (t.place(ends[0]) + t.place(ends[1])) * 0.5;
    let nothing = trial.pushed(&[]);
    for _ in 0..60 {
        trial.advance(&nothing)?;
    }
    let from = middle(&trial);
    for _ in 0..60 {
        trial.advance(&nothing)?;
    }
    let momentum = (middle(&trial) - from) * (mass / (60.0 * FRAME));
    let given = total * (6.0 * FRAME);
    match (momentum - given).norm() <= 1e-3 * given.norm() {
        true => Ok(()),
        false => Err(format!(
            "pushed with {given:?} N s, it flies with {momentum:?} N s"
        )),
    }
}

/// How far a vertex is moved, m: a five-hundredth of the block, in both directions, so that what is not linear cancels to the second order.
const STEP: f64 = 2e-4;
/// Frames until the block is at rest again: two seconds, of which the way takes half a second.
const SETTLED: u32 = 120;

/// The force at B for a displacement at A is the force at A for the same displacement at B, for pairs of vertices and directions (Maxwell and Betti): the body has an energy.
///
/// # Errors
/// The pair that breaks it.
pub fn reciprocity(make: &Make<'_>, _: &Promises) -> Verdict {
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
            let mut before = Vec3::zeros();
            for k in 1..=SETTLED {
                let step = ends[moved].1 * (sign * STEP * (f64::from(k) / 30.0).min(1.0));
                let held: Vec<(u32, Vec3, Vec3)> = (0..3)
                    .map(|e| match e == moved {
                        true => (ends[e].0, step, before),
                        false => (ends[e].0, Vec3::zeros(), Vec3::zeros()),
                    })
                    .collect();
                before = step;
                let boundary = trial.held_at(&held);
                trial.advance(&boundary)?;
                if k == SETTLED {
                    let constraints = boundary.displacements().iter();
                    for (c, force) in constraints.zip(trial.reactions()) {
                        let at = ends.iter().position(|e| e.0 == c.vertex).unwrap_or(0);
                        stiffness[at][moved] += sign * force.dot(&ends[at].1) / (2.0 * STEP);
                    }
                }
            }
        }
    }
    for (a, b) in [(1, 0), (2, 0), (2, 1)] {
        let (there, back) = (stiffness[a][b], stiffness[b][a]);
        let scale = there.abs().max(back.abs());
        if (there - back).abs() > 0.01 * scale || scale == 0.0 {
            return Err(format!(
                "{there} N/m from place {b} to place {a}, {back} N/m back"
            ));
        }
    }
    Ok(())
}
