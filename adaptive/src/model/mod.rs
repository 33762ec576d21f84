//! The simulated model: its state, its frames, and its interface for viewers.

mod adaptive_model;
mod co_stepping;
mod construction;
mod cut_body;
mod cutting;
mod deformable;
mod divergence;
pub mod inspect;
mod level_frame;
pub(crate) mod node_vectors;
mod prepared_level;
mod snapshot;
mod subcycling;

pub use adaptive_model::{AdaptiveModel, KIND};
