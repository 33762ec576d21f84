//! Exports of bodies that are cut: triangles change with time.

use pliant_meshing::io::read_mesh;
use serde_json::Value;

use super::{Glb, bits, exported, single};
use crate::contents::{Skin, Surface};
use crate::export::ExportFormat;
use crate::testing::{Sample, cut_sample};

/// The surface to show of the method that is cut, at the end of a frame.
fn shown(sample: &Sample, frame: usize) -> (&Skin, &[[f32; 3]]) {
    let surface: &Surface = &sample.surfaces[frame][1];
    surface.shown(&sample.skin)
}

#[test]
fn files_of_single_surfaces_have_the_triangles_of_their_frame() {
    let sample = cut_sample(8, 1);
    for (format, ending) in [(ExportFormat::Vtk, "vtp"), (ExportFormat::Obj, "obj")] {
        let folder = exported(&sample, format);
        let mut counts = Vec::new();
        for frame in 0..8 {
            let file = format!("{0}/lattice-{frame:06}.{ending}", format.name());
            let read = read_mesh(&folder.path().join(file)).expect("readable");
            let (skin, positions) = shown(&sample, frame);
            assert_eq!(read.surface.triangles, skin.triangles, "{frame}");
            assert_eq!(single(&read.surface), bits(positions), "{frame}");
            counts.push(read.surface.triangles.len() - sample.skin.triangles.len());
        }
        assert_eq!(counts, [0, 0, 2, 2, 4, 4, 4, 0]);
    }
}

#[test]
fn usd_has_triangles_over_time_where_they_change_and_only_there() {
    let sample = cut_sample(8, 1);
    let folder = exported(&sample, ExportFormat::Usd);
    let text = std::fs::read_to_string(folder.path().join("recording.usda")).expect("there");
    let meshes: Vec<&str> = text.split("def Mesh ").skip(1).collect();
    assert!(meshes[0].contains("int[] faceVertexIndices = ["));
    assert!(!meshes[0].contains("faceVertexIndices.timeSamples"));
    assert!(!meshes[1].contains("int[] faceVertexIndices = ["));
    let samples = |name: &str| -> Vec<(usize, Vec<f32>)> {
        let (_, after) = meshes[1]
            .split_once(&format!("{name}.timeSamples = {{\n"))
            .expect("samples");
        let lines = after.lines().take_while(|line| line.trim() != "}");
        let parsed = lines.map(|line| {
            let (code, numbers) = line.split_once(": [").expect("a sample");
            let numbers = numbers.split(|c: char| "(),] ".contains(c));
            let numbers = numbers.filter(|n| !n.is_empty());
            let numbers = numbers.map(|n| n.parse().expect("a number")).collect();
            (code.trim().parse().expect("a frame"), numbers)
        });
        parsed.collect()
    };
    let corners = samples("faceVertexIndices");
    let codes: Vec<usize> = corners.iter().map(|(code, _)| *code).collect();
    // at rest, cut, cut again, whole again
    assert_eq!(codes, [0, 3, 5, 8]);
    for (code, found) in &corners {
        let skin = match code.checked_sub(1) {
            None => &sample.skin,
            Some(frame) => shown(&sample, frame).0,
        };
        let expected = skin.triangles.as_flattened().iter();
        assert!(
            expected.map(|v| *v as f32).eq(found.iter().copied()),
            "{code}"
        );
    }
    let counts = samples("faceVertexCounts");
    for ((_, counts), (_, corners)) in counts.iter().zip(&corners) {
        assert_eq!(3 * counts.len(), corners.len());
    }
    let points = samples("points");
    assert_eq!(points.len(), 9);
    for (code, found) in &points[1..] {
        assert_eq!(found, shown(&sample, code - 1).1.as_flattened(), "{code}");
    }
}

#[test]
fn gltf_has_a_mesh_for_each_segment_and_shows_one_at_a_time() {
    let sample = cut_sample(8, 1);
    let folder = exported(&sample, ExportFormat::Gltf);
    let file = folder.path().join("recording.glb");
    read_mesh(&file).expect("readable");
    let glb = Glb::read(&file);
    let json = &glb.json;
    let numbers = |accessor: &Value| glb.numbers(accessor);
    let names: Vec<&str> = (0..5)
        .filter_map(|k| json["nodes"][k]["name"].as_str())
        .collect();
    assert_eq!(
        names,
        [
            "adaptive",
            "lattice",
            "lattice cut 1",
            "lattice cut 2",
            "lattice cut 3"
        ]
    );
    // the node of the body that stays whole has no scale
    assert!(json["nodes"][0]["scale"].is_null());
    let channels = json["animations"][0]["channels"]
        .as_array()
        .expect("channels");
    let sampler = |node: usize, path: &str| {
        let own = |c: &&Value| c["target"]["node"] == node && c["target"]["path"] == path;
        let channel = channels.iter().find(own)?;
        Some(&json["animations"][0]["samplers"][channel["sampler"].as_u64()? as usize])
    };
    assert!(sampler(0, "scale").is_none());
    // at the time of each frame and between two of them one node is visible, with the triangles of that frame
    let time = |frame: usize| (sample.frames[frame].time) as f32;
    for frame in 0..8 {
        for at in [time(frame), time(frame) + 1e-3] {
            let scale = |node: usize| {
                let sampler = sampler(node, "scale").expect("a scale");
                assert_eq!(sampler["interpolation"], "STEP");
                let (keys, scales) = (numbers(&sampler["input"]), numbers(&sampler["output"]));
                let last = keys.iter().rposition(|key| *key <= at).unwrap_or(0);
                scales[3 * last]
            };
            let visible: Vec<usize> = (1..5).filter(|node| scale(*node) > 0.0).collect();
            let [node] = visible[..] else {
                panic!("{visible:?} at {at}")
            };
            let primitive = &json["meshes"][node]["primitives"][0];
            let (skin, positions) = shown(&sample, frame);
            let corners = glb.words(&primitive["indices"]);
            assert_eq!(corners, skin.triangles.as_flattened());
            let weights = sampler(node, "weights").expect("weights");
            let (keys, rows) = (numbers(&weights["input"]), numbers(&weights["output"]));
            let row = keys
                .iter()
                .position(|key| *key == time(frame))
                .expect("a key");
            let targets = primitive["targets"].as_array().expect("targets");
            let row = &rows[row * targets.len()..(row + 1) * targets.len()];
            let target = row.iter().position(|weight| *weight == 1.0).expect("one");
            let moved = numbers(&targets[target]["POSITION"]);
            let rest = numbers(&primitive["attributes"]["POSITION"]);
            for ((rest, moved), x) in rest.iter().zip(&moved).zip(positions.as_flattened()) {
                assert!((rest + moved - x).abs() <= f32::EPSILON * (rest.abs() + x.abs()));
            }
        }
    }
}
