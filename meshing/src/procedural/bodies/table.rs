//! The table of all bodies.

use super::{bear, buddha, dragon, infant, organs, penguin, rabbit, simple, things, torso};
use crate::procedural::model::Model;
use Shape::{Cells, Skin};

/// What a body is made from.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// Structured cells, with these sides unless others are asked for, m.
    Cells([f64; 3]),
    /// The signed distance function of this model.
    Skin(fn() -> Model),
}

/// All bodies.
pub(crate) const BODIES: [(&str, Shape); 18] = [
    ("box", Cells([1.0, 1.0, 1.0])),
    ("bar", Cells([1.0, 0.25, 0.25])),
    ("sphere", Skin(simple::ball)),
    ("torus", Skin(simple::torus)),
    ("nodule", Skin(simple::nodule)),
    ("octahedron", Skin(simple::octahedron)),
    ("kidney", Skin(organs::kidney)),
    ("liver", Skin(organs::liver)),
    ("fingertip", Skin(organs::fingertip)),
    ("torso", Skin(torso::torso)),
    ("spatula", Skin(things::spatula)),
    ("banana_seat", Skin(things::banana_seat)),
    ("rabbit", Skin(rabbit::rabbit)),
    ("bear", Skin(bear::bear)),
    ("penguin", Skin(penguin::penguin)),
    ("dragon", Skin(dragon::dragon)),
    ("buddha", Skin(buddha::buddha)),
    ("infant", Skin(infant::infant)),
];

/// Names of all bodies.
pub fn names() -> &'static [&'static str] {
    const NAMES: [&str; BODIES.len()] = {
        let mut names = [""; BODIES.len()];
        let mut k = 0;
        while k < BODIES.len() {
            names[k] = BODIES[k].0;
            k += 1;
        }
        names
    };
    &NAMES
}
