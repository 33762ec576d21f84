//! Laws of fracture.

mod blades;
mod bodies;
mod closed;
mod contact;
mod debris;
mod regions;
mod sleep;
