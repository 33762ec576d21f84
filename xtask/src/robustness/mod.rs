//! What is looked at now and then, because it takes a build of its own: lines that the tests reach, memory that unsafe code touches, bakes by several processes.

pub mod compiler;
pub mod coverage;
mod lines;
pub mod mpi;
pub mod sanitize;
