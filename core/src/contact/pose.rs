//! Position and orientation of a rigid body.

use nalgebra::UnitQuaternion;

use crate::math::Vec3;

/// Position and orientation of a rigid body: `x = position + orientation · local`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Position of the local origin, world, m.
    pub position: Vec3,
    /// Rotation from local to world.
    pub orientation: UnitQuaternion<f64>,
}

impl Pose {
    /// A pose without rotation.
    pub fn at(position: Vec3) -> Self {
        Self {
            position,
            orientation: UnitQuaternion::identity(),
        }
    }

    /// Local to world.
    pub fn to_world(&self, local: &Vec3) -> Vec3 {
        self.position + self.orientation * local
    }

    /// Pose of what is fixed to this body, whose pose in its axes is `offset`.
    pub fn carrying(&self, offset: &Self) -> Self {
        Self {
            position: self.to_world(&offset.position),
            orientation: self.orientation * offset.orientation,
        }
    }

    /// World to local.
    pub fn to_local(&self, world: &Vec3) -> Vec3 {
        self.orientation.inverse() * (world - self.position)
    }
}
