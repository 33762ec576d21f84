//! Description of a recording.

use pliant_core::math::numbers::places;
use pliant_recording::Recording;
use pliant_recording::contents::{Header, RecordedScene};
use serde_json::{Map, Value, json};

use super::findings::{Findings, comma_list};
use crate::output::vector;

pub(super) fn findings(recording: &Recording<'_>) -> Findings {
    let header = &recording.header;
    let frames = recording.frames.len();
    let duration = frames as f64 * header.frame_duration;
    let mut lines = vec![
        (
            "version",
            format!(
                "{}, written by pliant {} with {} kernels{}",
                recording.version,
                header.program,
                header.kernels,
                if header.portable {
                    " (--simd portable)"
                } else {
                    ""
                }
            ),
        ),
        ("scene", scene_line(&header.scene)),
    ];
    for file in &header.scene.files {
        let text = format!(
            "{} ({} bytes, xxh3 {:032x})",
            file.path, file.bytes, file.hash
        );
        lines.push(("file", text));
    }
    lines.extend([
        (
            "frames",
            format!(
                "{frames} of {}, {duration:.3} s at {:.6} a second",
                header.frames,
                1.0 / header.frame_duration
            ),
        ),
        (
            "skin",
            format!(
                "{} vertices, {} triangles",
                header.vertices, header.triangles
            ),
        ),
        ("surfaces", surfaces_line(recording)),
        ("tools", comma_list(&header.tools)),
        ("grabs", comma_list(&header.grabs)),
        ("probes", comma_list(&header.probes)),
    ]);
    for (k, method) in header.methods.iter().enumerate() {
        let stopped = &recording.summary.stopped[k];
        let force = force_max(recording, k);
        lines.push((
            method.method.name(),
            format!(
                "surface hash {:016x}, largest force {:.*} N{}{}",
                recording.summary.surface_hash[k],
                places(force, 4),
                force,
                match recording.first_cut(k) {
                    None => String::new(),
                    Some(frame) => format!(", cut from frame {frame} on"),
                },
                match stopped.as_str() {
                    "" => String::new(),
                    why => format!(", stopped after {} frames: {why}", computed(recording, k)),
                }
            ),
        ));
    }
    Findings {
        kind: "recording",
        lines,
        fields: fields(recording),
    }
}

fn scene_line(scene: &RecordedScene) -> String {
    let mut text = format!("{} (from {})", scene.name, scene.origin);
    if scene.wrapped.is_some() {
        text += ", a mesh in the drop-in scene";
    }
    if let Some(seed) = scene.seed {
        text += &format!(", seed {seed}");
    }
    if let Some(budget) = scene.budget_ms {
        text += &format!(", budget {budget} ms");
    }
    text
}

fn surfaces_line(recording: &Recording<'_>) -> String {
    let header = &recording.header;
    let count = recording.surface_count();
    if count == 0 {
        return "none".to_string();
    }
    let plain = unpacked_bytes(recording) as f64;
    let cuts = (0..header.methods.len()).any(|k| recording.has_cuts(k));
    let packed = recording.surface_bytes() as f64;
    format!(
        "{count} of each method, every {} frames; {:.2} MB, {} {:.2} MB",
        header.surface_every,
        packed / 1e6,
        if cuts {
            "with cuts; skins alone take"
        } else {
            "packed from"
        },
        plain / 1e6
    )
}

/// Unpacked size of the skins, without surfaces of cuts.
fn unpacked_bytes(recording: &Recording<'_>) -> u64 {
    let header = &recording.header;
    let surfaces = recording.surface_count() * header.methods.len();
    12 * u64::from(header.vertices) * surfaces as u64
}

/// Number of frames that the method computed.
fn computed(recording: &Recording<'_>, method: usize) -> usize {
    let found = recording
        .frames
        .iter()
        .filter_map(|f| f.methods.get(method));
    found.filter(|m| m.computed).count()
}

/// Largest force of one tool or grab, N.
fn force_max(recording: &Recording<'_>, method: usize) -> f64 {
    let found = recording
        .frames
        .iter()
        .filter_map(|f| f.methods.get(method));
    let forces = found.flat_map(|m| {
        let tools = m.wrenches.iter().map(|w| w.force.norm());
        tools.chain(m.grabs.iter().map(|g| g.norm()))
    });
    forces.fold(0.0, f64::max)
}

fn fields(recording: &Recording<'_>) -> Value {
    let header = &recording.header;
    let frames = recording.frames.len();
    let mut methods = Map::new();
    for (k, method) in header.methods.iter().enumerate() {
        let stopped = recording.summary.stopped[k].as_str();
        let inside: Map<String, Value> = method
            .inside
            .iter()
            .map(|(name, rest)| (name.clone(), vector(rest)))
            .collect();
        methods.insert(
            method.method.name().to_string(),
            json!({
                "surface_hash": format!("{:016x}", recording.summary.surface_hash[k]),
                "frames": computed(recording, k), "force_max_n": force_max(recording, k),
                "stopped": if stopped.is_empty() { Value::Null } else { json!(stopped) },
                "inside": inside, "first_cut_frame": recording.first_cut(k),
            }),
        );
    }
    json!({
        "version": recording.version, "program": header.program, "kernels": header.kernels, "portable": header.portable,
        "scene": scene_fields(header), "frames": frames, "frames_planned": header.frames,
        "frame_duration": header.frame_duration, "duration": frames as f64 * header.frame_duration,
        "skin_vertices": header.vertices, "triangles": header.triangles,
        "surface_every": header.surface_every, "surfaces": recording.surface_count(),
        "surface_bytes": recording.surface_bytes(), "surface_bytes_unpacked": unpacked_bytes(recording),
        "tools": header.tools, "grabs": header.grabs, "probes": header.probes, "methods": methods,
    })
}

fn scene_fields(header: &Header) -> Value {
    let scene = &header.scene;
    let files = scene.files.iter().map(|file| {
        json!({ "path": file.path, "bytes": file.bytes, "hash": format!("{:032x}", file.hash) })
    });
    let wrapped = scene.wrapped.as_ref().map(|import| {
        json!({
            "units": import.units, "up": if import.z_up { "z" } else { "y" },
            "repair": if import.repairs { "auto" } else { "off" }, "thickness": import.thickness,
        })
    });
    json!({
        "name": scene.name, "origin": scene.origin, "seed": scene.seed, "budget_ms": scene.budget_ms,
        "import": wrapped, "files": files.collect::<Vec<_>>(), "text": scene.text,
    })
}
