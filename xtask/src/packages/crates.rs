//! `cargo xtask package`: every crate of ours as a registry would get it.

use crate::step::arguments::flags;
use crate::step::{Outcome, cargo, step};

/// Publishes to nowhere. Crates find each other in what is packed, not in the registry.
const PUBLISH: &str = "publish --workspace --dry-run --locked --allow-dirty";

/// Packs all crates that are published, and asks the registry whether it would take them; with `--build` each is also compiled from what was packed.
pub fn run(arguments: &[String]) -> Outcome {
    let [builds] = flags("package", arguments, ["--build"])?;
    let mut command = cargo(PUBLISH);
    if !builds {
        command.arg("--no-verify");
    }
    step("crates as a registry gets them", &mut command)
}
