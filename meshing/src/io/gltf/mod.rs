//! glTF 2.0, as JSON and as GLB (Khronos Group 2021, "glTF 2.0 Specification").

mod accessor;
mod json;
mod primitive;
mod transform;

use nalgebra::Matrix4;

use super::beside::Beside;
use super::cells::Cells;
use super::error::{Place, ReadError};
use super::scalar::Scalar;
use super::text::quoted;
use super::{MeshFile, MeshFormat, ReadOptions};
use accessor::Document;
use json::Value;

/// Extensions that change nothing about positions and triangles, by the beginning of their names.
const HARMLESS: [&[u8]; 12] = [
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

/// Reads JSON; buffers are embedded or files beside.
pub(super) fn read_text(
    bytes: &[u8],
    beside: Beside<'_>,
    options: &ReadOptions,
) -> Result<MeshFile, ReadError> {
    let start = if bytes.starts_with(b"\xef\xbb\xbf") {
        3
    } else {
        0
    };
    let root = json::parse(bytes.get(start..).unwrap_or_default(), start)?;
    let document = Document::new(root, None, bytes.len(), beside);
    read(&document, MeshFormat::Gltf, options)
}

/// Reads a GLB container: a header of twelve bytes, then chunks of JSON and of bytes (section 4).
pub(super) fn read_binary(
    bytes: &[u8],
    beside: Beside<'_>,
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
    let document = Document::new(root, chunk, bytes.len(), beside);
    read(&document, MeshFormat::Glb, options)
}

fn read(
    document: &Document<'_>,
    format: MeshFormat,
    options: &ReadOptions,
) -> Result<MeshFile, ReadError> {
    let version = document.root.must("asset")?.must("version")?;
    let version = version.text().unwrap_or_default();
    if !version.starts_with(b"2") {
        return Err(old_version(&quoted(&version)));
    }
    let mut cells = Cells::new(false, 0, options);
    extensions(&document.root, &mut cells)?;
    let mut scene = Scene {
        document,
        cells,
        placed: 0,
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

fn old_version(version: &str) -> ReadError {
    ReadError::unsupported(
        format!("version {version} of glTF"),
        "export it as glTF 2.0",
    )
}

/// Refusal of a compressed mesh.
fn compressed(name: &str) -> ReadError {
    ReadError::unsupported(
        format!("the mesh compression {name}"),
        "export it without mesh compression",
    )
}

/// Refuses compression that the file cannot be read without, and remarks on extensions that are not known.
fn extensions(root: &Value<'_>, cells: &mut Cells) -> Result<(), ReadError> {
    for value in root.list_of("extensionsRequired") {
        let name = value.text().unwrap_or_default();
        let shown = quoted(&name);
        if *name == *b"KHR_draco_mesh_compression" {
            return Err(compressed("Draco (KHR_draco_mesh_compression)"));
        }
        if name.ends_with(b"_meshopt_compression") {
            return Err(compressed(&format!("meshopt ({shown})")));
        }
        if !HARMLESS.iter().any(|h| name.starts_with(h)) {
            cells.surface.notes.push(format!(
                "the extension {shown} is not known: something may be missing"
            ));
        }
    }
    Ok(())
}

/// The scene under construction.
struct Scene<'a> {
    document: &'a Document<'a>,
    cells: Cells,
    /// bytes of vertices and corners so far
    placed: usize,
    skinned: usize,
}

impl Scene<'_> {
    /// All meshes of the default scene; of all nodes where there is no scene; of the file where there is no node.
    fn place_all(&mut self) -> Result<(), ReadError> {
        let document = self.document;
        let nodes = document.root.list_of("nodes");
        let unplaced = Matrix4::identity();
        if nodes.is_empty() {
            for mesh in document.root.list_of("meshes") {
                self.mesh(mesh, &unplaced)?;
            }
            return Ok(());
        }
        let mut waiting = Vec::new();
        let scenes = document.root.list_of("scenes");
        let chosen = document.root.get("scene");
        let scene = chosen.map(|k| document.element("scenes", k)).transpose()?;
        if let Some(scene) = scene.or(scenes.first()) {
            for root in scene.list_of("nodes").iter().rev() {
                waiting.push((self.node(root)?, unplaced));
            }
        } else {
            let mut is_child = vec![false; nodes.len()];
            for child in nodes.iter().flat_map(|n| n.list_of("children")) {
                is_child[self.node(child)?] = true;
            }
            let roots = (0..nodes.len()).rev().filter(|&k| !is_child[k]);
            waiting.extend(roots.map(|k| (k, unplaced)));
        }
        let mut seen = vec![false; nodes.len()];
        while let Some((k, parent)) = waiting.pop() {
            let Some(node) = nodes.get(k) else {
                continue;
            };
            if std::mem::replace(&mut seen[k], true) {
                let what = format!("node {k} stands in the scene twice");
                return Err(ReadError::syntax(node.place(), what));
            }
            let placed = parent * transform::of_node(node)?;
            if let Some(mesh) = node.get("mesh") {
                self.skinned += usize::from(node.get("skin").is_some());
                self.mesh(document.element("meshes", mesh)?, &placed)?;
            }
            for child in node.list_of("children").iter().rev() {
                waiting.push((self.node(child)?, placed));
            }
        }
        Ok(())
    }

    /// Number of a node that exists.
    fn node(&self, index: &Value<'_>) -> Result<usize, ReadError> {
        self.document.element("nodes", index)?;
        index.index()
    }
}

#[cfg(test)]
pub(super) mod tests;
