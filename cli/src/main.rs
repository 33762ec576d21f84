//! The program `pliant`: arguments in, exit code out, nothing else.
//!
//! | feature | default | gives |
//! |---|---|---|
//! | `viewer` | on | the window; without it the program still does everything that needs no window |
//! | `mpi` | off | `pliant gf --mpi`; needs an MPI, its headers and libclang to build |
//!
//! Needs Rust 1.95 or newer.

mod args;
mod commands;
mod failure;
mod machine;
mod options;
mod output;
mod program;
mod recording_file;
mod report;
mod session;

use std::process::ExitCode;

fn main() -> ExitCode {
    program::quiet_panics();
    ExitCode::from(program::main(std::env::args_os().collect()))
}
