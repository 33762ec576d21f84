//! One-command loops. `cargo xtask` alone lists them.
//!
//! | command | does |
//! |---|---|
//! | `ci` | what the continuous integration does |
//! | `structure` | looks for circles of imports, large files and folders, dead links, crates that could not be published |
//! | `fuzz` | feeds damaged files to the readers |
//! | `soak`, `abuse` | uses all methods at random for a long time; mistreats lattices |
//! | `mpi`, `python` | bakes by several processes; tests the Python bindings |
//! | `figures` | draws figures of the papers with our numbers |
//! | `pictures` | makes the pictures of the documents, with `scenes` or `book` some of them |
//! | `accuracy`, `bench-table` | measure the tables of `docs/accuracy.md` and `docs/performance.md` anew |
//! | `cutting` | measures frames of bodies that are cut |
//! | `coverage`, `sanitize` | counts the lines that tests run; watches unsafe code |
//! | `header` | writes the header of the C interface |
//! | `dist`, `web`, `package` | make what people install, the page of a browser, and what a registry gets |

mod ci;
mod dist;
mod examples;
mod figures;
mod fuzz;
mod header;
mod packages;
mod pictures;
mod robustness;
mod step;
mod structure;
mod tables;
mod tools;

use std::process::ExitCode;

use robustness::{coverage, mpi, sanitize};
use step::Outcome;
use step::words::alone;

/// Name, what may stand behind it, and what runs it.
type Subcommand = (&'static str, &'static str, fn(&[String]) -> Outcome);

const SUBCOMMANDS: [Subcommand; 18] = [
    ("ci", "[--no-tools] [--full]", ci::run),
    ("fuzz", "[READER] [--seconds N] [--seed N]", fuzz::run),
    ("figures", "[METHOD] [quick]", figures::run),
    (
        "accuracy",
        "[chart | SECONDS] [MESH ...]",
        tables::accuracy::run,
    ),
    (
        "bench-table",
        "[--papers | --check [KERNEL ...]]",
        tables::performance::run,
    ),
    ("coverage", "[--report]", coverage::run),
    ("cutting", "[METHOD] [SCENE ...]", examples::cutting),
    ("abuse", "[STEPS]", examples::abuse),
    ("dist", "[--profile NAME]", dist::run),
    ("header", "", |words| alone(words, header::run)),
    ("mpi", "", |words| alone(words, mpi::run)),
    ("package", "[--build]", packages::crates::run),
    ("pictures", "[scenes | book]", pictures::run),
    ("python", "", |words| alone(words, packages::python::run)),
    ("sanitize", "[--no-window]", sanitize::run),
    ("soak", "[--minutes N]", examples::soak),
    ("structure", "", |words| alone(words, structure::run)),
    ("web", "[CARGO ARGUMENTS]", |words| {
        packages::web::run(words, "")
    }),
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[String]) -> Outcome {
    let all = SUBCOMMANDS.map(|(name, behind, _)| format!("{name} {behind}").trim().to_string());
    let usage = format!("subcommands: {}", all.join(", "));
    let Some((name, rest)) = words.split_first() else {
        return Err(usage);
    };
    match SUBCOMMANDS.iter().find(|known| known.0 == name) {
        Some((_, _, run)) => run(rest),
        None => Err(format!("cargo xtask cannot do `{name}`; {usage}")),
    }
}
