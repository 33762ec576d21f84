//! Adhesion: skin that sticks to a tool follows it in all directions. A tool that pulls too hard lets go and does not stick again.

use pliant_core::boundary::Friction;
use pliant_core::contact::{Adhesion, ContactTracker, Pose, Tool, ToolShape};
use pliant_core::math::Vec3;

use super::trial::SIDES;
use super::{ModelFactory, Promises, Trial, Verdict};

/// How deep the plate is pressed, how high above the block at rest it is lifted then, and how far aside, m.
const PRESS_DEPTH: f64 = 0.003;
const LIFT_HEIGHT: f64 = 0.003;
const LIFT_OFFSET: f64 = 0.002;
/// Frames until it is pressed, until it is lifted, and until the block rests.
const PRESS_END: u32 = 30;
const LIFT_END: u32 = 90;
const RELEASE_END: u32 = 180;
/// How far a vertex may be from where the plate has led it, m: a hundredth of the way.
const MAX_DEVIATION: f64 = 0.01 * (PRESS_DEPTH + LIFT_HEIGHT);
/// Share of the force by which the support's force may differ.
const BALANCE_TOLERANCE: f64 = 0.01;
/// Share of the limit that counts as no pull.
const ZERO_PULL: f64 = 1e-6;

/// A plate is pressed on the block, lifted and moved aside. The vertices that it touched follow it. Its pull is the force that the support carries, and the tool feels the same force. With half
/// of this force as its limit the plate lets go in the first frame that pulls harder, never pulls again, and leaves the block at rest.
///
/// # Errors
/// The vertex that is left behind, or the force that is out of balance or comes back.
pub fn adhesion(make: &ModelFactory<'_>, _: &Promises) -> Verdict {
    let (trial, forces) = pressed_and_lifted(make, f64::INFINITY)?;
    let expected = Vec3::new(LIFT_OFFSET, LIFT_HEIGHT, 0.0);
    for v in trial.top_vertices() {
        let displacement = trial.position(v as usize) - trial.rest[v as usize];
        if (displacement - expected).norm() > MAX_DEVIATION {
            return Err(format!(
                "the plate went {expected:?} m, and vertex {v}, which sticks to it, {displacement:?} m"
            ));
        }
    }
    let force = forces.last().copied().unwrap_or_default();
    let support: Vec3 = trial.model.support_reactions().iter().sum();
    if force.y < 1.0 || force.x < 0.1 {
        return Err(format!(
            "drawn up and aside, the block is pulled with {force:?} N"
        ));
    }
    if (force + support).norm() > BALANCE_TOLERANCE * force.norm() {
        return Err(format!(
            "the plate pulls with {force:?} N, the support holds with {support:?} N"
        ));
    }
    check_release(make, 0.5 * force.y)
}

/// The same with a limit, N.
fn check_release(make: &ModelFactory<'_>, limit: f64) -> Verdict {
    let (trial, forces) = pressed_and_lifted(make, limit)?;
    let pulls = |force: &Vec3| force.y > ZERO_PULL * limit;
    let Some(last) = forces.iter().rposition(pulls) else {
        return Err("a plate with a limit does not pull at all".into());
    };
    let before = forces[..last].iter().map(|f| f.y).fold(0.0, f64::max);
    if before > limit || forces[last].y <= limit || last + 1 == forces.len() {
        return Err(format!(
            "a plate that may pull with {limit} N pulls with {before} N, and with {} N in its last frame, {last} of {}",
            forces[last].y,
            forces.len()
        ));
    }
    let dent = trial.top_vertices().into_iter().map(|v| v as usize);
    let dent = dent.map(|v| (trial.position(v) - trial.rest[v]).norm());
    let dent = dent.fold(0.0, f64::max);
    match dent <= MAX_DEVIATION {
        true => Ok(()),
        false => Err(format!(
            "let go of, the block is {dent:e} m from where it was"
        )),
    }
}

/// The block after the plate was pressed and drawn away, and the force on it in each frame, N.
fn pressed_and_lifted(
    make: &ModelFactory<'_>,
    pull_limit: f64,
) -> Result<(Trial, Vec<Vec3>), String> {
    let mut trial = Trial::new(make, true);
    let mut tracker = ContactTracker::default();
    let mut forces: Vec<Vec3> = Vec::new();
    for frame in 1..=RELEASE_END {
        let tool = Tool {
            name: "plate".into(),
            shape: ToolShape::HalfSpace {
                point: Vec3::zeros(),
                normal: -Vec3::y(),
            },
            friction: Friction::None,
            adhesion: Some(Adhesion::Sticky { pull_limit }),
            begin: Pose::at(plate_position(frame - 1)),
            end: Pose::at(plate_position(frame)),
        };
        let boundary = trial.contact_with(&mut tracker, &tool);
        trial.advance(&boundary)?;
        tracker.record_reactions(trial.model.reactions());
        forces.push(trial.reactions().iter().sum());
    }
    Ok((trial, forces))
}

/// Where the plate is at the end of a frame, m.
fn plate_position(frame: u32) -> Vec3 {
    let share = |from: u32, to: u32| f64::from(frame.clamp(from, to) - from) / f64::from(to - from);
    let (pressed, lifted) = (share(0, PRESS_END), share(PRESS_END, LIFT_END));
    let up = (PRESS_DEPTH + LIFT_HEIGHT) * lifted - PRESS_DEPTH * pressed;
    Vec3::new(LIFT_OFFSET * lifted, 0.5 * SIDES[1] + up, 0.0)
}
