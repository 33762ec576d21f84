//! The context of every command.

use std::ffi::OsStr;

use pliant_core::asset::Progress;
use pliant_simulation::cache::AssetCache;
use pliant_simulation::scenes::{LoadedScene, load};
use pliant_simulation::setup::{Setup, prepare};

use crate::args::Import;
use crate::failure::Failure;
use crate::options::refuse_import;
use crate::output::Output;
use crate::recording_file::refuse_recording;

/// Output, cancellation, cache and options of one run of the program.
pub struct Session {
    /// Output of results.
    pub output: Output,
    /// Cancelled by Ctrl-C.
    pub progress: Progress,
    /// Baked assets.
    pub cache: AssetCache,
    /// Number of threads from the command line.
    pub threads: Option<usize>,
    /// Seed that replaces that of scenes.
    pub seed: Option<u64>,
    /// Vector instructions from the command line.
    pub simd: String,
}

impl Session {
    /// The common options that results depend on, as words of a command that repeats a run.
    pub fn repeat_options(&self) -> impl Iterator<Item = String> {
        let seed = self.seed.map(|seed| format!("--seed {seed}"));
        let simd = (self.simd != "auto").then(|| format!("--simd {}", self.simd));
        seed.into_iter().chain(simd)
    }

    /// Loads a scene or wraps a mesh, as [`pliant_simulation::scenes::load`], with the seed from the command line.
    ///
    /// # Errors
    /// Those of loading; `IsARecording` for a file that is replayed, not run; `Usage` for options that only meshes have.
    pub fn load<S: AsRef<OsStr> + ?Sized>(
        &self,
        source: &S,
        args: &Import,
    ) -> Result<LoadedScene, Failure> {
        refuse_recording(source.as_ref())?;
        let mut loaded = load(source, &args.options())?;
        refuse_import(args, &loaded)?;
        if let Some(seed) = self.seed {
            loaded.description.seed = seed;
        }
        Ok(loaded)
    }

    /// Builds what all methods share, as [`prepare`]. Errors name the file or name of the scene.
    pub fn prepare(&self, scene: &LoadedScene) -> Result<Setup, Failure> {
        let setup = prepare(scene, &self.progress);
        setup.map_err(|error| Failure::from(error).within(&scene.origin))
    }
}

/// A word, in quotes if it has special characters of a shell.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:,+=@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
