//! The program `pliant`: arguments in, exit code out, nothing else.

mod accuracy;
mod args;
mod bench;
mod check;
mod compare;
mod curves;
mod display;
mod doctor;
mod failure;
mod foreign_columns;
mod gf;
#[cfg(feature = "mpi")]
mod gf_mpi;
#[cfg(not(feature = "mpi"))]
#[path = "gf_alone.rs"]
mod gf_mpi;
mod mesh;
mod metrics;
mod oscillate;
mod out_folder;
mod output;
mod paced;
mod pictures;
mod processor_time;
mod rebase;
mod remesh;
mod report;
mod run;
mod scenes;
mod servo;
mod session;
mod solve;
mod tally;
mod view;
mod voxelise;

use std::process::ExitCode;

fn main() -> ExitCode {
    session::quiet_panics();
    ExitCode::from(session::main(std::env::args_os().collect()))
}
