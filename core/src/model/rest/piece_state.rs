//! The state of one piece.

use crate::model::rest::rule::NEIGHBOUR_REST_FRAMES;

/// Whether a piece sleeps, and what decides about it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PieceState {
    pub is_asleep: bool,
    /// consecutive frames at rest; 0 where it moved in the last one
    pub rest_frames: u16,
    /// no support holds a node of it
    pub is_free: bool,
    /// a constraint or a load moves it in this frame
    pub is_driven: bool,
    /// a hand holds it in this frame
    pub is_grabbed: bool,
    /// a tool or another piece carries it when this frame ends
    pub is_carried: bool,
    /// it falls asleep when this frame ends
    pub falls_asleep: bool,
}

impl PieceState {
    /// Wakes the piece. It has not moved yet, so that it wakes no other one.
    pub fn wake(&mut self) {
        (self.is_asleep, self.rest_frames) = (false, 1);
    }

    /// Whether pieces that touch it may fall asleep.
    pub fn lets_neighbours_sleep(&self) -> bool {
        self.is_asleep || self.rest_frames >= NEIGHBOUR_REST_FRAMES
    }

    /// Whether it wakes pieces that touch it.
    pub fn wakes_neighbours(&self) -> bool {
        !self.is_asleep && (self.is_driven || self.rest_frames == 0)
    }
}
