//! Commands that run an example or a test of a crate and show its output.

use crate::step::{Outcome, cargo, example, step};

/// `cargo xtask cutting`: the frame times of bodies that blades cut, and whether their surfaces are closed. Runs the bundled scenes with blades, or the method and scenes in `arguments`.
pub fn cutting(arguments: &[String]) -> Outcome {
    run("pliant-simulation", "cutting", arguments, "a scene failed")
}

/// `cargo xtask soak`: long random use of all methods, with memory and frame times for each minute.
pub fn soak(minutes: u32) -> Outcome {
    run(
        "pliant-benches",
        "soak",
        &[minutes.to_string()],
        "memory grows, frames become slower, or a world could not be built",
    )
}

/// `cargo xtask abuse`: scrambles, collapses, flattens and mirrors lattices, then releases them, each for `steps` steps.
pub fn abuse(steps: usize) -> Outcome {
    let mut command = cargo("test --release -p pliant-lattice --lib abused_bodies -- --nocapture");
    step("abuse", command.env("PLIANT_LONG_ABUSE", steps.to_string()))
}

/// Runs an example and shows its output; `failed` is the error text if it fails.
pub fn run(package: &str, name: &str, arguments: &[String], failed: &str) -> Outcome {
    let status = example(package, name).args(arguments).status();
    let status = status.map_err(|e| format!("{name}: {e}"))?;
    status.success().then_some(()).ok_or(failed.into())
}
