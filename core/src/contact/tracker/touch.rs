//! What is remembered of a vertex that a tool touches.

use crate::boundary::DisplacementConstraint;
use crate::contact::tool::{Pose, Tool};
use crate::math::Vec3;

/// A touched vertex.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    /// Unit vector from the tool into the body, world.
    pub(super) normal: Vec3,
    /// Frames in a row without force.
    pub(super) idle_frames: u8,
    /// Whether the tool pushed it in the last frame.
    pub(super) pushed: bool,
    anchor: Option<Anchor>,
}

/// Where a vertex sticks, in the coordinates of the tool.
#[derive(Debug, Clone, Copy)]
struct Anchor {
    /// m.
    place: Vec3,
    /// Unit.
    normal: Vec3,
}

impl Touch {
    /// A vertex that comes into contact.
    pub(super) fn new(normal: Vec3) -> Self {
        Self {
            normal,
            idle_frames: 0,
            pushed: false,
            anchor: None,
        }
    }

    /// Whether it goes along with the tool.
    pub(super) fn sticks(&self) -> bool {
        self.anchor.is_some()
    }

    /// Sticks to a tool at `pose` where it is, `here` (m), from now on.
    pub(super) fn stick(&mut self, here: &Vec3, pose: &Pose) {
        self.anchor = Some(Anchor {
            place: pose.to_local(here),
            normal: pose.orientation.inverse() * self.normal,
        });
    }

    /// Is only pushed from now on.
    pub(super) fn let_go(&mut self) {
        self.anchor = None;
        self.pushed = false;
    }

    /// Constraint of the vertex in a frame of `duration` seconds, at whose beginning it is `here`, m.
    pub(super) fn constraint(
        &mut self,
        vertex: u32,
        here: &Vec3,
        tool: &Tool,
        duration: f64,
    ) -> DisplacementConstraint {
        if let Some(anchor) = self.anchor {
            self.normal = tool.end.orientation * anchor.normal;
            let target = tool.end.to_world(&anchor.place);
            let velocity = tool.velocity_at(&target, duration);
            return DisplacementConstraint::held(vertex, target).moving(velocity);
        }
        let depth = -tool.signed_distance(here).0;
        let target = here + self.normal * depth;
        DisplacementConstraint {
            friction: tool.friction,
            ..DisplacementConstraint::contact(vertex, target, self.normal)
                .moving(tool.velocity_at(&target, duration))
        }
    }

    /// Takes over what the tool did to it in the frame, N.
    pub(super) fn settle(&mut self, reaction: &Vec3) {
        self.pushed = reaction.dot(&self.normal) > 0.0;
        self.idle_frames = if reaction.norm_squared() > 0.0 {
            0
        } else {
            self.idle_frames.saturating_add(1)
        };
    }
}
