//! Skin vertices that a tool has reached from inside the body.
//!
//! A tool that goes through a thin part reaches its far side from inside. The near side is pushed ahead of the tool. If the far side were pushed as well, it would be pushed the other way as soon as
//! the middle of the tool has passed it, and the skin would hang on the tool.

use std::collections::BTreeSet;

use crate::contact::pose::Pose;
use crate::contact::tool::Tool;
use crate::math::Vec3;
use crate::mesh::SurfaceFrame;

/// Vertices that lie in a tool and are not touched by it, because it came to them from inside the body.
#[derive(Debug, Clone, Default)]
pub(super) struct PassedVertices {
    /// by tool and vertex
    passed: BTreeSet<(usize, u32)>,
    /// where each tool was at the last update; `None` before its first one and after a jump
    last_poses: Vec<Option<Pose>>,
}

/// A vertex deep in a tool that was not touched in the last update.
pub(super) struct DeepVertex {
    /// m
    pub position: Vec3,
    /// displacement since the last update, m
    pub displacement: Vec3,
    /// unit, into the body
    pub inward: Vec3,
}

impl PassedVertices {
    /// Begins an update with so many tools.
    pub fn begin_update(&mut self, tools: usize) {
        self.last_poses.resize(tools, None);
    }

    /// Forgets everything about tool `index`, which has jumped.
    pub fn forget(&mut self, index: usize) {
        self.passed.retain(|(owner, _)| *owner != index);
        self.last_poses[index] = None;
    }

    /// Lets go of the vertices that are out of tool `index` now.
    pub fn release_outside(&mut self, index: usize, tool: &Tool, frame: &SurfaceFrame) {
        self.passed.retain(|&(owner, vertex)| {
            owner != index || tool.signed_distance(&frame.position(vertex as usize)).0 < 0.0
        });
    }

    /// Whether tool `index` has passed a vertex and still holds it inside.
    pub fn contains(&self, index: usize, vertex: u32) -> bool {
        self.passed.contains(&(index, vertex))
    }

    /// Remembers a deep vertex to which tool `index` has come from inside the body, and returns whether it has. It has not if the vertex was outside the tool at the last update, and the tool on
    /// its outer side.
    pub fn remember_if_passed(
        &mut self,
        (index, tool): (usize, &Tool),
        vertex: u32,
        deep: &DeepVertex,
    ) -> bool {
        let Some(last) = self.last_poses[index] else {
            return false;
        };
        let before = last.to_local(&(deep.position - deep.displacement));
        let (distance, gradient) = tool.shape.signed_distance(&before);
        let came_from_outside =
            distance >= 0.0 && (last.orientation * gradient).dot(&deep.inward) > 0.0;
        if !came_from_outside {
            self.passed.insert((index, vertex));
        }
        !came_from_outside
    }

    /// Ends the update of tool `index`.
    pub fn store(&mut self, index: usize, tool: &Tool) {
        self.last_poses[index] = Some(tool.end);
    }
}
