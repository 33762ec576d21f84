//! glTF 2.0, binary: a mesh a method, animated by morph targets.
//!
//! The mesh is the skin at rest, and each kept surface is a morph target: the displacements from rest. The animation gives weight 1 to one target after the other, and mixes two neighbours in between.

use std::io::{self, Write};
use std::path::Path;

use pliant_core::asset::Progress;
use serde_json::{Value, json};

use super::error::ExportError;
use super::format::ExportFormat;
use super::whole_file::{unwritable, whole_file};
use crate::reader::Recording;

pub(super) const FILE: &str = "recording.glb";

const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;

/// The JSON, and where the next bytes of the buffer go.
#[derive(Default)]
struct Document {
    views: Vec<Value>,
    accessors: Vec<Value>,
    bytes: u64,
}

impl Document {
    /// Announces an array of numbers of four bytes; its accessor.
    fn array(&mut self, kind: &str, component: u32, count: usize, bounds: Option<Bounds>) -> usize {
        let parts = if kind == "VEC3" { 3 } else { 1 };
        let length = 4 * parts * count as u64;
        self.views
            .push(json!({ "buffer": 0, "byteOffset": self.bytes, "byteLength": length }));
        let mut accessor = json!({ "bufferView": self.views.len() - 1, "componentType": component, "count": count, "type": kind });
        if let Some(Bounds { min, max }) = bounds {
            accessor["min"] = json!(min);
            accessor["max"] = json!(max);
        }
        self.accessors.push(accessor);
        self.bytes += length;
        self.accessors.len() - 1
    }
}

/// Least and largest of each component.
struct Bounds {
    min: Vec<f32>,
    max: Vec<f32>,
}

impl Bounds {
    fn of<const N: usize>(items: &[[f32; N]]) -> Self {
        let (mut min, mut max) = (vec![f32::INFINITY; N], vec![f32::NEG_INFINITY; N]);
        for item in items {
            for k in 0..N {
                min[k] = min[k].min(item[k]);
                max[k] = max[k].max(item[k]);
            }
        }
        Self { min, max }
    }
}

pub(super) fn write(
    recording: &Recording<'_>,
    folder: &Path,
    progress: &Progress,
) -> Result<(), ExportError> {
    let path = &folder.join(FILE);
    let skin = &recording.skin;
    let times: Vec<f32> = [0.0]
        .into_iter()
        .chain(recording.surface_frames().filter_map(|frame| {
            let time = recording.frames.get(frame)?.time;
            Some(time as f32)
        }))
        .collect();
    let targets = times.len() - 1;
    // weights grow with the square of the targets: nothing is made before it is known to fit
    refuse_above_4_gib(data_bytes(recording, targets))?;
    let mut document = Document::default();
    let (json, weights) = describe(recording, &mut document, &times, progress)?;
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    // header and two chunks with their heads
    let total = 12 + 8 + text.len() as u64 + 8 + document.bytes;
    let length = refuse_above_4_gib(total)?;
    whole_file(path, |out| {
        let failed = |e: io::Error| unwritable(path, &e);
        let mut head = || -> io::Result<()> {
            out.write_all(b"glTF")?;
            let words = [2, length, text.len() as u32];
            words
                .iter()
                .try_for_each(|w| out.write_all(&w.to_le_bytes()))?;
            out.write_all(b"JSON")?;
            out.write_all(&text)?;
            out.write_all(&(document.bytes as u32).to_le_bytes())?;
            out.write_all(b"BIN\0")?;
            let corners = skin.triangles.as_flattened().iter();
            let corners: Vec<u8> = corners.flat_map(|v| v.to_le_bytes()).collect();
            out.write_all(&corners)?;
            out.write_all(&bytes_of(skin.rest.as_flattened()))?;
            out.write_all(&bytes_of(&times))?;
            out.write_all(&bytes_of(&weights))
        };
        head().map_err(failed)?;
        for method in 0..recording.header.methods.len() {
            for (k, surface) in recording.surfaces(method).enumerate() {
                progress.check()?;
                let moved = displacements(&surface?.positions, &skin.rest);
                out.write_all(&bytes_of(moved.as_flattened()))
                    .map_err(failed)?;
                tell(progress, recording, 1, method, k, targets);
            }
        }
        Ok(())
    })
}

