//! Laws of exports, which are read back: positions are those of the recording.

mod cuts;

use std::path::Path;

use pliant_core::asset::Progress;
use pliant_core::mesh::SurfaceMesh;
use pliant_meshing::io::{MeshFormat, read_mesh};
use serde_json::Value;

use super::{ExportError, ExportFormat, export, files, gltf};
use crate::reader::Recording;
use crate::testing::{Sample, sample};

/// Exports a sample, and checks that exactly the announced files are there.
fn exported(sample: &Sample, format: ExportFormat) -> tempfile::TempDir {
    let bytes = sample.bytes();
    let recording = Recording::read(&bytes).expect("whole");
    let folder = tempfile::tempdir().expect("a folder");
    export(&recording, format, folder.path(), &Progress::new()).expect("written");
    let mut announced = files(&recording, format);
    announced.sort();
    let mut found = Vec::new();
    list(folder.path(), folder.path(), &mut found);
    found.sort();
    assert_eq!(found, announced);
    folder
}

fn list(root: &Path, folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("readable") {
        let path = entry.expect("readable").path();
        match path.is_dir() {
            true => list(root, &path, found),
            false => {
                let inside = path.strip_prefix(root).expect("below");
                found.push(inside.to_str().expect("Unicode").to_string());
            }
        }
    }
}

/// A binary glTF file.
struct Glb {
    json: Value,
    buffer: Vec<u8>,
}

impl Glb {
    fn read(file: &Path) -> Self {
        let bytes = std::fs::read(file).expect("there");
        let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|k| bytes[at + k])) as usize;
        assert_eq!(word(8), bytes.len());
        let end = 20 + word(12);
        Self {
            json: serde_json::from_slice(&bytes[20..end]).expect("valid"),
            buffer: bytes[end + 8..].to_vec(),
        }
    }

    /// The words of the array behind an accessor.
    fn words(&self, accessor: &Value) -> Vec<u32> {
        let number = |value: &Value| value.as_u64().expect("a number") as usize;
        let accessor = &self.json["accessors"][number(accessor)];
        let view = &self.json["bufferViews"][number(&accessor["bufferView"])];
        let at = number(&view["byteOffset"]);
        let bytes = &self.buffer[at..at + number(&view["byteLength"])];
        let words = bytes.as_chunks::<4>().0;
        words.iter().map(|w| u32::from_le_bytes(*w)).collect()
    }

    fn numbers(&self, accessor: &Value) -> Vec<f32> {
        self.words(accessor)
            .into_iter()
            .map(f32::from_bits)
            .collect()
    }
}

fn single(surface: &SurfaceMesh) -> Vec<[u32; 3]> {
    let bits = |x: &f64| (*x as f32).to_bits();
    let positions = surface.positions.iter();
    positions
        .map(|p| [bits(&p.x), bits(&p.y), bits(&p.z)])
        .collect()
}

fn bits(positions: &[[f32; 3]]) -> Vec<[u32; 3]> {
    positions.iter().map(|p| p.map(f32::to_bits)).collect()
}

#[test]
fn files_of_single_surfaces_have_the_positions_of_the_recording_to_the_bit() {
    let sample = sample(7, 2);
    for (format, kind, ending) in [
        (ExportFormat::Vtk, MeshFormat::Vtp, "vtp"),
        (ExportFormat::Obj, MeshFormat::Obj, "obj"),
    ] {
        let folder = exported(&sample, format);
        let sub = folder.path().join(format.name());
        let rest = read_mesh(&sub.join(format!("rest.{ending}"))).expect("readable");
        assert_eq!(single(&rest.surface), bits(&sample.skin.rest));
        for (m, method) in ["adaptive", "lattice"].iter().enumerate() {
            for frame in [1, 3, 5] {
                let file = sub.join(format!("{method}-{frame:06}.{ending}"));
                let read = read_mesh(&file).expect("readable");
                assert_eq!(read.format, kind);
                assert_eq!(read.surface.triangles, sample.skin.triangles);
                let expected = bits(&sample.surfaces[frame][m].positions);
                assert_eq!(single(&read.surface), expected, "{method} {frame}");
            }
        }
    }
}

#[test]
fn a_collection_of_paraview_names_each_file_with_its_time() {
    let sample = sample(4, 2);
    let folder = exported(&sample, ExportFormat::Vtk);
    let text = std::fs::read_to_string(folder.path().join("vtk/recording.pvd")).expect("there");
    for (m, method) in ["adaptive", "lattice"].iter().enumerate() {
        let time = sample.frames[3].time;
        let line = format!(
            "timestep=\"{time}\" part=\"{m}\" name=\"{method}\" file=\"{method}-000003.vtp\""
        );
        assert!(text.contains(&line), "{text}");
        let rest = format!("timestep=\"0\" part=\"{m}\" name=\"{method}\" file=\"rest.vtp\"");
        assert!(text.contains(&rest), "{text}");
    }
}

#[test]
fn usd_has_the_positions_of_the_recording_to_the_bit() {
    let sample = sample(5, 2);
    let folder = exported(&sample, ExportFormat::Usd);
    let text = std::fs::read_to_string(folder.path().join("recording.usda")).expect("there");
    assert!(text.contains("endTimeCode = 4\n") && text.contains("timeCodesPerSecond = 60\n"));
    let mut meshes = text.split("def Mesh ").skip(1);
    for m in 0..2 {
        let mesh = meshes.next().expect("a mesh a method");
        let (_, samples) = mesh.split_once("points.timeSamples = {").expect("samples");
        let lines: Vec<&str> = samples.lines().skip(1).take(3).collect();
        for (line, expected) in lines.iter().zip([
            (0, &sample.skin.rest),
            (2, &sample.surfaces[1][m].positions),
            (4, &sample.surfaces[3][m].positions),
        ]) {
            let (code, numbers) = line.split_once(": [").expect("a sample");
            assert_eq!(code.trim(), expected.0.to_string());
            let numbers = numbers.split(|c: char| "(),] ".contains(c));
            let numbers: Vec<u32> = numbers
                .filter(|n| !n.is_empty())
                .map(|n| n.parse::<f32>().expect("a number").to_bits())
                .collect();
            assert_eq!(numbers, bits(expected.1).as_flattened());
        }
    }
}

