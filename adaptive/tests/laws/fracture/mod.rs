//! Bodies that crack by themselves.

mod griffith;
pub mod hanging;
mod laws;
mod nucleus;
mod state;
