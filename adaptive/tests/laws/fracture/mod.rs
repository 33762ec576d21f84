//! Bodies that crack by themselves.

mod griffith;
mod hanging;
mod laws;
mod nucleus;
mod state;
