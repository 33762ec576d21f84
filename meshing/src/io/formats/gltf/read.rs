//! Reads both containers of glTF: JSON and GLB (section 4).

use super::accessor::Document;
use super::extensions::{extensions, old_version};
use super::json;
use super::scene::Scene;
use crate::io::assembly::cells::Cells;
use crate::io::companion_files::CompanionFiles;
use crate::io::encoding::scalar::Scalar;
use crate::io::encoding::text::{byte_order_mark_length, quoted};
use crate::io::error::{Place, ReadError};
use crate::io::mesh_file::{MeshFile, MeshFormat, ReadOptions};

/// Reads JSON; buffers are embedded or files next to it.
pub(crate) fn read_text(
    bytes: &[u8],
    companions: CompanionFiles<'_>,
    options: &ReadOptions,
) -> Result<MeshFile, ReadError> {
    let start = byte_order_mark_length(bytes);
    let root = json::parse(bytes.get(start..).unwrap_or_default(), start)?;
    let document = Document::new(root, None, bytes.len(), companions);
    read(&document, MeshFormat::Gltf, options)
}

/// Reads a GLB container: a header of twelve bytes, then chunks of JSON and of bytes (section 4).
pub(crate) fn read_binary(
    bytes: &[u8],
    companions: CompanionFiles<'_>,
    options: &ReadOptions,
) -> Result<MeshFile, ReadError> {
    let word = |at: usize| {
        let raw = bytes.get(at..at + 4);
        let raw = raw.ok_or_else(|| ReadError::truncated(bytes.len(), "the header of a GLB file"));
        raw.map(|r| Scalar::U32.decode(r, false) as usize)
    };
    let version = word(4)?;
    if version != 2 {
        return Err(old_version(&version.to_string()));
    }
    let length = word(8)?;
    if length > bytes.len() {
        let expected = format!("the rest of {length} bytes");
        return Err(ReadError::truncated(bytes.len(), expected));
    }
    let (mut text, mut chunk) = (None, None);
    let mut at = 12;
    while at + 8 <= length && (text.is_none() || chunk.is_none()) {
        let (size, kind) = (word(at)?, bytes.get(at + 4..at + 8));
        let Some(content) = bytes.get(at + 8..at + 8 + size) else {
            return Err(ReadError::truncated(
                bytes.len(),
                format!("a chunk of {size} bytes"),
            ));
        };
        match kind {
            Some(b"JSON") if text.is_none() => text = Some((content, at + 8)),
            Some(b"BIN\0") if chunk.is_none() => chunk = Some(content),
            _ => {}
        }
        at += 8 + size;
    }
    let Some((text, base)) = text else {
        return Err(ReadError::syntax(Place::Byte(12), "no JSON chunk"));
    };
    let root = json::parse(text, base)?;
    let document = Document::new(root, chunk, bytes.len(), companions);
    read(&document, MeshFormat::Glb, options)
}

fn read(
    document: &Document<'_>,
    format: MeshFormat,
    options: &ReadOptions,
) -> Result<MeshFile, ReadError> {
    let version = document.root.required("asset")?.required("version")?;
    let version = version.text().unwrap_or_default();
    if !version.starts_with(b"2") {
        return Err(old_version(&quoted(&version)));
    }
    let mut cells = Cells::new(false, 0, options);
    extensions(&document.root, &mut cells)?;
    let mut scene = Scene {
        document,
        cells,
        placed_bytes: 0,
        skinned: 0,
    };
    scene.place_all()?;
    if scene.skinned > 0 {
        scene.cells.surface.notes.push(format!(
            "{} meshes with a skeleton were placed without its pose",
            scene.skinned
        ));
    }
    scene.cells.finish(format)
}
