//! Adhesion: what sticks to a tool goes along with it in all directions, and a tool that pulls too hard lets go and stays off.

use pliant_core::boundary::Friction;
use pliant_core::contact::{Adhesion, ContactTracker, Pose, Tool, ToolShape};
use pliant_core::math::Vec3;

use super::trial::SIDES;
use super::{Make, Promises, Trial, Verdict};

/// How deep the plate is pressed, how high above the block at rest it is drawn then, and how far aside, m.
const PRESSED: f64 = 0.003;
const LIFTED: f64 = 0.003;
const ASIDE: f64 = 0.002;
/// Frames until it is pressed, until it is drawn up, and until the block rests.
const PRESS: u32 = 30;
const LIFT: u32 = 90;
const REST: u32 = 180;
/// How far a vertex may be from where the plate has led it, m: a hundredth of the way.
const LEFT: f64 = 0.01 * (PRESSED + LIFTED);
/// Share of the force that the support may carry more or less.
const BALANCE: f64 = 0.01;
/// Share of the limit that counts as no pull.
const NOTHING: f64 = 1e-6;

/// A plate that is pressed on the block and drawn up and aside leads what it touched along, pulls at the block with what the support carries, and feels that itself. With half of this
/// force as its limit it lets go in the first frame that pulls harder, never pulls again, and leaves the block at rest.
///
/// # Errors
/// The vertex that is left behind, or the force that is out of balance or comes back.
pub fn adhesion(make: &Make<'_>, _: &Promises) -> Verdict {
    let (trial, forces) = lifted(make, f64::INFINITY)?;
    let led = Vec3::new(ASIDE, LIFTED, 0.0);
    for v in trial.top() {
        let way = trial.place(v as usize) - trial.rest[v as usize];
        if (way - led).norm() > LEFT {
            return Err(format!(
                "the plate went {led:?} m, and vertex {v}, which sticks to it, {way:?} m"
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
    if (force + support).norm() > BALANCE * force.norm() {
        return Err(format!(
            "the plate pulls with {force:?} N, the support holds with {support:?} N"
        ));
    }
    lets_go(make, 0.5 * force.y)
}

/// The same with a limit, N.
fn lets_go(make: &Make<'_>, limit: f64) -> Verdict {
    let (trial, forces) = lifted(make, limit)?;
    let pulls = |force: &Vec3| force.y > NOTHING * limit;
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
    let dent = trial.top().into_iter().map(|v| v as usize);
    let dent = dent.map(|v| (trial.place(v) - trial.rest[v]).norm());
    let dent = dent.fold(0.0, f64::max);
    match dent <= LEFT {
        true => Ok(()),
        false => Err(format!(
            "let go of, the block is {dent:e} m from where it was"
        )),
    }
}

/// The block after the plate was pressed and drawn away, and the force on it in each frame, N.
fn lifted(make: &Make<'_>, pull_limit: f64) -> Result<(Trial, Vec<Vec3>), String> {
    let mut trial = Trial::new(make, true);
    let mut tracker = ContactTracker::default();
    let mut forces: Vec<Vec3> = Vec::new();
    for frame in 1..=REST {
        let tool = Tool {
            name: "plate".into(),
            shape: ToolShape::HalfSpace {
                point: Vec3::zeros(),
                normal: -Vec3::y(),
            },
            friction: Friction::None,
            adhesion: Some(Adhesion { pull_limit }),
            begin: Pose::at(place(frame - 1)),
            end: Pose::at(place(frame)),
        };
        let boundary = trial.touched_by(&mut tracker, &tool);
        trial.advance(&boundary)?;
        tracker.record_reactions(trial.model.reactions());
        forces.push(trial.reactions().iter().sum());
    }
    Ok((trial, forces))
}

/// Where the plate is at the end of a frame, m.
fn place(frame: u32) -> Vec3 {
    let share = |from: u32, to: u32| f64::from(frame.clamp(from, to) - from) / f64::from(to - from);
    let (pressed, lifted) = (share(0, PRESS), share(PRESS, LIFT));
    let up = (PRESSED + LIFTED) * lifted - PRESSED * pressed;
    Vec3::new(ASIDE * lifted, 0.5 * SIDES[1] + up, 0.0)
}
