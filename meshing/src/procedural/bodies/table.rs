//! The table of skinned bodies.

use super::{buddha, dragon, infant, organs, penguin, rabbit, simple, things};
use crate::procedural::model::Model;

/// The model of a skinned body; a ball for names that have none.
pub(crate) fn model(name: &str) -> Model {
    match name {
        "torus" => simple::torus(),
        "nodule" => simple::nodule(),
        "kidney" => organs::kidney(),
        "liver" => organs::liver(),
        "spatula" => things::spatula(),
        "banana_seat" => things::banana_seat(),
        "rabbit" => rabbit::rabbit(),
        "penguin" => penguin::penguin(),
        "dragon" => dragon::dragon(),
        "buddha" => buddha::buddha(),
        "infant" => infant::infant(),
        _ => simple::ball(),
    }
}
