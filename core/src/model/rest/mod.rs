//! Sleep of bodies and pieces at rest: the rules for bodies of a group and for pieces of a cut or broken body.
//!
//! Lengths are shares of a spacing: that of the contact points of a body, or of the nodes of a piece.
//!
//! A piece falls asleep if no support and no hand holds it, a tool or another piece carries it, it has moved by less than a hundredth of a spacing a frame for half a second, and its neighbours are at rest as well. Its nodes
//! then have no velocity and no inverse mass. Its forces on tools stay those of its last frame. It wakes when a moving tool touches it, when a tool that carried it is gone, when a hand or a load acts on it, when another piece
//! hits it, moves while it touches it or moves away from it, when it is cut or breaks, and when gravity or a parameter changes.

mod piece_state;
mod pieces;
mod resting_contacts;
mod rule;
mod saved;

pub use pieces::{PieceMotion, PieceSleep, Scale};
pub use rule::{
    Approach, FRAMES_BEFORE_SLEEP, MAX_REST_FRAMES, NEIGHBOUR_REST_FRAMES, REST_DISTANCE,
    TOUCHING_DISTANCE, count_rest_frames, max_rest_speed, rest_frames,
};
pub use saved::SavedSleep;
