//! Files that a command needs beside the one that it was given: those that are missing are named, and those that vanish do no harm.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::program::Place;
use super::vanishing::survives_without;
use super::{done, files, program, refused, small};
use small::folder;

/// Corners of a cube of 0.1 m, its faces in two triangles each, and the tetrahedra between them.
const CORNERS: [[f32; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [0.1, 0.0, 0.0],
    [0.1, 0.1, 0.0],
    [0.0, 0.1, 0.0],
    [0.0, 0.0, 0.1],
    [0.1, 0.0, 0.1],
    [0.1, 0.1, 0.1],
    [0.0, 0.1, 0.1],
];
const TRIANGLES: [[u16; 3]; 12] = [
    [0, 3, 2],
    [0, 2, 1],
    [4, 5, 6],
    [4, 6, 7],
    [0, 1, 5],
    [0, 5, 4],
    [2, 3, 7],
    [2, 7, 6],
    [0, 4, 7],
    [0, 7, 3],
    [1, 2, 6],
    [1, 6, 5],
];
const TETRAHEDRA: [[u16; 4]; 5] = [
    [0, 1, 2, 5],
    [0, 2, 3, 7],
    [0, 5, 7, 4],
    [2, 5, 6, 7],
    [0, 2, 7, 5],
];
/// Vertices of the skin of the small scene: 5 x 3 x 5 corners of cells without those inside.
const SKIN: usize = 5 * 3 * 5 - 3 * 3;

/// The cube as a glTF file, with its numbers in a file of their own.
fn write_gltf(at: &Path) {
    let corners = CORNERS.as_flattened().iter().flat_map(|x| x.to_le_bytes());
    let mut numbers: Vec<u8> = corners.collect();
    let split = numbers.len();
    numbers.extend(
        TRIANGLES
            .as_flattened()
            .iter()
            .flat_map(|v| v.to_le_bytes()),
    );
    let text = json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "uri": "cube.bin", "byteLength": numbers.len() }],
        "bufferViews": [
            { "buffer": 0, "byteOffset": 0, "byteLength": split },
            { "buffer": 0, "byteOffset": split, "byteLength": numbers.len() - split },
        ],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": CORNERS.len(), "type": "VEC3" },
            { "bufferView": 1, "componentType": 5123, "count": 3 * TRIANGLES.len(), "type": "SCALAR" },
        ],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "nodes": [{ "mesh": 0 }],
        "scenes": [{ "nodes": [0] }],
        "scene": 0,
    });
    fs::write(at.join("cube.gltf"), text.to_string()).expect("written");
    fs::write(at.join("cube.bin"), numbers).expect("written");
}

/// Rows of a file of TetGen, with their numbers before them.
fn rows<T: ToString, const N: usize>(head: &str, rows: &[[T; N]]) -> String {
    let row = |(k, row): (usize, &[T; N])| {
        let words: Vec<String> = row.iter().map(T::to_string).collect();
        format!("{k} {}\n", words.join(" "))
    };
    let rows: String = rows.iter().enumerate().map(row).collect();
    format!("{} {head}\n{rows}", rows.lines().count())
}

/// The cube as files of TetGen.
fn write_tetgen(at: &Path) {
    fs::write(at.join("cube.node"), rows("3 0 0", &CORNERS)).expect("written");
    fs::write(at.join("cube.ele"), rows("4 0", &TETRAHEDRA)).expect("written");
    fs::write(at.join("cube.face"), rows("0", &TRIANGLES)).expect("written");
}

/// Columns of springs for the small scene: each vertex gives way by itself.
fn write_columns(at: &Path) {
    let n = 3 * SKIN;
    let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({n}, {n}), }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    let number = |k: usize| {
        if k.is_multiple_of(n + 1) {
            1e-3_f64
        } else {
            0.0
        }
    };
    bytes.extend((0..n * n).flat_map(|k| number(k).to_le_bytes()));
    fs::write(at.join("columns.npy"), bytes).expect("written");
    let all: String = (0..SKIN).map(|v| format!("{v}\n")).collect();
    fs::write(at.join("pushed.txt"), all).expect("written");
}

/// A folder with all of these, and with Green's functions that a scene takes from a file.
fn filled() -> Place {
    let at = folder();
    write_gltf(&at);
    write_tetgen(&at);
    write_columns(&at);
    done(&at, "gf small.toml --out kept.pgf");
    let of_file = "quasistatic = { generator = \"asset\", asset = \"kept.pgf\" }\n";
    fs::write(at.join("asset.toml"), small::SCENE.to_string() + of_file).expect("written");
    at
}

/// Commands, each with a file without which it cannot do its work.
const COMMANDS: [(&str, &str); 11] = [
    ("run asset.toml --method quasistatic", "kept.pgf"),
    ("gf asset.toml --out again.pgf", "kept.pgf"),
    ("servo asset.toml --seconds 0.05", "kept.pgf"),
    (
        "gf small.toml --import columns.npy --out own.pgf",
        "columns.npy",
    ),
    (
        "gf small.toml --import columns.npy --import-vertices pushed.txt --out own.pgf",
        "pushed.txt",
    ),
    ("check cube.gltf", "cube.bin"),
    ("mesh cube.gltf --nodes 60,200 --out meshes", "cube.bin"),
    ("voxelise cube.gltf --out cells.vtu", "cube.bin"),
    ("check cube.ele", "cube.node"),
    ("mesh cube.ele --nodes 60,200 --out meshes", "cube.node"),
    ("remesh cube.face --levels 1 --out remeshed", "cube.node"),
];

#[test]
fn a_file_beside_another_that_is_missing_is_named() {
    let at = &filled();
    for (words, gone) in COMMANDS {
        let kept = fs::read(at.join(gone)).expect("it is there");
        fs::remove_file(at.join(gone)).expect("removed");
        let before = files(at);
        let output = program(at).args(words.split(' ')).output();
        refused(&output.expect("it starts"), gone);
        let is_new =
            |path: &&PathBuf| !before.contains(path) && !path.starts_with(at.join("cache"));
        let left = files(at);
        assert_eq!(left.iter().find(is_new), None, "{words}");
        fs::write(at.join(gone), kept).expect("written");
    }
}

#[test]
fn a_file_beside_another_that_vanishes_ends_in_a_result_or_in_one_line() {
    let at = &filled();
    let greens = fs::read(at.join("kept.pgf")).expect("Green's functions");
    for (words, gone) in COMMANDS {
        survives_without(at, words, gone, &|| {
            write_gltf(at);
            write_tetgen(at);
            write_columns(at);
            fs::write(at.join("kept.pgf"), &greens).expect("written");
        });
    }
}

#[test]
fn nodes_without_elements_or_faces_are_no_mesh_and_say_so() {
    let at = &filled();
    for file in ["cube.ele", "cube.face"] {
        done(at, "check cube.node");
        fs::remove_file(at.join(file)).expect("removed");
    }
    let output = program(at).args(["check", "cube.node"]).output();
    refused(&output.expect("it starts"), "cube.node");
}
