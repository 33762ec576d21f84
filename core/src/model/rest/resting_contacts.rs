//! Contacts with tools that carry sleeping pieces, and the constraints on these pieces: frames leave them out, and their forces stay as they were.

use crate::boundary::DisplacementConstraint;
use crate::math::Vec3;

/// A contact with a tool that carried a piece when it fell asleep.
#[derive(Debug, Clone, Copy)]
pub(super) struct RestingContact {
    pub piece: u32,
    /// number among the vertices that tools may touch
    pub vertex: u32,
    /// force on the body, N
    pub force: Vec3,
    /// whether the tool still touches the vertex in this frame
    pub is_present: bool,
}

/// The contacts that carry sleeping pieces.
#[derive(Debug, Clone, Default)]
pub(super) struct RestingContacts {
    /// sorted by vertex
    pub(super) all: Vec<RestingContact>,
    /// constraints of the frame on pieces that are awake; empty where no piece sleeps
    awake_constraints: Vec<DisplacementConstraint>,
    /// for each constraint of the frame its fixed force if it is on a sleeping piece, N; empty where no piece sleeps
    fixed_forces: Vec<Option<Vec3>>,
}

impl RestingContacts {
    /// Takes the contacts of the pieces `before` a cut for which `successor` gives a piece after it. Constraints of the frame in which the cut was made stay split as they were.
    pub(super) fn inherit(&mut self, before: &Self, successor: impl Fn(u32) -> Option<u32>) {
        let inherit = |contact: &RestingContact| {
            let piece = successor(contact.piece)?;
            Some(RestingContact { piece, ..*contact })
        };
        self.all = before.all.iter().filter_map(inherit).collect();
        self.awake_constraints.clone_from(&before.awake_constraints);
        self.fixed_forces.clone_from(&before.fixed_forces);
    }

    /// Begins a frame, in which no tool touches anything yet.
    pub(super) fn begin_frame(&mut self) {
        self.all.iter_mut().for_each(|c| c.is_present = false);
    }

    fn find(&self, vertex: u32) -> Option<usize> {
        self.all.binary_search_by_key(&vertex, |c| c.vertex).ok()
    }

    /// Records that a tool touches this vertex in this frame.
    pub(super) fn mark_present(&mut self, vertex: u32) {
        if let Some(k) = self.find(vertex) {
            self.all[k].is_present = true;
        }
    }

    /// Pieces that have lost a contact.
    pub(super) fn lost_pieces(&self) -> impl Iterator<Item = u32> + '_ {
        let lost = self.all.iter().filter(|c| !c.is_present);
        lost.map(|c| c.piece)
    }

    /// Removes the contacts of a piece.
    pub(super) fn remove(&mut self, piece: u32) {
        self.all.retain(|c| c.piece != piece);
    }

    /// Removes all contacts.
    pub(super) fn clear(&mut self) {
        self.all.clear();
    }

    /// Adds contacts of pieces that fall asleep: piece, vertex, and the force of the tool on it (N).
    pub(super) fn add(&mut self, forces: impl Iterator<Item = (u32, u32, Vec3)>) {
        self.all
            .extend(forces.map(|(piece, vertex, force)| RestingContact {
                piece,
                vertex,
                force,
                is_present: true,
            }));
        self.all.sort_unstable_by_key(|c| c.vertex);
    }

    /// Removes the constraints of the last frame.
    pub(super) fn clear_constraints(&mut self) {
        self.awake_constraints.clear();
        self.fixed_forces.clear();
    }

    /// Splits the constraints of the frame into those on pieces that are awake and those on sleeping ones; `sleeps` says whether a vertex is on a sleeping piece.
    pub(super) fn split_constraints(
        &mut self,
        constraints: &[DisplacementConstraint],
        sleeps: impl Fn(u32) -> bool,
    ) {
        self.clear_constraints();
        for c in constraints {
            if sleeps(c.vertex) {
                let contact = self.find(c.vertex);
                let force = contact.map_or_else(Vec3::zeros, |k| self.all[k].force);
                self.fixed_forces.push(Some(force));
            } else {
                self.awake_constraints.push(*c);
                self.fixed_forces.push(None);
            }
        }
    }

    /// Constraints of the frame on pieces that are awake, where a piece sleeps.
    pub(super) fn awake_constraints(&self) -> &[DisplacementConstraint] {
        &self.awake_constraints
    }

    /// Extends the `forces` (N) of the constraints on pieces that are awake, in place, to all constraints of the frame.
    pub(super) fn merge_forces(&self, forces: &mut Vec<Vec3>) {
        if self.fixed_forces.is_empty() {
            return;
        }
        let mut awake = forces.len();
        forces.resize(self.fixed_forces.len(), Vec3::zeros());
        for (k, fixed) in self.fixed_forces.iter().enumerate().rev() {
            forces[k] = match fixed {
                Some(force) => *force,
                None => {
                    awake = awake.saturating_sub(1);
                    forces[awake]
                }
            };
        }
    }
}
