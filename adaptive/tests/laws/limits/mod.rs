//! What happens where the budget ends or a frame fails.

mod degradation_levels;
mod fallback_hold;
pub mod inverted_element_recovery;
mod selective_mass_scaling;
