//! Laws of fracture.

mod blades;
mod bodies;
mod closed;
mod debris;
mod regions;
