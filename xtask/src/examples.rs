//! Commands that run an example or a test of a crate and show its output.

use crate::step::{Outcome, cargo, example, step};

/// `cargo xtask cutting`: the frame times of bodies that blades cut, and whether their surfaces are closed. Runs the bundled scenes with blades, or the method and scenes in `arguments`.
pub fn cutting(arguments: &[String]) -> Outcome {
    run("pliant-simulation", "cutting", arguments, "a scene failed")
}

/// `cargo xtask soak`: long random use of all methods, with memory and frame times for each minute.
pub fn soak(arguments: &[String]) -> Outcome {
    let minutes = match arguments {
        [] => "30".to_string(),
        [option, minutes]
            if option == "--minutes" && minutes.parse::<u32>().is_ok_and(|m| m > 0) =>
        {
            minutes.clone()
        }
        _ => return Err("`cargo xtask soak` has --minutes N alone, with N above 0".into()),
    };
    run(
        "pliant-benches",
        "soak",
        &[minutes],
        "memory grows, frames become slower, or a world could not be built",
    )
}

/// `cargo xtask abuse`: scrambles, collapses, flattens and mirrors lattices, then releases them, each for 100,000 steps or the given number.
pub fn abuse(arguments: &[String]) -> Outcome {
    let steps = match arguments {
        [] => "100000",
        [steps] if steps.parse::<usize>().is_ok() => steps.as_str(),
        _ => return Err("`cargo xtask abuse` takes a number of steps".into()),
    };
    let mut command = cargo("test --release -p pliant-lattice --lib abused_bodies -- --nocapture");
    step("abuse", command.env("PLIANT_LONG_ABUSE", steps))
}

/// Runs an example and shows its output; `failed` is the error text if it fails.
pub fn run(package: &str, name: &str, arguments: &[String], failed: &str) -> Outcome {
    let status = example(package, name).args(arguments).status();
    let status = status.map_err(|e| format!("{name}: {e}"))?;
    status.success().then_some(()).ok_or(failed.into())
}

#[cfg(test)]
mod tests {
    use super::soak;

    #[test]
    fn minutes_are_a_number_above_zero() {
        for arguments in [&["--minutes", "0"][..], &["--minutes"], &["30"]] {
            let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            assert!(soak(&arguments).is_err_and(|e| e.contains("--minutes")));
        }
    }
}
