//! The command line.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Arg, Args, CommandFactory, Parser, Subcommand};
use pliant_core::diagnostics::nearest_name;
use pliant_meshing::procedural::names as bodies;
use pliant_simulation::scenes::BUNDLED;

mod advise;
mod greens;
mod import;
mod meshes;
mod recordings;
mod scenes;

pub use advise::Advise;
pub use greens::{Bake, Gf, Rebase, Servo, Solve};
pub use import::Import;
pub use meshes::{Check, Mesh, Remesh, Voxelise};
pub use recordings::{Export, Inspect, Record, Replay};
pub use scenes::{Bench, Compare, Oscillate, Run, Schema, View};

/// Real-time deformable bodies by three methods on one scene, side by side.
#[derive(Debug, Parser)]
#[command(
    name = "pliant",
    version,
    about,
    max_term_width = 100,
    subcommand_required = true
)]
pub struct Cli {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

/// Options that every command has.
#[derive(Debug, Clone, Default, Args)]
pub struct Common {
    /// Print one JSON object, or write it to FILE (with the equals sign); progress then goes to standard error
    #[arg(long, global = true, num_args = 0..=1, require_equals = true, default_missing_value = "-", value_name = "FILE")]
    pub json: Option<String>,
    /// Number of threads; results do not depend on it
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Seed of what is random in a scene (jitter of copies, `$POKES`), in place of the scene's `seed`; the window always takes the scene's
    #[arg(long, global = true, value_name = "N")]
    pub seed: Option<u64>,
    /// Folder of the cache of baked assets
    #[arg(long, global = true, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Bake everything again, and store nothing in the cache
    #[arg(long, global = true, conflicts_with = "cache")]
    pub no_cache: bool,
    /// Vector instructions: auto uses the widest that the processor has; portable uses none, which is
    /// slower, but adaptive and lattice then give the same bits on every machine
    #[arg(long, global = true, value_name = "LEVEL", default_value = "auto", value_parser = ["auto", "portable"])]
    pub simd: String,
    /// Print more messages; repeat the option for even more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Print neither progress nor remarks to standard error; the notes of a result stay
    #[arg(long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open the comparison viewer; `pliant` and `pliant SCENE or MESH` do the same
    View(View),
    /// Run the methods on one scene without a window and write a report
    Compare(Compare),
    /// Recommend a method and settings for a body, and give the reasons
    Advise(Advise),
    /// Run one method without a window and print its metrics
    Run(Run),
    /// Let the clamped cube of Debunne et al. 2001 oscillate, and check the results against tolerance bands
    Oscillate(Oscillate),
    /// Report the problems of a mesh, where they are, and whether they can be repaired
    Check(Check),
    /// Fill a mesh with tetrahedra, at several levels of detail
    Mesh(Mesh),
    /// Remesh a surface so that it has subdivision connectivity
    Remesh(Remesh),
    /// Fill a mesh with the voxels of the lattice method
    Voxelise(Voxelise),
    /// Bake the assets of a scene into the cache
    Bake(Bake),
    /// Compute Green's functions and write them to a file
    Gf(Gf),
    /// Solve one boundary value problem on Green's functions from a file
    Solve(Solve),
    /// Add or release a support of a baked body without baking again
    Rebase(Rebase),
    /// Run the 1 kHz loop of force feedback with a scripted, recorded or connected device
    Servo(Servo),
    /// Run a recording again, and compare each surface with the recorded one
    Replay(Replay),
    /// Export a recording to file formats of other programs
    Export(Export),
    /// Show what a recording or a baked file contains
    Inspect(Inspect),
    /// Time kernels, and compare them with the peak performance of this machine
    Bench(Bench),
    /// List the bundled scenes
    Scenes,
    /// Print the keys of a scene as JSON schema, for editors
    Schema(Schema),
    /// Show what this machine supports
    Doctor,
}

/// The parser of the command line. A negative number is a value, so that its option can report its range.
pub fn command() -> clap::Command {
    fn with_negative(arg: Arg) -> Arg {
        let takes = arg.get_long().is_some() && arg.get_action().takes_values();
        arg.allow_negative_numbers(takes)
    }
    let command = Cli::command().mut_args(with_negative);
    command.mut_subcommands(|command| command.mut_args(with_negative))
}

/// Index of the first word that is neither an option nor its value; `None` if help is requested before it.
fn first_word(typed: &[OsString]) -> Option<usize> {
    let all = Cli::command();
    let mut at = 1;
    while at < typed.len() {
        let word = typed[at].to_string_lossy();
        if ["-h", "--help", "-V", "--version"].contains(&&*word) {
            return None;
        }
        if !word.starts_with('-') || word == "-" || word == "--" {
            break;
        }
        at += if value_follows(&all, &word) { 2 } else { 1 };
    }
    Some(at)
}

/// Whether `option` is a common one or one of the viewer, and its value is a separate word.
fn value_follows(all: &clap::Command, option: &str) -> bool {
    let Some(name) = option.strip_prefix("--") else {
        return false;
    };
    let view = all.find_subcommand("view").into_iter();
    let of_view = view.flat_map(|view| view.get_arguments());
    let mut known = all.get_arguments().chain(of_view);
    known.any(|arg| {
        arg.get_long() == Some(name)
            && arg.get_action().takes_values()
            && !arg.is_require_equals_set()
    })
}

/// The command that was typed, or the word in its place; `None` without a word.
pub fn typed_command(typed: &[OsString]) -> Option<Cow<'_, str>> {
    let word = typed.get(first_word(typed)?)?;
    Some(word.to_string_lossy())
}

