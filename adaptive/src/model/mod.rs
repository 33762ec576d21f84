//! The model that moves: its state, its frames, and what viewers see of it.

mod adaptive_model;
mod co_stepping;
mod cut_body;
mod divergence;
pub mod inspect;
mod level_frame;
mod snapshot;

pub(crate) use adaptive_model::prepare;
pub use adaptive_model::{AdaptiveModel, KIND};
