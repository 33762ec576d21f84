//! `pliant export`: a recording as files of other programs.

use std::path::Path;

use pliant_recording::export::{self, ExportError, ExportFormat};
use serde_json::{Map, json};

use crate::args::Export;
use crate::failure::Failure;
use crate::output::{Done, OutFolder};
use crate::recording_file::{bytes_of, damaged, recording_in};
use crate::session::Session;

/// Runs the command.
pub fn export(session: &Session, args: &Export) -> Result<Done, Failure> {
    let formats = formats(&args.to)?;
    let bytes = bytes_of(&args.recording)?;
    let recording = recording_in(&args.recording, &bytes)?;
    let needs_surfaces = formats.iter().find(|f| **f != ExportFormat::Csv);
    if let Some(format) = needs_surfaces
        && recording.surface_count() == 0
    {
        let error = ExportError::NoSurfaces {
            format: *format,
            every: recording.header.surface_every,
        };
        return Err(failure(&args.recording, &error));
    }
    let name = args.recording.file_stem().unwrap_or_default();
    let out = OutFolder::prepare(args.out.as_deref(), &name.to_string_lossy())?;
    let watch = session.output.watch(&session.progress);
    let mut written = Map::new();
    let mut lines = Vec::new();
    for format in formats {
        let files = export::files(&recording, format);
        session
            .progress
            .stage(&format!("writing {}", format.name()));
        // frames of an earlier, longer recording must not remain
        out.clear(format.name());
        let unfinished = out.begin(files.iter().cloned());
        export::export(&recording, format, out.path(), &session.progress)
            .map_err(|error| failure(&args.recording, &error))?;
        unfinished.complete();
        let lengths = files.iter().map(|f| std::fs::metadata(out.path().join(f)));
        let bytes: u64 = lengths.flatten().map(|data| data.len()).sum();
        let first = files.first().map_or("", String::as_str);
        lines.push(format!(
            "{:<5} {} ({}, {:.1} MB)",
            format.name(),
            out.path().join(first).display(),
            match files.len() {
                1 => "1 file".to_string(),
                count => format!("{count} files"),
            },
            bytes as f64 / 1e6
        ));
        written.insert(
            format.name().to_string(),
            json!({ "files": files, "bytes": bytes }),
        );
    }
    drop(watch);
    for line in lines {
        session.output.line(line);
    }
    Ok(Done::new(json!({
        "recording": args.recording.display().to_string(), "folder": out.path().display().to_string(),
        "surfaces": recording.surface_count(), "formats": written,
    })))
}

/// The formats by their names, each once.
fn formats(names: &[String]) -> Result<Vec<ExportFormat>, Failure> {
    let mut formats = Vec::new();
    for name in names {
        let format = ExportFormat::from_name(name.trim()).ok_or_else(|| {
            let known = ExportFormat::NAMES.join(", ");
            Failure::bad_input(
                "UnknownFormat",
                format!("recordings cannot be exported as `{name}`"),
                format!("use {known}"),
            )
        })?;
        if !formats.contains(&format) {
            formats.push(format);
        }
    }
    Ok(formats)
}

fn failure(file: &Path, error: &ExportError) -> Failure {
    let place = file.display().to_string();
    match error {
        ExportError::Recording(error) => damaged(file, error),
        ExportError::Unwritable { file, .. } => {
            let place = file.display().to_string();
            Failure::from_text("Unwritable", &error.to_string(), Some(place))
        }
        ExportError::Cancelled => Failure::from(pliant_core::asset::Cancelled),
        _ => Failure::of(error, Some(place)),
    }
}
