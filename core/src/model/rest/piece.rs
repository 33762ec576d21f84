//! What is known of one piece.

use crate::model::rest::rule::NEIGHBOUR_FRAMES;

/// Whether a piece is awake, and what is known of it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rest {
    pub asleep: bool,
    /// frames for which it has been calm; 0 where it moved in the last one
    pub calm: u16,
    /// no support holds a node of it
    pub is_free: bool,
    /// something outside moves it in this frame
    pub driven: bool,
    /// a hand holds it in this frame
    pub gripped: bool,
    /// something bears it when this frame ends
    pub borne: bool,
    /// it falls asleep when this frame ends
    pub falls: bool,
}

impl Rest {
    /// Awake from now on. What was woken has not moved yet, and wakes nothing itself.
    pub fn wake(&mut self) {
        (self.asleep, self.calm) = (false, 1);
    }

    /// Whether what touches it may sleep.
    pub fn is_quiet(&self) -> bool {
        self.asleep || self.calm >= NEIGHBOUR_FRAMES
    }

    /// Whether it wakes what it touches.
    pub fn is_restless(&self) -> bool {
        !self.asleep && (self.driven || self.calm == 0)
    }
}
