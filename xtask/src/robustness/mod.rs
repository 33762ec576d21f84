//! Occasional checks that need a separate build: line coverage of the tests, memory accesses of unsafe code, bakes by several processes.

pub mod compiler;
pub mod coverage;
mod lines;
pub mod mpi;
pub mod sanitize;
