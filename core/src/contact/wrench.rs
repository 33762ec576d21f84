//! Force and torque on a tool.

use crate::math::Vec3;

/// Force and torque on a tool.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ToolWrench {
    /// Force on the tool, N: minus the sum of its reactions.
    pub force: Vec3,
    /// Torque on the tool about its origin, N·m.
    pub torque: Vec3,
}

impl ToolWrench {
    /// Adds the effect of one reaction (force on the body, N) at a deformed position (m).
    pub fn add_reaction(&mut self, reaction: &Vec3, position: &Vec3, origin: &Vec3) {
        self.force -= reaction;
        self.torque -= (position - origin).cross(reaction);
    }

    /// Adds the wrench of a tool that this one carries, with its origin at `arm` (world, m) from that of this one.
    pub fn add_carried(&mut self, carried: &Self, arm: &Vec3) {
        self.force += carried.force;
        self.torque += carried.torque + arm.cross(&carried.force);
    }
}
