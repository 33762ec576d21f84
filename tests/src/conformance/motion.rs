//! Rigid motions: neither the position nor the orientation of a body changes its response.

use std::f64::consts::FRAC_PI_2;

use nalgebra::UnitQuaternion;
use pliant_core::boundary::Friction;
use pliant_core::contact::Pose;
use pliant_core::math::Vec3;

use super::trial::{CELL, SIDES};
use super::{ModelFactory, Promises, Trial, Verdict};

/// Share of the response by which that of a moved body may differ. Forces in single precision have seven digits, and stiff motions lose some of them.
const TOLERANCE: f64 = 1e-3;

/// A block at another pose has the same displacements and forces in its own frame. A free block is rotated by 90 degrees and comes to rest. If the model has large rotations, it then needs no
/// force and stores no energy.
///
/// # Errors
/// The pose and the difference.
pub fn rigid_invariance(make: &ModelFactory<'_>, promises: &Promises) -> Verdict {
    if promises.bakes_alike {
        check_poses(make, promises)?;
    }
    let capabilities = Trial::new(make, true).model.capabilities();
    match capabilities.large_rotations && capabilities.free_bodies {
        true => check_rotation(make),
        false => Ok(()),
    }
}

/// Poses of a body: moved, turned by 90 degrees, tilted.
pub fn poses() -> [Pose; 3] {
    [
        Pose::at(Vec3::new(0.31, -0.2, 0.13)),
        Pose {
            position: Vec3::new(0.1, 0.0, -0.2),
            orientation: UnitQuaternion::from_axis_angle(&Vec3::y_axis(), FRAC_PI_2),
        },
        Pose {
            position: Vec3::new(0.0, 0.2, 0.1),
            orientation: UnitQuaternion::from_euler_angles(0.4, -0.7, 0.3),
        },
    ]
}

/// The same plate on the block at several poses.
fn check_poses(make: &ModelFactory<'_>, promises: &Promises) -> Verdict {
    let at_origin = response(make, &Pose::at(Vec3::zeros()))?;
    let count = if promises.any_orientation { 3 } else { 2 };
    for pose in poses().into_iter().take(count) {
        let at_pose = response(make, &pose)?;
        for (what, a, b) in [
            ("displacements", &at_origin.0, &at_pose.0),
            ("forces", &at_origin.1, &at_pose.1),
        ] {
            let scale = a.iter().map(Vec3::norm).fold(0.0, f64::max);
            let difference = a.iter().zip(b).map(|(a, b)| (a - b).norm());
            let difference = difference.fold(0.0, f64::max);
            if difference > TOLERANCE * scale || scale == 0.0 {
                return Err(format!(
                    "{what} differ by {difference:e} of {scale:e} at {pose:?}"
                ));
            }
        }
    }
    Ok(())
}

/// Displacements and reactions, in the body's own frame, under a plate.
fn response(make: &ModelFactory<'_>, pose: &Pose) -> Result<(Vec<Vec3>, Vec<Vec3>), String> {
    let mut trial = Trial::at(make, pose, true);
    let mut boundary = trial.loaded(&[]);
    for k in 1..=60 {
        let depth = 0.008 * (f64::from(k) / 30.0).min(1.0);
        boundary = trial.plate(0.5 * SIDES[1] - depth, Vec3::zeros(), Friction::None);
        trial.advance(&boundary)?;
    }
    let displacements = (0..trial.rest.len()).map(|v| trial.position(v) - trial.rest[v]);
    let mut forces = trial.reactions();
    forces.truncate(boundary.displacements().len());
    Ok((displacements.collect(), forces))
}

/// Every skin vertex follows a rotation by 90 degrees about a tilted axis.
fn check_rotation(make: &ModelFactory<'_>) -> Verdict {
    let mut trial = Trial::new(make, false);
    let axis = nalgebra::Unit::new_normalize(Vec3::new(0.3, 0.5, 0.8));
    let rotation_by = |angle: f64| UnitQuaternion::from_axis_angle(&axis, angle);
    let (mut previous, mut elastic_energy, mut largest_force) = (rotation_by(0.0), 0.0, 0.0);
    for k in 1..=240 {
        let rotation = rotation_by(FRAC_PI_2 * (f64::from(k) / 60.0).min(1.0));
        let held: Vec<(u32, Vec3, Vec3)> = (0..trial.rest.len())
            .map(|v| {
                let x = trial.rest[v];
                (v as u32, rotation * x - x, previous * x - x)
            })
            .collect();
        previous = rotation;
        let boundary = trial.held_at(&held);
        let report = trial.advance(&boundary)?;
        elastic_energy = report.energy.map_or(0.0, |e| e.elastic);
        largest_force = trial.reactions().iter().map(Vec3::norm).fold(0.0, f64::max);
    }
    // the energy of the block at a strain of 0.001, and the force on one cell of its skin
    let young = 2e4;
    let energy_scale = 0.5 * young * 1e-6 * SIDES.iter().product::<f64>();
    let force_scale = young * 1e-3 * CELL * CELL;
    match elastic_energy <= energy_scale && largest_force <= force_scale {
        true => Ok(()),
        false => Err(format!(
            "turned by 90 degrees the block stores {elastic_energy:e} J and is held with up to {largest_force:e} N a vertex"
        )),
    }
}
