//! Laws that the whole method obeys, and the shapes that tests share.

pub(crate) mod bodies;
mod groups;
mod laws;
mod precision;
mod robustness;
pub(crate) mod stiffness;
mod variants;
