//! A comparison that is recorded on request.

use std::path::PathBuf;
use std::sync::Arc;

use pliant_core::asset::bytes::temporary_path;
use pliant_recording::RecordingFile;
use pliant_simulation::compare::{CompareOptions, Comparison, compare};
use pliant_simulation::recording::{RecordError, RecordOptions, compare_recorded, recorded_scene};
use pliant_simulation::scenes::LoadedScene;
use pliant_simulation::setup::Setup;
use serde_json::{Value, json};

use crate::args::{Import, Record};
use crate::failure::Failure;
use crate::output::{RECORDING, Unfinished, refuse_foreign};
use crate::recording_file::damaged;
use crate::session::Session;

/// The file that was written.
pub struct Recorded {
    file: PathBuf,
    bytes: u64,
}

impl Recorded {
    /// For people.
    pub fn line(&self) -> String {
        let megabytes = self.bytes as f64 / 1e6;
        format!("recording: {}, {megabytes:.2} MB", self.file.display())
    }

    /// For scripts.
    pub fn json(&self) -> Value {
        json!({ "file": self.file.display().to_string(), "bytes": self.bytes })
    }
}

/// Runs the comparison, and writes a recording if one was requested and a method could run.
///
/// `budget_ms` is the budget that replaces that of the scene, as in the setup.
pub fn compare_and_record(
    session: &Session,
    loaded: &LoadedScene,
    (import, record): (&Import, &Record),
    budget_ms: Option<f64>,
    setup: Arc<Setup>,
    options: &CompareOptions<'_>,
) -> Result<(Comparison, Option<Recorded>), Failure> {
    let progress = &session.progress;
    let Some(path) = &record.record else {
        return Ok((compare(setup, options, progress)?, None));
    };
    refuse_foreign(path, &RECORDING)?;
    let scene = recorded_scene(loaded, &import.options(), session.seed, budget_ms);
    let record_options = RecordOptions {
        path: path.clone(),
        every: record.record_every,
        scene: scene.map_err(failure)?,
    };
    // Ctrl-C may end the program before the file is removed
    let unfinished = Unfinished::file(&temporary_path(path));
    RecordingFile::reserve(path).map_err(|error| damaged(path, &error))?;
    let (comparison, bytes) =
        compare_recorded(setup, options, progress, record_options).map_err(failure)?;
    if bytes == 0 {
        // no method ran: dropping `unfinished` removes the reserved file
        return Ok((comparison, None));
    }
    unfinished.complete();
    let file = path.clone();
    Ok((comparison, Some(Recorded { file, bytes })))
}

fn failure(error: RecordError) -> Failure {
    match error {
        RecordError::Build(error) => error.into(),
        RecordError::Recording(error) => Failure::of(&error, None),
        other => Failure::of(&other, None),
    }
}
