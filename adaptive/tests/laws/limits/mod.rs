//! Behaviour under a small budget and in failed frames.

mod degradation_levels;
pub mod fallback_hold;
pub mod inverted_element_recovery;
mod missing_vertex;
mod selective_mass_scaling;
