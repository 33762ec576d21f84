//! Several bodies in one group.

mod bodies;
mod cut_faces;
mod drawn;
mod kinds;
