//! `cargo xtask package`: packs every crate of the workspace as for a registry.

use crate::step::{Outcome, cargo, step};

/// A dry run of publishing. Crates find each other among the packed ones, not in the registry.
const PUBLISH: &str = "publish --workspace --dry-run --locked --allow-dirty";

/// Packs all published crates and asks the registry whether it would accept them. With `--build` each is also compiled from its package.
pub fn run(builds: bool) -> Outcome {
    let mut command = cargo(PUBLISH);
    if !builds {
        command.arg("--no-verify");
    }
    step("crates as a registry gets them", &mut command)
}
