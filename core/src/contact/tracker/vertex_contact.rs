//! What the tracker remembers of a vertex that a tool touches.

use crate::boundary::DisplacementConstraint;
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
        self.is_pushed = false;
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
        DisplacementConstraint {
            friction: tool.friction,
            ..DisplacementConstraint::contact(vertex, target, self.normal)
                .moving(tool.velocity_at(&target, duration))
        }
    }

    /// Records the force of the tool on the vertex in the frame, N.
    pub(super) fn record_reaction(&mut self, reaction: &Vec3) {
        self.is_pushed = reaction.dot(&self.normal) > 0.0;
        self.idle_frames = if reaction.norm_squared() > 0.0 {
            0
        } else {
            self.idle_frames.saturating_add(1)
        };
    }
}
