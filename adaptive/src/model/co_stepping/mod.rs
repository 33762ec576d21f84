//! Steps taken in turn with those of other bodies.

pub(crate) mod cut;
pub(crate) mod state;
mod stepped_model;
