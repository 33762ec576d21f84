//! Figures of the papers with our numbers: each solver's crate has an example `figures` that writes them to a folder.

use crate::step::{Outcome, cargo, fresh_folder, step};

/// Crates that have one.
const KNOWN: [&str; 1] = ["lattice"];

/// Makes the figures of a method in a folder below the target folder.
pub fn run(name: &str) -> Outcome {
    if !KNOWN.contains(&name) {
        return Err(format!(
            "there are no figures of `{name}`; known: {}",
            KNOWN.join(", ")
        ));
    }
    let folder = fresh_folder(&format!("figures-{name}"))?;
    let mut example = cargo(&format!(
        "run --release -p pliant-{name} --example figures --"
    ));
    step(name, example.arg(&folder))?;
    println!("{}", folder.display());
    Ok(())
}
