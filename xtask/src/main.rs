//! Development tasks, each run by one command. `cargo xtask` without arguments lists them.
//!
//! | command | does |
//! |---|---|
//! | `ci` | runs the steps of the continuous integration |
//! | `structure` | looks for import cycles, large files and folders, dead links, crates that could not be published |
//! | `fuzz` | feeds damaged files to the readers |
//! | `soak`, `abuse` | uses all methods at random for a long time; deforms lattices to extremes |
//! | `mpi`, `python` | tests bakes by several processes; tests the Python bindings |
//! | `figures` | draws figures of the papers with our numbers |
//! | `pictures` | makes the pictures of the documents, with `scenes` or `book` some of them |
//! | `accuracy`, `bench-table` | measure the tables of `docs/accuracy.md` and `docs/performance.md` anew |
//! | `cutting` | measures frames of bodies that are cut |
//! | `coverage`, `sanitize` | counts the lines that tests run; runs unsafe code under AddressSanitizer |
//! | `header` | writes the header of the C interface |
//! | `dist`, `web`, `package` | make the distribution, the page for a browser, and the packages for a registry |

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
use step::arguments::no_arguments;

/// Name, synopsis of the arguments, and function.
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
    ("header", "", |arguments| {
        no_arguments(arguments, header::run)
    }),
    ("mpi", "", |arguments| no_arguments(arguments, mpi::run)),
    ("package", "[--build]", packages::crates::run),
    ("pictures", "[scenes | book]", pictures::run),
    ("python", "", |arguments| {
        no_arguments(arguments, packages::python::run)
    }),
    ("sanitize", "[--no-window]", sanitize::run),
    ("soak", "[--minutes N]", examples::soak),
    ("structure", "", |arguments| {
        no_arguments(arguments, structure::run)
    }),
    ("web", "[CARGO ARGUMENTS]", |arguments| {
        packages::web::run(arguments, "")
    }),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Outcome {
    let all =
        SUBCOMMANDS.map(|(name, synopsis, _)| format!("{name} {synopsis}").trim().to_string());
    let usage = format!("subcommands: {}", all.join(", "));
    let Some((name, rest)) = arguments.split_first() else {
        return Err(usage);
    };
    match SUBCOMMANDS.iter().find(|subcommand| subcommand.0 == name) {
        Some((_, _, run)) => run(rest),
        None => Err(format!("cargo xtask cannot do `{name}`; {usage}")),
    }
}
