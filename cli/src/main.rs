//! The program `pliant`: arguments in, exit code out, nothing else.

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
