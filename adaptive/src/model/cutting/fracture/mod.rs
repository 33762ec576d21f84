//! Fracture: cracks in a level by its own stress.
//!
//! ```text
//! stress at nodes → a new crack ┐
//!                               ├→ cut edges, as by a blade
//! front of a crack → energy that its growth releases → growth ┘
//! ```
//!
//! Stress decides where a crack starts (O'Brien, Hodgins 1999), the energy release rate whether it grows (Griffith 1921), by the integral over a domain around the front
//! (Li, Shih, Needleman 1985). At the last ligament stress decides as well. Both cut edges of tetrahedra along a plane across the largest tension.

mod elements;
mod frame;
mod front;
mod growth;
mod ligament;
mod near_breaking;
mod nucleus;
pub(crate) mod state;
mod tips;
