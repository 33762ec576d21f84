//! glTF 2.0, binary: a mesh a method, animated by morph targets.
//!
//! The mesh is the skin at rest, and each kept surface is a morph target: the displacements from rest. The animation gives each target the weight 1 at its time, and interpolates in between.
//!
//! Morph targets cannot change triangles. A method with cuts therefore has a mesh for each segment of surfaces with the same triangles. Its node has scale 1 during the segment and 0 before and after, without
//! interpolation (`STEP`).

mod animation;
mod document;
mod segments;

use std::io::{self, Write};
use std::path::Path;

use pliant_core::asset::Progress;
use serde_json::{Value, json};

use super::error::ExportError;
use super::format::ExportFormat;
use super::surfaces::for_each_surface;
use super::whole_file::{unwritable, whole_file};
use crate::reader::Recording;
use animation::Animation;
use document::{Bounds, Document, FLOAT, UNSIGNED_INT};
use segments::{Segment, segments};

pub(super) const FILE: &str = "recording.glb";

pub(super) fn write(
    recording: &Recording<'_>,
    folder: &Path,
    progress: &Progress,
) -> Result<(), ExportError> {
    let path = &folder.join(FILE);
    let times: Vec<f32> = [0.0]
        .into_iter()
        .chain(recording.surface_frames().filter_map(|frame| {
            let time = recording.frames.get(frame)?.time;
            Some(time as f32)
        }))
        .collect();
    let methods = 0..recording.header.methods.len();
    let all: Vec<Vec<Segment>> = methods
        .map(|method| segments(recording, method))
        .collect::<Result<_, _>>()?;
    // weights grow with the square of the number of targets: the size is checked before anything is allocated
    refuse_above_4_gib(data_bytes(recording, &all))?;
    let mut document = Document::default();
    let mut static_bytes = Vec::new();
    let json = describe(
        recording,
        &mut document,
        (&all, &times),
        &mut static_bytes,
        progress,
    )?;
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    // file header, and two chunks with their headers
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
            out.write_all(&static_bytes)
        };
        head().map_err(failed)?;
        for method in 0..all.len() {
            for_each_target(recording, method, 1, progress, |moved| {
                out.write_all(&bytes_of(moved.as_flattened()))
                    .map_err(failed)
            })?;
        }
        Ok(())
    })
}

/// Bytes of all arrays, without a few of animations.
fn data_bytes(recording: &Recording<'_>, all: &[Vec<Segment>]) -> u64 {
    let mut bytes = 0_u64;
    for segment in all.iter().flatten() {
        let skin = segment.skin(&recording.skin);
        let (targets, count) = (segment.targets() as u64, segment.count as u64);
        let surface = 12 * skin.rest.len() as u64;
        let rest = 12 * skin.triangles.len() as u64 + surface;
        let animation = (4 * count).saturating_mul(targets + 1);
        let surfaces = surface.saturating_mul(targets);
        for part in [rest, animation, surfaces] {
            bytes = bytes.saturating_add(part);
        }
    }
    bytes
}

/// Calls `visit` with the displacements of each surface of a method from rest. Surfaces are unpacked in two passes: once for their bounds, once to be written.
fn for_each_target(
    recording: &Recording<'_>,
    method: usize,
    pass: usize,
    progress: &Progress,
    mut visit: impl FnMut(&[[f32; 3]]) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    for_each_surface(recording, method, (pass, 2), progress, |stored| {
        let (shown, positions) = stored.surface.shown(&recording.skin);
        visit(&displacements(positions, &shown.rest))
    })
}

/// The length as the file stores it.
fn refuse_above_4_gib(bytes: u64) -> Result<u32, ExportError> {
    u32::try_from(bytes).map_err(|_| ExportError::TooLarge {
        format: ExportFormat::Gltf,
        bytes,
    })
}

