//! Rotations and rigid velocities of regions from their sums.

pub(crate) mod angular_velocity;
pub(crate) mod motion_fields;
pub(crate) mod polar;
pub(crate) mod regions;
pub(crate) mod rigid_velocities;
