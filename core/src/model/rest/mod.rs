//! When something at rest is left alone, and what wakes it: the rules for bodies of a group and for pieces of a cut or broken body.
//!
//! Lengths are shares of a spacing: of the contact points of a body, of the nodes of a piece.
//!
//! A piece sleeps that nothing holds, that was slower than a hundredth of a spacing a frame for half a second, that something bears, and whose neighbours are calm as well. Its nodes have no velocity and
//! give way to nothing. It bears on the tools below it as in its last frame. It wakes when a tool that moves touches it, when what bore it is gone, when a hand or a load takes hold of it, when another piece
//! hits it, moves while it touches it or goes away from it, when it is cut or breaks, and when gravity or a parameter changes.

mod bearings;
mod piece;
mod pieces;
mod rule;
mod saved;

pub use pieces::{PieceMotion, PieceSleep, Scale};
pub use rule::{
    Approach, CALM, CALM_FRAMES, MOST_CALM_FRAMES, NEIGHBOUR_FRAMES, TOUCHING, calm_frames,
};
pub use saved::SavedSleep;