/// The JSON. `static_bytes` gets the bytes of all arrays but the displacements, which follow them, method after method.
fn describe(
    recording: &Recording<'_>,
    document: &mut Document,
    (all, times): (&[Vec<Segment>], &[f32]),
    static_bytes: &mut Vec<u8>,
    progress: &Progress,
) -> Result<Value, ExportError> {
    let mut animation = Animation::default();
    let (mut meshes, mut nodes) = (Vec::new(), Vec::new());
    let frames: Vec<usize> = recording.surface_frames().collect();
    let mut first_of_method = Vec::new();
    for (described, segments) in recording.header.methods.iter().zip(all) {
        first_of_method.push(meshes.len());
        for (number, segment) in segments.iter().enumerate() {
            let skin = segment.skin(&recording.skin);
            let corners = document.array("SCALAR", UNSIGNED_INT, 3 * skin.triangles.len(), None);
            let bounds = Bounds::of(&skin.rest);
            let rest = document.array("VEC3", FLOAT, skin.rest.len(), Some(bounds));
            let indices = skin.triangles.as_flattened().iter();
            static_bytes.extend(indices.flat_map(|v| v.to_le_bytes()));
            static_bytes.extend(bytes_of(skin.rest.as_flattened()));
            let method = described.method.name();
            let name = match number {
                0 => method.to_string(),
                _ => format!("{method} cut {number}"),
            };
            let node = nodes.len();
            let mut mesh = json!({
                "name": name,
                "primitives": [{ "attributes": { "POSITION": rest }, "indices": corners, "mode": 4 }],
            });
            let mut shown = json!({ "name": name, "mesh": meshes.len() });
            let targets = segment.targets();
            if targets > 0 {
                let first = segment.first.saturating_sub(1);
                let names = frames[first..first + targets].iter();
                let names: Vec<String> = names.map(|frame| format!("frame {frame}")).collect();
                mesh["weights"] = json!(vec![0.0; targets]);
                mesh["extras"] = json!({ "targetNames": names });
                let sampler = animation.weights(document, segment, times);
                animation.channel(sampler, node, "weights");
            }
            if segments.len() > 1 {
                let sampler = animation.scale(document, segment, times);
                animation.channel(sampler, node, "scale");
                // shown by programs without animation
                let scale = if number == 0 { 1.0 } else { 0.0 };
                shown["scale"] = json!([scale, scale, scale]);
            }
            static_bytes.extend(bytes_of(&std::mem::take(&mut animation.bytes)));
            meshes.push(mesh);
            nodes.push(shown);
        }
    }
    for (method, segments) in all.iter().enumerate() {
        let mut accessors = Vec::new();
        for_each_target(recording, method, 0, progress, |moved| {
            let bounds = Bounds::of(moved);
            let accessor = document.array("VEC3", FLOAT, moved.len(), Some(bounds));
            accessors.push(json!({ "POSITION": accessor }));
            Ok(())
        })?;
        let mut accessors = accessors.into_iter();
        let meshes = &mut meshes[first_of_method[method]..];
        for (mesh, segment) in meshes.iter_mut().zip(segments) {
            let targets: Vec<Value> = accessors.by_ref().take(segment.targets()).collect();
            if !targets.is_empty() {
                mesh["primitives"][0]["targets"] = json!(targets);
            }
        }
    }
    let roots: Vec<usize> = (0..nodes.len()).collect();
    Ok(json!({
        "asset": { "version": "2.0", "generator": format!("pliant {}", env!("CARGO_PKG_VERSION")) },
        "scene": 0,
        "scenes": [{ "name": recording.header.scene.name, "nodes": roots }],
        "nodes": nodes,
        "meshes": meshes,
        "animations": [{
            "name": "recording",
            "samplers": animation.samplers,
            "channels": animation.channels,
        }],
        "accessors": document.accessors,
        "bufferViews": document.views,
        "buffers": [{ "byteLength": document.bytes }],
    }))
}

/// Displacements that, added to `rest` in single precision, give the positions exactly. Where there is no such number, the nearest one.
pub(super) fn displacements(positions: &[[f32; 3]], rest: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let displacement = |x: f32, rest: f32| {
        let moved = (f64::from(x) - f64::from(rest)) as f32;
        let near = [moved, moved.next_up(), moved.next_down()];
        let exact = near.into_iter().find(|moved| rest + moved == x);
        exact.unwrap_or(moved)
    };
    let pairs = positions.iter().zip(rest);
    pairs
        .map(|(x, rest)| [0, 1, 2].map(|axis| displacement(x[axis], rest[axis])))
        .collect()
}

fn bytes_of(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}
