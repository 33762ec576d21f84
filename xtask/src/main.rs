//! One-command loops: `cargo xtask ci` does what the continuous integration does, `cargo xtask fuzz` feeds damaged files to the
//! mesh readers, `cargo xtask figures` draws figures of the papers with our numbers, `cargo xtask accuracy` compares every method with the reference, `cargo xtask bench-table` times the kernels, `cargo xtask cutting` measures frames of bodies that are cut, `cargo xtask abuse` mistreats lattices, `cargo xtask mpi` bakes by
//! several processes, `cargo xtask structure` looks for circles of imports, `cargo xtask pictures` makes the pictures of the documents,
//! `cargo xtask python` tests the Python bindings, `cargo xtask header` writes the header of the C interface, `cargo xtask dist` makes archives, a wheel and a page for people who do not compile, `cargo xtask package` packs every crate as a registry gets it, `cargo xtask soak` uses all methods at random for a long time.
//! `cargo xtask web` builds the page of a browser, `cargo xtask coverage` counts the lines that tests run, `cargo xtask sanitize` watches unsafe code.

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

const USAGE: &str = "subcommands: ci [--no-tools] [--full], fuzz [READER] [--seconds N] [--seed N], figures METHOD [quick], accuracy [SECONDS] [MESH ...], bench-table [--check [KERNEL ...]], coverage [--report], cutting [METHOD] [SCENE ...], abuse [STEPS], dist [--profile NAME], header, mpi, package [--build], pictures [scenes], python, sanitize [--no-window], soak [--minutes N], structure, web [CARGO ARGUMENTS]";

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
        Some((word, rest)) if word == "abuse" => figures::abuse(rest),
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
