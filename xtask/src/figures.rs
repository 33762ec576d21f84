//! Figures of the papers with our numbers, which examples write to a folder, and the abuse of the lattice.

use crate::step::{Outcome, cargo, fresh_folder, step};

/// Methods that have figures: each with the packages and examples that draw them.
const KNOWN: [(&str, &[[&str; 2]]); 4] = [
    ("adaptive", &[["pliant-simulation", "adaptive_figures"]]),
    (
        "lattice",
        &[
            ["pliant-lattice", "cost_figures"],
            ["pliant-simulation", "lattice_figures"],
        ],
    ),
    (
        "quasistatic",
        &[["pliant-quasistatic", "quasistatic_figures"]],
    ),
    ("wavelets", &[["pliant-quasistatic", "wavelet_figures"]]),
];

/// Makes the figures of a method in a folder below the target folder; `words` are its name, and `quick` for smaller bodies and shorter timings.
pub fn run(words: &[String]) -> Outcome {
    let known: Vec<&str> = KNOWN.iter().map(|k| k.0).collect();
    let (name, quick) = match words {
        [name] => (name, false),
        [name, quick] if quick == "quick" => (name, true),
        _ => {
            return Err(format!(
                "figures needs {} and maybe `quick`",
                known.join(", ")
            ));
        }
    };
    let Some((_, examples)) = KNOWN.iter().find(|k| k.0 == name) else {
        return Err(format!(
            "there are no figures of `{name}`; known: {}",
            known.join(", ")
        ));
    };
    let folder = fresh_folder(&format!("figures-{name}"))?;
    for [package, example] in *examples {
        let mut command = cargo(&format!(
            "run --release -p {package} --example {example} --"
        ));
        command.arg(&folder);
        if quick {
            command.arg("quick");
        }
        step(example, &mut command)?;
    }
    println!("{}", folder.display());
    Ok(())
}

/// Runs bodies through abuse, each of the 16 cases for 100,000 steps or as many as said.
pub fn abuse(words: &[String]) -> Outcome {
    let mut command = cargo("run --release -p pliant-lattice --example abuse --");
    step("abuse", command.args(words))
}
