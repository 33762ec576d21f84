//! Laws of fracture.

mod blades;
mod bodies;
mod debris;
mod regions;
