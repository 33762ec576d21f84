//! Whether the body sticks to a tool, and when the tool lets go.

use super::vertex_contact::VertexContact;
use crate::contact::adhesion::Adhesion;
use crate::math::Vec3;

/// The state of adhesion of one tool.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ToolAdhesion {
    adhesion: Option<Adhesion>,
    /// force of the tool on the body in the last frame, N
    force: Vec3,
    /// sum of the normals of the vertices that stick
    normal_sum: Vec3,
    /// The tool has let go and is still near the body. Nothing sticks until it was away: otherwise it would switch at the limit in each frame, or catch what swings back.
    is_released: bool,
}

impl ToolAdhesion {
    /// Begins a frame.
    pub(super) fn begin_frame(&mut self, adhesion: Option<Adhesion>) {
        (self.adhesion, self.force, self.normal_sum) = (adhesion, Vec3::zeros(), Vec3::zeros());
    }

    /// Whether a vertex that the tool pushes sticks to it.
    pub(super) fn is_sticky(&self) -> bool {
        self.adhesion.is_some() && !self.is_released
    }

    /// Whether the tool has let go and still touches the body.
    pub(super) fn is_released(&self) -> bool {
        self.is_released
    }

    /// Ends contact: the tool touches nothing, and may stick again.
    pub(super) fn end_contact(&mut self) {
        self.is_released = false;
    }

    /// Adds the force of the tool on a vertex, N.
    pub(super) fn add_reaction(&mut self, reaction: &Vec3, contact: &VertexContact) {
        self.force += reaction;
        if contact.sticks() {
            self.normal_sum += contact.normal;
        }
    }

    /// Whether the force of the tool on a vertex that sticks to it (N) breaks this bond.
    pub(super) fn breaks_bond(&self, reaction: &Vec3, contact: &VertexContact) -> bool {
        let Some(Adhesion::Bonded { pull_limit }) = self.adhesion else {
            return false;
        };
        contact.sticks() && -reaction.dot(&contact.normal) > pull_limit
    }

    /// Decides at the end of a frame whether the tool lets go of all vertices: a sticky one does where its pull along the mean normal exceeds the limit. Returns the decision.
    pub(super) fn update_release(&mut self) -> bool {
        let norm = self.normal_sum.norm();
        let Some(Adhesion::Sticky { pull_limit }) = self.adhesion.filter(|_| norm > 0.0) else {
            return false;
        };
        let pull = -self.force.dot(&self.normal_sum) / norm;
        let releases = pull > pull_limit;
        self.is_released |= releases;
        releases
    }
}
