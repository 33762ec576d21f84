//! Bodies that crack by themselves.

mod griffith;
mod handover;
pub mod hanging;
mod laws;
mod nucleus;
mod state;
