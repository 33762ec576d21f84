//! How a tool holds what sticks to it, and when it lets go.

use super::touch::Touch;
use crate::contact::adhesion::Adhesion;
use crate::math::Vec3;

/// The grip of one tool.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ToolGrip {
    adhesion: Option<Adhesion>,
    /// force of the tool on the body in the last frame, N
    force: Vec3,
    /// sum of the normals of what sticks
    normal: Vec3,
    /// Let go, and still near the body: it takes hold again only after it was away, so that it neither trembles around the limit nor catches what swings back.
    has_let_go: bool,
}

impl ToolGrip {
    /// A frame begins.
    pub(super) fn begin_frame(&mut self, adhesion: Option<Adhesion>) {
        (self.adhesion, self.force, self.normal) = (adhesion, Vec3::zeros(), Vec3::zeros());
    }

    /// Whether what the tool pushes sticks to it.
    pub(super) fn takes_hold(&self) -> bool {
        self.adhesion.is_some() && !self.has_let_go
    }

    /// Whether it has let go and touches the body still.
    pub(super) fn has_let_go(&self) -> bool {
        self.has_let_go
    }

    /// The tool touches nothing.
    pub(super) fn leave(&mut self) {
        self.has_let_go = false;
    }

    /// Adds what the tool did to a vertex, N.
    pub(super) fn carry(&mut self, reaction: &Vec3, touch: &Touch) {
        self.force += reaction;
        if touch.sticks() {
            self.normal += touch.normal;
        }
    }

    /// Decides after a frame, and tells, whether the tool lets go of everything: where the part of its force against the mean normal exceeds the limit.
    pub(super) fn lets_go(&mut self) -> bool {
        let across = self.normal.norm();
        let Some(adhesion) = self.adhesion.filter(|_| across > 0.0) else {
            return false;
        };
        let pull = -self.force.dot(&self.normal) / across;
        let lets_go = pull > adhesion.pull_limit;
        self.has_let_go |= lets_go;
        lets_go
    }
}
