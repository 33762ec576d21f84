//! Bodies that crack by themselves.

mod griffith;
mod laws;
mod nucleus;
mod state;