#[test]
fn gltf_has_the_skin_at_rest_and_displacements_that_lead_to_each_surface() {
    let sample = sample(6, 2);
    let folder = exported(&sample, ExportFormat::Gltf);
    let file = folder.path().join("recording.glb");
    let read = read_mesh(&file).expect("readable");
    assert_eq!(read.format, MeshFormat::Glb);
    let twice = [sample.skin.rest.as_slice(), &sample.skin.rest].concat();
    assert_eq!(single(&read.surface), bits(&twice));
    let glb = Glb::read(&file);
    let json = &glb.json;
    let numbers = |accessor: &Value| glb.numbers(accessor);
    for (m, name) in ["adaptive", "lattice"].iter().enumerate() {
        let mesh = &json["meshes"][m];
        assert_eq!(mesh["name"], *name);
        let targets = mesh["primitives"][0]["targets"]
            .as_array()
            .expect("targets");
        assert_eq!(targets.len(), 3);
        for (k, target) in targets.iter().enumerate() {
            let moved = numbers(&target["POSITION"]);
            let rest = sample.skin.rest.as_flattened();
            let expected = sample.surfaces[2 * k + 1][m].positions.as_flattened();
            let mut inexact = 0;
            for ((moved, rest), x) in moved.iter().zip(rest).zip(expected) {
                let found = rest + moved;
                inexact += usize::from(found != *x);
                assert!(
                    (found - x).abs() <= f32::EPSILON * (rest.abs() + x.abs()),
                    "{x} {found}"
                );
            }
            assert!(inexact * 20 <= expected.len(), "{inexact}");
        }
    }
    let sampler = &json["animations"][0]["samplers"][0];
    let times: Vec<f32> = [0.0, 2.0, 4.0, 6.0].map(|k| (k / 60.0_f64) as f32).to_vec();
    assert_eq!(numbers(&sampler["input"]), times);
    let weights = numbers(&sampler["output"]);
    let rows = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    assert_eq!(weights, rows.as_flattened());
}

#[test]
fn displacements_are_exact_where_an_exact_number_exists() {
    let rest = [[0.1_f32, -0.1, 1e-3]];
    let near = [[0.100_003_f32, -0.0999, 1.2e-3]];
    let moved = gltf::displacements(&near, &rest);
    for axis in 0..3 {
        assert_eq!(rest[0][axis] + moved[0][axis], near[0][axis]);
    }
}

#[test]
fn the_table_has_every_frame_and_leaves_empty_what_was_not_computed() {
    let sample = sample(5, 0);
    let folder = exported(&sample, ExportFormat::Csv);
    let text = std::fs::read_to_string(folder.path().join("recording.csv")).expect("there");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6);
    assert!(lines[0].starts_with("time_s,\"tool.finger, left.x_m\","));
    // commas inside quotes do not separate fields
    let names = lines[0].replace("finger, left", "finger left");
    let names: Vec<&str> = names.split(',').collect();
    let column = |name: &str| names.iter().position(|h| h.trim_matches('"') == name);
    let fields: Vec<Vec<&str>> = lines
        .iter()
        .skip(1)
        .map(|l| l.split(',').collect())
        .collect();
    assert!(fields.iter().all(|f| f.len() == names.len()));
    let norm = column("adaptive.force.finger left_n").expect("a column");
    let stopped = column("lattice.probe.tip.x_m").expect("a column");
    for (k, fields) in fields.iter().enumerate() {
        let force = sample.frames[k].methods[0].wrenches[0].force.norm();
        assert_eq!(fields[norm].parse(), Ok(force));
        assert_eq!(fields[stopped].is_empty(), k >= 3);
        assert_eq!(fields[0].parse(), Ok(sample.frames[k].time));
    }
}

#[test]
fn an_export_that_is_not_possible_is_refused_with_its_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let (at, progress) = (folder.path(), Progress::new());
    let attempt = |(frames, every): (u32, u32), format, at: &Path| {
        let bytes = sample(frames, every).bytes();
        let recording = Recording::read(&bytes).expect("whole");
        export(&recording, format, at, &progress)
    };
    for (frames, every, remedy) in [(4, 0, "--record-every 1"), (4, 9, "smaller")] {
        for format in ExportFormat::ALL {
            match (format, attempt((frames, every), format, at)) {
                (ExportFormat::Csv, result) => assert!(result.is_ok()),
                (_, Err(error @ ExportError::NoSurfaces { .. })) => {
                    assert!(error.to_string().contains(remedy), "{error}");
                }
                (_, other) => panic!("{other:?}"),
            }
        }
    }
    // 4 bytes for each pair of targets
    let result = attempt((33_000, 1), ExportFormat::Gltf, at);
    assert!(matches!(result, Err(ExportError::TooLarge { bytes, .. }) if bytes > 1 << 32));
    let result = attempt((4, 1), ExportFormat::Csv, &at.join("recording.csv"));
    assert!(matches!(result, Err(ExportError::Unwritable { .. })));
    progress.cancel();
    let result = attempt((4, 1), ExportFormat::Vtk, at);
    assert!(matches!(result, Err(ExportError::Cancelled)));
}