/// Names of the commands, including those that clap adds.
fn command_names(all: &clap::Command) -> impl Iterator<Item = &str> {
    let own = all.get_subcommands().map(clap::Command::get_name);
    own.chain(["help"])
}

/// The most similar command to a word that is neither a command nor anything that the viewer opens.
pub fn suggested_command(typed: &[OsString]) -> Option<(Cow<'_, str>, String)> {
    let word = typed_command(typed)?;
    let all = Cli::command();
    let commands: Vec<&str> = command_names(&all).collect();
    let mut known: Vec<&str> = BUNDLED.iter().map(|(name, _)| *name).collect();
    known.extend(bodies().iter().copied());
    known.extend(commands.iter().copied());
    if known.contains(&&*word) || word.contains(['.', '/', '\\']) || Path::new(&*word).exists() {
        return None;
    }
    let near = nearest_name(&word, known)?;
    commands.contains(&near).then(|| (word, near.to_string()))
}

/// Inserts `view` if no command was typed: `pliant`, `pliant bunny.stl` and `pliant --play bunny.stl` open the viewer.
pub fn with_default_command(mut typed: Vec<OsString>) -> Vec<OsString> {
    let Some(at) = first_word(&typed) else {
        return typed;
    };
    let all = Cli::command();
    let is_command = |word: &OsString| command_names(&all).any(|name| word == name);
    let known = typed.get(at).is_some_and(is_command);
    if !known {
        typed.insert(1.min(typed.len()), "view".into());
    }
    typed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(words: &[&str]) -> Vec<String> {
        with_default_command(words.iter().map(OsString::from).collect())
            .into_iter()
            .map(|w| w.to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn a_mesh_or_nothing_opens_the_viewer() {
        assert_eq!(filled(&["pliant"]), ["pliant", "view"]);
        assert_eq!(filled(&["pliant", "a.stl"]), ["pliant", "view", "a.stl"]);
        assert_eq!(
            filled(&["pliant", "--threads", "2", "a.stl"]),
            ["pliant", "view", "--threads", "2", "a.stl"]
        );
        assert_eq!(
            filled(&["pliant", "--json", "compare", "poke"]),
            ["pliant", "--json", "compare", "poke"]
        );
        assert_eq!(filled(&["pliant", "--help"]), ["pliant", "--help"]);
        assert_eq!(filled(&["pliant", "--play"]), ["pliant", "view", "--play"]);
    }

    #[test]
    fn a_misspelt_command_is_distinguished_from_input_of_the_viewer() {
        let meant = |words: &str| {
            let typed: Vec<OsString> = words.split(' ').map(OsString::from).collect();
            suggested_command(&typed).map(|(_, near)| near)
        };
        assert_eq!(meant("pliant comapre poke").as_deref(), Some("compare"));
        let run = meant("pliant --json Run poke --method lattice");
        assert_eq!(run.as_deref(), Some("run"));
        for fine in [
            "pliant",
            "pliant run poke",
            "pliant --up rum poke",
            "pliant poke",
            "pliant pokee",
            "pliant kidny",
            "pliant run.toml",
            "pliant nonsense",
        ] {
            assert_eq!(meant(fine), None, "{fine}");
        }
    }

    #[test]
    fn the_arguments_are_consistent() {
        command().debug_assert();
        let words = [
            "pliant",
            "run",
            "poke",
            "--method",
            "adaptive",
            "--budget-ms",
            "-4",
        ];
        assert!(command().try_get_matches_from(words).is_ok());
    }
}
