//! Wavefront OBJ: a file for each surface, with the cut surface where the body is cut.

use std::io::Write;
use std::path::Path;

use pliant_core::asset::Progress;

use super::error::ExportError;
use super::surfaces::for_each_surface;
use super::whole_file::written_file;
use crate::contents::Skin;
use crate::reader::Recording;

/// The skin at rest.
const REST: &str = "obj/rest.obj";

fn surface_file(method: &str, frame: usize) -> String {
    format!("obj/{method}-{frame:06}.obj")
}

pub(super) fn files(recording: &Recording<'_>) -> Vec<String> {
    let mut files = vec![REST.to_string()];
    for method in &recording.header.methods {
        let frames = recording.surface_frames();
        files.extend(frames.map(|frame| surface_file(method.method.name(), frame)));
    }
    files
}

pub(super) fn write(
    recording: &Recording<'_>,
    folder: &Path,
    progress: &Progress,
) -> Result<(), ExportError> {
    let skin = &recording.skin;
    let whole = faces(skin);
    write_surface(&folder.join(REST), &skin.rest, &whole)?;
    for (k, method) in recording.header.methods.iter().enumerate() {
        for_each_surface(recording, k, (0, 1), progress, |stored| {
            let file = surface_file(method.method.name(), stored.frame);
            let (shown, positions) = stored.surface.shown(skin);
            let cut = stored.surface.cut.as_ref().map(|_| faces(shown));
            let faces = cut.as_ref().unwrap_or(&whole);
            write_surface(&folder.join(file), positions, faces)
        })?;
    }
    Ok(())
}

fn faces(skin: &Skin) -> String {
    let lines = skin.triangles.iter();
    lines
        .map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1))
        .collect()
}

/// Numbers are the shortest decimals that give the same bits in single precision.
fn write_surface(path: &Path, positions: &[[f32; 3]], faces: &str) -> Result<(), ExportError> {
    written_file(path, |out| {
        for [x, y, z] in positions {
            writeln!(out, "v {x:?} {y:?} {z:?}")?;
        }
        out.write_all(faces.as_bytes())
    })
}
