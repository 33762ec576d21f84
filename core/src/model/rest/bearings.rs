//! What bears the pieces that sleep, and the constraints on them: these are left out of a frame, and their forces stay what they were.

use crate::boundary::DisplacementConstraint;
use crate::math::Vec3;

/// A tool that bore a piece when it fell asleep.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bearing {
    pub piece: u32,
    /// of those that tools may touch
    pub vertex: u32,
    /// on the body, N
    pub force: Vec3,
    /// whether the tool is still there in this frame
    pub is_there: bool,
}

/// What bears the pieces that sleep.
#[derive(Debug, Clone, Default)]
pub(super) struct Bearings {
    /// by vertex
    pub(super) all: Vec<Bearing>,
    /// constraints of the frame on what is awake, and the force on each constraint of the frame that is on what sleeps; empty where nothing sleeps
    awake: Vec<DisplacementConstraint>,
    fixed: Vec<Option<Vec3>>,
}

impl Bearings {
    /// Those of the pieces `before` a cut that have an heir. Constraints of the frame in which the cut was made stay parted as they were.
    pub(super) fn follow(&mut self, before: &Self, heir: impl Fn(u32) -> Option<u32>) {
        let follow = |b: &Bearing| heir(b.piece).map(|piece| Bearing { piece, ..*b });
        self.all = before.all.iter().filter_map(follow).collect();
        self.awake.clone_from(&before.awake);
        self.fixed.clone_from(&before.fixed);
    }

    /// A frame begins.
    pub(super) fn begin_frame(&mut self) {
        self.all.iter_mut().for_each(|b| b.is_there = false);
    }

    fn find(&self, vertex: u32) -> Option<usize> {
        self.all.binary_search_by_key(&vertex, |b| b.vertex).ok()
    }

    /// A tool touches this vertex in this frame.
    pub(super) fn touch(&mut self, vertex: u32) {
        if let Some(k) = self.find(vertex) {
            self.all[k].is_there = true;
        }
    }

    /// Pieces that have lost what bore them.
    pub(super) fn lost(&self) -> impl Iterator<Item = u32> + '_ {
        let lost = self.all.iter().filter(|b| !b.is_there);
        lost.map(|b| b.piece)
    }

    /// Forgets what bore a piece.
    pub(super) fn forget(&mut self, piece: u32) {
        self.all.retain(|b| b.piece != piece);
    }

    /// Forgets what bore anything.
    pub(super) fn clear(&mut self) {
        self.all.clear();
    }

    /// Keeps the forces (N) of tools on the vertices of pieces that fall asleep.
    pub(super) fn keep(&mut self, forces: impl Iterator<Item = (u32, u32, Vec3)>) {
        self.all
            .extend(forces.map(|(piece, vertex, force)| Bearing {
                piece,
                vertex,
                force,
                is_there: true,
            }));
        self.all.sort_unstable_by_key(|b| b.vertex);
    }

    /// Forgets the constraints of the last frame: nothing sleeps.
    pub(super) fn part_none(&mut self) {
        self.awake.clear();
        self.fixed.clear();
    }

    /// Parts the constraints of the frame by what they are on; `sleeps` tells whether a vertex does.
    pub(super) fn part(
        &mut self,
        constraints: &[DisplacementConstraint],
        sleeps: impl Fn(u32) -> bool,
    ) {
        self.part_none();
        for c in constraints {
            if sleeps(c.vertex) {
                let known = self.find(c.vertex);
                let force = known.map_or_else(Vec3::zeros, |k| self.all[k].force);
                self.fixed.push(Some(force));
            } else {
                self.awake.push(*c);
                self.fixed.push(None);
            }
        }
    }

    /// Constraints of the frame that are on what is awake, where something sleeps.
    pub(super) fn awake(&self) -> &[DisplacementConstraint] {
        &self.awake
    }

    /// Whether the constraints of the frame were parted by what they are on.
    pub(super) fn are_parted(&self) -> bool {
        !self.fixed.is_empty()
    }

    /// Makes one force (N) a constraint of the frame out of those of the constraints on what is awake.
    pub(super) fn spread(&self, forces: &mut Vec<Vec3>) {
        if self.fixed.is_empty() {
            return;
        }
        let mut own = forces.len();
        forces.resize(self.fixed.len(), Vec3::zeros());
        for (k, fixed) in self.fixed.iter().enumerate().rev() {
            forces[k] = match fixed {
                Some(force) => *force,
                None => {
                    own = own.saturating_sub(1);
                    forces[own]
                }
            };
        }
    }
}
