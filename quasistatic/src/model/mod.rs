//! The running model: one boundary value problem a frame.

mod blend;
mod coarse_frame;
mod column_threshold;
mod constraint_level;
mod deformable;
mod frame;
mod inside_loads;
mod inspect;
mod local_model;
mod quasistatic_model;
mod rest_load;
mod snapshot;
mod state;

pub use quasistatic_model::QuasistaticModel;
