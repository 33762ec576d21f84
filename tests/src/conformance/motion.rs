//! Rigid motions: where a body is and how it lies changes nothing.

use std::f64::consts::FRAC_PI_2;

use nalgebra::UnitQuaternion;
use pliant_core::boundary::Friction;
use pliant_core::contact::Pose;
use pliant_core::math::Vec3;

use super::trial::{CELL, SIDES};
use super::{Make, Promises, Trial, Verdict};

/// Share of the answer by which a moved body may differ. Forces in single precision have seven digits, and stiff motions take some.
const ALIKE: f64 = 1e-3;

/// A block that lies elsewhere gives the same displacements and forces, turned with it. A free block of a model of large rotations, led through a quarter turn and let rest,
/// needs no force and stores no energy.
///
/// # Errors
/// The pose and the difference.
pub fn rigid_invariance(make: &Make<'_>, promises: &Promises) -> Verdict {
    if promises.bakes_alike {
        moved(make, promises)?;
    }
    let can = Trial::new(make, true).model.capabilities();
    match can.large_rotations && can.free_bodies {
        true => turned(make),
        false => Ok(()),
    }
}

/// The same plate on the block at several poses.
fn moved(make: &Make<'_>, promises: &Promises) -> Verdict {
    let here = answer(make, &Pose::at(Vec3::zeros()))?;
    let quarter = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), FRAC_PI_2);
    let mut poses = vec![
        Pose::at(Vec3::new(0.31, -0.2, 0.13)),
        Pose {
            position: Vec3::new(0.1, 0.0, -0.2),
            orientation: quarter,
        },
    ];
    if promises.any_orientation {
        poses.push(Pose {
            position: Vec3::new(0.0, 0.2, 0.1),
            orientation: UnitQuaternion::from_euler_angles(0.4, -0.7, 0.3),
        });
    }
    for pose in poses {
        let there = answer(make, &pose)?;
        for (what, a, b) in [
            ("displacements", &here.0, &there.0),
            ("forces", &here.1, &there.1),
        ] {
            let scale = a.iter().map(Vec3::norm).fold(0.0, f64::max);
            let apart = a.iter().zip(b).map(|(a, b)| (a - b).norm());
            let apart = apart.fold(0.0, f64::max);
            if apart > ALIKE * scale || scale == 0.0 {
                return Err(format!(
                    "{what} differ by {apart:e} of {scale:e} at {pose:?}"
                ));
            }
        }
    }
    Ok(())
}

/// Displacements and reactions, in the body's own frame, under a plate.
fn answer(make: &Make<'_>, pose: &Pose) -> Result<(Vec<Vec3>, Vec<Vec3>), String> {
    let mut trial = Trial::at(make, pose, true);
    let mut boundary = trial.pushed(&[]);
    for k in 1..=60 {
        let depth = 0.008 * (f64::from(k) / 30.0).min(1.0);
        boundary = trial.plate(0.5 * SIDES[1] - depth, Vec3::zeros(), Friction::None);
        trial.advance(&boundary)?;
    }
    let moved = (0..trial.rest.len()).map(|v| trial.place(v) - trial.rest[v]);
    let mut forces = trial.reactions();
    forces.truncate(boundary.displacements().len());
    Ok((moved.collect(), forces))
}

/// Every skin vertex is led along a quarter turn about a tilted axis.
fn turned(make: &Make<'_>) -> Verdict {
    let mut trial = Trial::new(make, false);
    let axis = nalgebra::Unit::new_normalize(Vec3::new(0.3, 0.5, 0.8));
    let at = |angle: f64| UnitQuaternion::from_axis_angle(&axis, angle);
    let (mut before, mut stored, mut force) = (at(0.0), 0.0, 0.0);
    for k in 1..=240 {
        let now = at(FRAC_PI_2 * (f64::from(k) / 60.0).min(1.0));
        let held: Vec<(u32, Vec3, Vec3)> = (0..trial.rest.len())
            .map(|v| {
                let x = trial.rest[v];
                (v as u32, now * x - x, before * x - x)
            })
            .collect();
        before = now;
        let boundary = trial.held_at(&held);
        let report = trial.advance(&boundary)?;
        stored = report.energy.map_or(0.0, |e| e.elastic);
        force = trial.reactions().iter().map(Vec3::norm).fold(0.0, f64::max);
    }
    // what a strain of a thousandth would store in the block, and what it would press with on one cell of its skin
    let young = 2e4;
    let energy_scale = 0.5 * young * 1e-6 * SIDES.iter().product::<f64>();
    let force_scale = young * 1e-3 * CELL * CELL;
    match stored <= energy_scale && force <= force_scale {
        true => Ok(()),
        false => Err(format!(
            "turned by 90 degrees the block stores {stored:e} J and is held with up to {force:e} N a vertex"
        )),
    }
}