/// Bytes of all arrays.
fn data_bytes(recording: &Recording<'_>, targets: usize) -> u64 {
    let (skin, targets) = (&recording.skin, targets as u64);
    let methods = recording.header.methods.len() as u64;
    let surface = 12 * skin.rest.len() as u64;
    let still = 12 * skin.triangles.len() as u64 + surface;
    let animation = 4 * (targets + 1) * (targets + 1);
    let surfaces = surface.saturating_mul(methods * targets);
    still.saturating_add(animation).saturating_add(surfaces)
}

/// The length as the file has it.
fn refuse_above_4_gib(bytes: u64) -> Result<u32, ExportError> {
    u32::try_from(bytes).map_err(|_| ExportError::TooLarge {
        format: ExportFormat::Gltf,
        bytes,
    })
}

/// The JSON, and the weights over time: a row a time, a column a target.
fn describe(
    recording: &Recording<'_>,
    document: &mut Document,
    times: &[f32],
    progress: &Progress,
) -> Result<(Value, Vec<f32>), ExportError> {
    let skin = &recording.skin;
    let targets = times.len() - 1;
    let corners = document.array("SCALAR", UNSIGNED_INT, 3 * skin.triangles.len(), None);
    let bounds = Bounds::of(&skin.rest);
    let rest = document.array("VEC3", FLOAT, skin.rest.len(), Some(bounds));
    let of_time: Vec<[f32; 1]> = times.iter().map(|t| [*t]).collect();
    let input = document.array("SCALAR", FLOAT, times.len(), Some(Bounds::of(&of_time)));
    let mut weights = vec![0.0; times.len() * targets];
    for k in 0..targets {
        weights[(k + 1) * targets + k] = 1.0;
    }
    let output = document.array("SCALAR", FLOAT, weights.len(), None);
    let (mut meshes, mut nodes, mut channels) = (Vec::new(), Vec::new(), Vec::new());
    let names: Vec<String> = recording
        .surface_frames()
        .map(|frame| format!("frame {frame}"))
        .collect();
    for (method, described) in recording.header.methods.iter().enumerate() {
        let mut morphs = Vec::new();
        for (k, surface) in recording.surfaces(method).enumerate() {
            progress.check()?;
            let moved = displacements(&surface?.positions, &skin.rest);
            let bounds = Bounds::of(&moved);
            let accessor = document.array("VEC3", FLOAT, moved.len(), Some(bounds));
            morphs.push(json!({ "POSITION": accessor }));
            tell(progress, recording, 0, method, k, targets);
        }
        let name = described.method.name();
        meshes.push(json!({
            "name": name,
            "primitives": [{ "attributes": { "POSITION": rest }, "indices": corners, "mode": 4, "targets": morphs }],
            "weights": vec![0.0; targets],
            "extras": { "targetNames": names },
        }));
        nodes.push(json!({ "name": name, "mesh": method }));
        channels.push(json!({ "sampler": 0, "target": { "node": method, "path": "weights" } }));
    }
    let all: Vec<usize> = (0..nodes.len()).collect();
    let json = json!({
        "asset": { "version": "2.0", "generator": format!("pliant {}", env!("CARGO_PKG_VERSION")) },
        "scene": 0,
        "scenes": [{ "name": recording.header.scene.name, "nodes": all }],
        "nodes": nodes,
        "meshes": meshes,
        "animations": [{
            "name": "recording",
            "samplers": [{ "input": input, "output": output, "interpolation": "LINEAR" }],
            "channels": channels,
        }],
        "accessors": document.accessors,
        "bufferViews": document.views,
        "buffers": [{ "byteLength": document.bytes }],
    });
    Ok((json, weights))
}

/// Displacements that give the positions again when they are added to `rest` in single precision; where no number does so, the nearest.
pub(super) fn displacements(positions: &[[f32; 3]], rest: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let one = |x: f32, rest: f32| {
        let moved = (f64::from(x) - f64::from(rest)) as f32;
        let near = [moved, moved.next_up(), moved.next_down()];
        let exact = near.into_iter().find(|moved| rest + moved == x);
        exact.unwrap_or(moved)
    };
    let pairs = positions.iter().zip(rest);
    pairs
        .map(|(x, rest)| [0, 1, 2].map(|axis| one(x[axis], rest[axis])))
        .collect()
}

fn bytes_of(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// Surfaces are unpacked twice: once for their bounds, once to be written.
fn tell(
    progress: &Progress,
    recording: &Recording<'_>,
    pass: usize,
    method: usize,
    k: usize,
    targets: usize,
) {
    let methods = recording.header.methods.len();
    let done = (pass * methods + method) * targets + k + 1;
    progress.set_fraction(done as f64 / (2 * methods * targets) as f64);
}
