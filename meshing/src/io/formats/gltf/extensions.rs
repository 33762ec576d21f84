//! Versions and extensions of glTF: which are read, which are ignored, which are refused.

use super::json::Value;
use crate::io::assembly::cells::Cells;
use crate::io::encoding::text::quoted;
use crate::io::error::ReadError;

/// Extensions that change nothing about positions and triangles, by the beginning of their names.
const IGNORED_EXTENSIONS: [&[u8]; 12] = [
    b"KHR_mesh_quantization",
    b"KHR_materials_",
    b"KHR_texture_",
    b"EXT_texture_",
    b"MSFT_texture_",
    b"KHR_lights_",
    b"EXT_lights_",
    b"KHR_animation_",
    b"KHR_xmp",
    b"KHR_node_visibility",
    b"KHR_node_selectability",
    b"KHR_node_hoverability",
];

pub(crate) fn old_version(version: &str) -> ReadError {
    ReadError::unsupported(
        format!("version {version} of glTF"),
        "export it as glTF 2.0",
    )
}

/// Refusal of a compressed mesh.
pub(crate) fn compressed(name: &str) -> ReadError {
    ReadError::unsupported(
        format!("the mesh compression {name}"),
        "export it without mesh compression",
    )
}

/// Refuses compression that the file cannot be read without, and remarks on extensions that are not known.
pub(crate) fn extensions(root: &Value<'_>, cells: &mut Cells) -> Result<(), ReadError> {
    for value in root.list_of("extensionsRequired") {
        let name = value.text().unwrap_or_default();
        let shown = quoted(&name);
        if *name == *b"KHR_draco_mesh_compression" {
            return Err(compressed("Draco (KHR_draco_mesh_compression)"));
        }
        if name.ends_with(b"_meshopt_compression") {
            return Err(compressed(&format!("meshopt ({shown})")));
        }
        if !IGNORED_EXTENSIONS.iter().any(|h| name.starts_with(h)) {
            cells.surface.notes.push(format!(
                "the extension {shown} is not known: something may be missing"
            ));
        }
    }
    Ok(())
}
