//! The table of skinned bodies.

use super::{bear, buddha, dragon, infant, organs, penguin, rabbit, simple, things, torso};
use crate::procedural::model::Model;

/// The model of a skinned body; a ball for names that have none.
pub(crate) fn model(name: &str) -> Model {
    match name {
        "torus" => simple::torus(),
        "nodule" => simple::nodule(),
        "octahedron" => simple::octahedron(),
        "kidney" => organs::kidney(),
        "liver" => organs::liver(),
        "fingertip" => organs::fingertip(),
        "torso" => torso::torso(),
        "spatula" => things::spatula(),
        "banana_seat" => things::banana_seat(),
        "rabbit" => rabbit::rabbit(),
        "bear" => bear::bear(),
        "penguin" => penguin::penguin(),
        "dragon" => dragon::dragon(),
        "buddha" => buddha::buddha(),
        "infant" => infant::infant(),
        _ => simple::ball(),
    }
}
