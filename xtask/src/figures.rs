//! Figures of the papers with our numbers, which examples write to a folder, and the abuse of the lattice.

use std::path::PathBuf;

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

/// Makes the figures of one method, or of all of them one after the other; `words` are its name, and `quick` for smaller bodies and shorter timings.
pub fn run(words: &[String]) -> Outcome {
    let (methods, quick) = chosen(words)?;
    let mut folders = Vec::new();
    for method in methods {
        folders.push(of_method(method, quick)?);
    }
    for folder in folders {
        println!("{}", folder.display());
    }
    Ok(())
}

/// Which methods, and whether quick.
fn chosen(words: &[String]) -> Result<(Vec<&'static str>, bool), String> {
    let known: Vec<&'static str> = KNOWN.iter().map(|k| k.0).collect();
    let (name, quick) = match words {
        [] => (None, false),
        [quick] if quick == "quick" => (None, true),
        [name] => (Some(name), false),
        [name, quick] if quick == "quick" => (Some(name), true),
        _ => return Err("figures takes a method and maybe `quick`".into()),
    };
    let Some(name) = name else {
        return Ok((known, quick));
    };
    match known.iter().find(|k| *k == name) {
        Some(method) => Ok((vec![*method], quick)),
        None => Err(format!(
            "there are no figures of `{name}`; known: {}",
            known.join(", ")
        )),
    }
}

/// Makes the figures of a method in a folder below the target folder.
pub fn of_method(name: &str, quick: bool) -> Result<PathBuf, String> {
    let folder = fresh_folder(&format!("figures-{name}"))?;
    let examples = KNOWN.iter().filter(|k| k.0 == name).flat_map(|k| k.1);
    for [package, example] in examples {
        let mut command = cargo(&format!(
            "run --release -p {package} --example {example} --"
        ));
        command.arg(&folder);
        if quick {
            command.arg("quick");
        }
        step(example, &mut command)?;
    }
    Ok(folder)
}

/// Runs bodies through abuse, each of the 16 cases for 100,000 steps or as many as said.
pub fn abuse(words: &[String]) -> Outcome {
    let mut command = cargo("run --release -p pliant-lattice --example abuse --");
    step("abuse", command.args(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_name_all_methods_are_drawn() {
        let words =
            |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_string).collect() };
        let all: Vec<&str> = KNOWN.iter().map(|k| k.0).collect();
        assert_eq!(chosen(&words("")), Ok((all.clone(), false)));
        assert_eq!(chosen(&words("quick")), Ok((all, true)));
        assert_eq!(chosen(&words("lattice")), Ok((vec!["lattice"], false)));
        assert_eq!(chosen(&words("lattice quick")), Ok((vec!["lattice"], true)));
        assert!(
            chosen(&words("latice"))
                .is_err_and(|e| e.contains("`latice`") && e.contains("wavelets"))
        );
        assert!(chosen(&words("lattice slow")).is_err());
    }
}
