//! What every command is given.

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
    /// Where results go.
    pub output: Output,
    /// Cancelled by Ctrl-C.
    pub progress: Progress,
    /// Baked assets.
    pub cache: AssetCache,
    /// Threads asked for.
    pub threads: Option<usize>,
    /// In place of that of scenes.
    pub seed: Option<u64>,
    /// Vector instructions, as the command line has them.
    pub simd: String,
}

impl Session {
    /// The options for all commands on which numbers depend, as words of a command that makes them again.
    pub fn again(&self) -> impl Iterator<Item = String> {
        let seed = self.seed.map(|seed| format!("--seed {seed}"));
        let simd = (self.simd != "auto").then(|| format!("--simd {}", self.simd));
        seed.into_iter().chain(simd)
    }

    /// Loads a scene or wraps a mesh, as [`pliant_simulation::scenes::load`], with the seed that was asked for.
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

    /// Builds what all methods share, as [`prepare`]. What is wrong is told with the file or name of the scene.
    ///
    /// # Errors
    /// Those of [`prepare`].
    pub fn prepare(&self, scene: &LoadedScene) -> Result<Setup, Failure> {
        let setup = prepare(scene, &self.progress);
        setup.map_err(|error| Failure::from(error).within(&scene.origin))
    }
}

/// In quotes where a shell would take it apart.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:,+=@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
