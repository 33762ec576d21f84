//! What the tracker remembers of a vertex that a tool touches.

use crate::boundary::{DisplacementConstraint, Friction};
use crate::contact::pose::Pose;
use crate::contact::tool::Tool;
use crate::math::Vec3;

/// A contact of a tool with a vertex.
#[derive(Debug, Clone, Copy)]
pub(super) struct VertexContact {
    /// Unit vector from the tool into the body, world.
    pub(super) normal: Vec3,
    /// Consecutive frames without force.
    pub(super) idle_frames: u8,
    /// Whether the tool pushed the vertex in the last frame.
    pub(super) is_pushed: bool,
    /// Whether its bond broke and the tool is still near. It does not stick until the tool was away: otherwise it would switch at the limit in each frame.
    pub(super) is_torn_off: bool,
    /// Force of the tool on the vertex in the last frame, N.
    last_force: Vec3,
    anchor: Option<Anchor>,
}

/// The point of a tool that a vertex sticks to, in coordinates of the tool.
#[derive(Debug, Clone, Copy)]
struct Anchor {
    /// m
    position: Vec3,
    /// unit
    normal: Vec3,
}

impl VertexContact {
    /// A vertex that comes into contact.
    pub(super) fn new(normal: Vec3) -> Self {
        Self {
            normal,
            idle_frames: 0,
            is_pushed: false,
            is_torn_off: false,
            last_force: Vec3::zeros(),
            anchor: None,
        }
    }

    /// Whether the vertex sticks to the tool.
    pub(super) fn sticks(&self) -> bool {
        self.anchor.is_some()
    }

    /// Makes the vertex, which is at `position` (m), stick to the tool at `pose`.
    pub(super) fn stick(&mut self, position: &Vec3, pose: &Pose) {
        self.anchor = Some(Anchor {
            position: pose.to_local(position),
            normal: pose.orientation.inverse() * self.normal,
        });
    }

    /// Lets the vertex go: from now on the tool only pushes it.
    pub(super) fn release(&mut self) {
        self.anchor = None;
        self.leave_out();
    }

    /// Leaves the vertex out of a frame: the tool does not push it, because something else holds it.
    pub(super) fn leave_out(&mut self) {
        self.is_pushed = false;
        self.last_force = Vec3::zeros();
    }

    /// Lets the vertex go, because its bond broke.
    pub(super) fn tear_off(&mut self) {
        self.release();
        self.is_torn_off = true;
    }

    /// Constraint of the vertex in a frame of `duration` seconds, at whose beginning it is at `position`, m.
    pub(super) fn constraint(
        &mut self,
        vertex: u32,
        position: &Vec3,
        tool: &Tool,
        duration: f64,
    ) -> DisplacementConstraint {
        if let Some(anchor) = self.anchor {
            self.normal = tool.end.orientation * anchor.normal;
            let target = tool.end.to_world(&anchor.position);
            let velocity = tool.velocity_at(&target, duration);
            return DisplacementConstraint::held(vertex, target).moving(velocity);
        }
        let depth = -tool.signed_distance(position).0;
        let target = position + self.normal * depth;
        // without friction a frame begins from nothing: what normal impulses lack at first, the correction of positions makes up for
        let expected_force = match tool.friction {
            Friction::None => Vec3::zeros(),
            Friction::Coulomb { .. } => self.last_force,
        };
        DisplacementConstraint {
            friction: tool.friction,
            expected_force,
            ..DisplacementConstraint::contact(vertex, target, self.normal)
                .moving(tool.velocity_at(&target, duration))
        }
    }

    /// Records the force of the tool on the vertex in the frame, N.
    pub(super) fn record_reaction(&mut self, reaction: &Vec3) {
        self.is_pushed = reaction.dot(&self.normal) > 0.0;
        // a model may answer with what is no number
        let is_finite = reaction.iter().all(|x| x.is_finite());
        self.last_force = if is_finite { *reaction } else { Vec3::zeros() };
        self.idle_frames = if reaction.norm_squared() > 0.0 {
            0
        } else {
            self.idle_frames.saturating_add(1)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_with_friction_expects_its_last_force_until_it_is_left_out() {
        let up = Vec3::y();
        let force = Vec3::new(0.2, 1.0, -0.1);
        for friction in [Friction::None, Friction::coulomb(0.5)] {
            let floor = Tool::floor(up, friction);
            let mut contact = VertexContact::new(up);
            let expected = |contact: &mut VertexContact| {
                let constraint = contact.constraint(0, &Vec3::zeros(), &floor, 0.1);
                assert_eq!(constraint.friction, friction);
                constraint.expected_force
            };
            assert_eq!(expected(&mut contact), Vec3::zeros());
            contact.record_reaction(&force);
            let last = match friction {
                Friction::None => Vec3::zeros(),
                Friction::Coulomb { .. } => force,
            };
            assert_eq!(expected(&mut contact), last);
            contact.leave_out();
            assert_eq!(expected(&mut contact), Vec3::zeros());
            contact.record_reaction(&force);
            contact.record_reaction(&Vec3::repeat(f64::NAN));
            assert_eq!(expected(&mut contact), Vec3::zeros());
        }
    }
}
