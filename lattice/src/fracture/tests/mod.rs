//! Laws of fracture.

mod bodies;
mod regions;
