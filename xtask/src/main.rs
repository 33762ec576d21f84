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

use robustness::{coverage, sanitize};

const USAGE: &str = "subcommands: ci [--no-tools] [--full], fuzz [READER] [--seconds N] [--seed N], figures [METHOD] [quick], accuracy [chart | SECONDS] [MESH ...], bench-table [--papers | --check [KERNEL ...]], coverage [--report], cutting [METHOD] [SCENE ...], abuse [STEPS], dist [--profile NAME], header, mpi, package [--build], pictures [scenes | book], python, sanitize [--no-window], soak [--minutes N], structure, web [CARGO ARGUMENTS]";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match words.split_first() {
        Some((word, rest)) if word == "ci" => ci::Options::read(rest).and_then(|o| ci::run(&o)),
        Some((word, rest)) if word == "fuzz" => {
            fuzz::Options::read(rest).and_then(|o| fuzz::run(&o))
        }
        Some((word, rest)) if word == "dist" => {
            dist::Options::read(rest).and_then(|o| dist::run(&o))
        }
        Some((word, rest)) if word == "coverage" => {
            coverage::Options::read(rest).and_then(|o| coverage::run(&o))
        }
        Some((word, rest)) if word == "sanitize" => {
            sanitize::Options::read(rest).and_then(|o| sanitize::run(&o))
        }
        Some((word, [])) if word == "header" => header::run(),
        Some((word, [])) if word == "mpi" => robustness::mpi::run(),
        Some((word, [])) if word == "structure" => structure::run(),
        Some((word, [])) if word == "pictures" => pictures::run(),
        Some((word, [of])) if word == "pictures" && of == "scenes" => pictures::scenes(),
        Some((word, [of])) if word == "pictures" && of == "book" => pictures::book::make(),
        Some((word, rest)) if word == "package" => packages::crates::run(rest),
        Some((word, [])) if word == "python" => packages::python::run(),
        Some((word, rest)) if word == "figures" => figures::run(rest),
        Some((word, rest)) if word == "accuracy" => tables::accuracy::run(rest),
        Some((word, rest)) if word == "bench-table" => {
            tables::performance::Options::read(rest).and_then(|o| tables::performance::run(&o))
        }
        Some((word, rest)) if word == "cutting" => examples::cutting(rest),
        Some((word, rest)) if word == "soak" => examples::soak(rest),
        Some((word, rest)) if word == "web" => packages::web::run(rest, ""),
        Some((word, rest)) if word == "abuse" => examples::abuse(rest),
        Some((word, _)) => Err(format!("cargo xtask cannot do `{word}`; {USAGE}")),
        None => Err(USAGE.to_string()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
