//! Laws of fracture.

mod bodies;
mod debris;
mod regions;
