//! A scene with all that is needed to run it again, and back.

use std::path::{Path, PathBuf};

use pliant_core::scene::{MeshRepair, MeshSource, ShapeDescription};
use pliant_recording::contents::{RecordedImport, RecordedScene, RecordedSource};
use xxhash_rust::xxh3::xxh3_128;

use super::error::{RecordError, ReplayError};
use crate::error::{BuildError, why_unreadable};
use crate::scenes::{ImportOptions, LoadedScene, absolute, is_drop_in, parse, wrapped};

/// What a recording says of a scene. `import` is how its mesh was read, where one was wrapped; `seed` and `budget_ms` take the place of those of the text, and the caller has changed the description so.
///
/// Reads the files that the scene names, for their hashes. Files that these name in turn (buffers of glTF, TetGen's companions) are not listed.
///
/// # Errors
/// [`RecordError::MeshInMemory`], [`RecordError::ToolNotInText`]; [`BuildError::Unreadable`] for files that cannot be read.
pub fn recorded_scene(
    loaded: &LoadedScene,
    import: &ImportOptions,
    seed: Option<u64>,
    budget_ms: Option<f64>,
) -> Result<RecordedScene, RecordError> {
    let is_wrapped = is_drop_in(&loaded.text);
    let files: Result<Vec<RecordedSource>, RecordError> = sources(loaded)?
        .into_iter()
        .map(|path| {
            let bytes = std::fs::read(&path).map_err(|e| BuildError::Unreadable {
                file: path.clone(),
                reason: why_unreadable(&e),
            })?;
            Ok(RecordedSource {
                path: absolute(&path),
                bytes: bytes.len() as u64,
                hash: xxh3_128(&bytes),
            })
        })
        .collect();
    let is_file = is_wrapped || loaded.origin.extension().is_some();
    let recorded = RecordedScene {
        name: loaded.description.name.clone(),
        origin: match is_file {
            true => absolute(&loaded.origin),
            false => loaded.origin.display().to_string(),
        },
        folder: absolute(&loaded.folder),
        text: loaded.text.clone(),
        wrapped: is_wrapped.then(|| RecordedImport {
            units: import.units.clone(),
            z_up: import.z_up,
            repairs: import.repair == MeshRepair::Auto,
            thickness: import.thickness,
        }),
        seed,
        budget_ms,
        files: files?,
    };
    // a program may have changed what was read
    let again = read(&recorded)?.description.tools;
    let tools = loaded.description.tools.iter();
    match tools.zip(&again).find(|(tool, again)| tool != again) {
        None => Ok(recorded),
        Some((tool, _)) => Err(RecordError::ToolNotInText {
            tool: tool.name.clone(),
        }),
    }
}

/// The scene of a recording, once its files are found to be those that were recorded.
///
/// # Errors
/// [`ReplayError::SourceMissing`], [`ReplayError::SourceChanged`]; a text that this program does not understand.
pub fn scene_of(recorded: &RecordedScene) -> Result<LoadedScene, ReplayError> {
    for source in &recorded.files {
        let file = PathBuf::from(&source.path);
        let bytes = std::fs::read(&file).map_err(|e| ReplayError::SourceMissing {
            file: file.clone(),
            reason: e.to_string(),
        })?;
        if xxh3_128(&bytes) != source.hash {
            return Err(ReplayError::SourceChanged { file });
        }
    }
    Ok(read(recorded)?)
}

/// The scene of a recording; its files are those that lie there now.
fn read(recorded: &RecordedScene) -> Result<LoadedScene, BuildError> {
    let origin = Path::new(&recorded.origin);
    let text = recorded.text.clone();
    let mut scene = match &recorded.wrapped {
        None => parse(origin, Path::new(&recorded.folder), text)?,
        Some(import) => {
            let import = ImportOptions {
                units: import.units.clone(),
                z_up: import.z_up,
                repair: match import.repairs {
                    true => MeshRepair::Auto,
                    false => MeshRepair::Off,
                },
                thickness: import.thickness,
            };
            wrapped(text, origin, &import)?
        }
    };
    if let Some(seed) = recorded.seed {
        scene.description.seed = seed;
    }
    if recorded.budget_ms.is_some() {
        scene.description.body.adaptive.budget_ms = recorded.budget_ms;
    }
    Ok(scene)
}

/// The files that a scene names.
fn sources(loaded: &LoadedScene) -> Result<Vec<PathBuf>, RecordError> {
    let description = &loaded.description;
    let mut files = Vec::new();
    for body in [&description.body].into_iter().chain(&description.others) {
        match &body.mesh {
            MeshSource::File { given: Some(_), .. } => {
                return Err(RecordError::MeshInMemory {
                    body: body.name.clone(),
                });
            }
            MeshSource::File { path, .. } => files.push(loaded.folder.join(path)),
            MeshSource::Procedural { .. } => {}
        }
        if let Some(asset) = &body.quasistatic.asset {
            let folder = loaded.origin.parent().unwrap_or(Path::new(""));
            files.push(folder.join(asset));
        }
    }
    for tool in &description.tools {
        if let ShapeDescription::Mesh { source, .. } = &tool.shape
            && let MeshSource::File { path, .. } = source
        {
            files.push(loaded.folder.join(path));
        }
    }
    files.sort();
    files.dedup();
    Ok(files)
}
