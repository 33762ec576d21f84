//! From the sums of regions to their rotations and rigid velocities.

pub(crate) mod angular_velocity;
pub(crate) mod motion_fields;
pub(crate) mod polar;
pub(crate) mod regions;
pub(crate) mod rigid_velocities;
