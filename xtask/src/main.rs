//! Development tasks, each run by one command. `cargo xtask --help` lists them.

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

use clap::Parser;

use robustness::{coverage, mpi, sanitize};
use step::Outcome;

/// Development tasks, each run by one command
#[derive(Parser)]
#[command(name = "xtask", bin_name = "cargo xtask", max_term_width = 100)]
enum Task {
    /// Run the steps of the continuous integration
    Ci {
        /// Leave out the groups that need further tools on this machine
        #[arg(long)]
        no_tools: bool,
        /// Also test the numeric crates with overflow checks, and build the program without the window
        #[arg(long)]
        full: bool,
    },
    /// Look for import cycles, large files and folders, dead links, and crates that could not be published
    Structure,
    /// Feed damaged files to the readers
    Fuzz(fuzz::Options),
    /// Use all methods at random for a long time, with memory and frame times for each minute
    Soak {
        /// How long
        #[arg(long, value_name = "N", default_value = "30", value_parser = clap::value_parser!(u32).range(1..))]
        minutes: u32,
    },
    /// Scramble, collapse, flatten and mirror lattices, then release them
    Abuse {
        /// Steps of each
        #[arg(default_value = "100000")]
        steps: usize,
    },
    /// Test bakes by several processes
    Mpi,
    /// Test the Python bindings
    Python,
    /// Draw figures of the papers with our numbers
    Figures {
        /// A method, or all; `quick` takes smaller bodies and shorter timings
        #[arg(value_parser = figures::words())]
        method: Option<String>,
        /// Smaller bodies and shorter timings
        #[arg(value_parser = ["quick"])]
        quick: Option<String>,
    },
    /// Make the pictures of the documents
    Pictures {
        /// Make some of them
        #[arg(value_parser = ["scenes", "book"])]
        part: Option<String>,
    },
    /// Measure the table of docs/accuracy.md, or print the table of given bodies
    Accuracy {
        /// `chart` draws the picture alone; else seconds and mesh files
        arguments: Vec<String>,
    },
    /// Confirm the advice on five bodies: the other table of docs/accuracy.md
    Advice,
    /// Measure the table of docs/performance.md
    BenchTable(tables::performance::Options),
    /// Measure frames of bodies that are cut, and look whether their surfaces are closed
    Cutting {
        /// A method and scenes; all bundled scenes with blades if none is given
        arguments: Vec<String>,
    },
    /// Count the lines that tests run
    Coverage {
        /// Report on the profiles that are there
        #[arg(long)]
        report: bool,
    },
    /// Run unsafe code under AddressSanitizer
    Sanitize {
        /// Leave out the window
        #[arg(long)]
        no_window: bool,
    },
    /// Write the header of the C interface
    Header,
    /// Make the packages of a release
    Dist {
        /// Profile of cargo
        #[arg(long, value_name = "NAME", default_value = dist::PROFILE)]
        profile: String,
    },
    /// Build the window as a web page
    Web {
        /// Further arguments for cargo
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Pack every crate as for a registry
    Package {
        /// Build each crate from its package, too
        #[arg(long)]
        build: bool,
    },
}

fn main() -> ExitCode {
    match run(&Task::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: &Task) -> Outcome {
    match task {
        Task::Ci { no_tools, full } => ci::run(*no_tools, *full),
        Task::Structure => structure::run(),
        Task::Fuzz(options) => fuzz::run(options),
        Task::Soak { minutes } => examples::soak(*minutes),
        Task::Abuse { steps } => examples::abuse(*steps),
        Task::Mpi => mpi::run(),
        Task::Python => packages::python::run(),
        Task::Figures { method, quick } => figures::run(method.as_deref(), quick.is_some()),
        Task::Pictures { part } => pictures::run(part.as_deref()),
        Task::Accuracy { arguments } => tables::accuracy::run(arguments),
        Task::Advice => tables::advice::run(),
        Task::BenchTable(options) => tables::performance::run(options),
        Task::Cutting { arguments } => examples::cutting(arguments),
        Task::Coverage { report } => coverage::run(*report),
        Task::Sanitize { no_window } => sanitize::run(*no_window),
        Task::Header => header::run(),
        Task::Dist { profile } => dist::run(profile),
        Task::Web { arguments } => packages::web::run(arguments, ""),
        Task::Package { build } => packages::crates::run(*build),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn arguments_are_understood_or_refused() {
        Task::command().debug_assert();
        let is_understood = |line: &str| {
            let words = ["xtask"].into_iter().chain(line.split_whitespace());
            Task::try_parse_from(words).is_ok()
        };
        for line in [
            "ci --full --no-tools",
            "fuzz vtu --seconds 5 --seed=7",
            "figures quick",
            "figures lattice quick",
            "accuracy 5 a.stl",
            "advice",
            "bench-table --check polar",
            "dist --profile release",
            "web --offline -v",
        ] {
            assert!(is_understood(line), "{line}");
        }
        for line in [
            "",
            "ci --fast",
            "structure now",
            "fuzz vtu off",
            "fuzz --seconds soon",
            "soak --minutes 0",
            "abuse often",
            "figures latice",
            "figures lattice slow",
            "pictures window",
            "advice poke",
            "bench-table polar",
        ] {
            assert!(!is_understood(line), "{line}");
        }
    }
}
