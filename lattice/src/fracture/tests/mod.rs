//! Laws of fracture.

mod blades;
mod bodies;
mod closed;
mod contact;
mod lips;
mod piece_contact;
mod planes;
mod regions;
mod sleep;
