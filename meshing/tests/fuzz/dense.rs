//! Files with as much content as possible per byte: no reader may allocate more than twenty bytes per byte of them.

use std::time::Instant;

use pliant_fuzzing::peak_of;
use pliant_meshing::io::read_mesh_bytes;

use super::corpus::gltf::glb;
use super::judge::{LONGEST, MOST_A_BYTE};

/// Approximate length of each file.
const LENGTH: usize = 1 << 20;
/// Allowance for memory that does not grow with the file.
const FIXED_ALLOWANCE: usize = 64 << 10;

/// `head`, many copies of `line`, then `tail`; `{}` in head and tail is replaced by the number of copies.
fn repeated(head: impl AsRef<str>, line: &str, tail: &str) -> Vec<u8> {
    let times = LENGTH / line.len();
    let count = times.to_string();
    let head = head.as_ref().replace("{}", &count);
    (head + &line.repeat(times) + &tail.replace("{}", &count)).into_bytes()
}

/// Names and contents of files, from their names, heads, repeated lines and tails.
macro_rules! repeated_lines {
    ($($name:literal: $head:expr, $line:literal, $tail:literal;)+) => {
        vec![$(($name, repeated($head, $line, $tail))),+]
    };
}

/// Mode of PLY files.
const BINARY: &str = "binary_little_endian";

/// The header of a PLY file with these numbers of vertices and faces.
fn ply(mode: &str, vertices: &str, faces: &str) -> String {
    format!(
        "ply\nformat {mode} 1.0\nelement vertex {vertices}\nproperty char x\nproperty char y\nproperty char z\nelement face {faces}\nproperty list char char vertex_index\nend_header\n"
    )
}

/// Names and contents.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let points = "0 0 0 1 0 0 0 1 0 0 0 1";
    let mut all = repeated_lines! {
        "OBJ vertices": "", "v 0 0 0\n", "f 1 2 3\n";
        "OBJ triangles": "v 0 0 0\n", "f 1 1 1\n", "";
        "OBJ quadrilaterals": "v 0 0 0\n", "f 1 1 1 1\n", "";
        "OBJ short faces": "v 0 0 0\nf 1 1 1\n", "f\n", "";
        "OBJ lines": "v 0 0 0\nf 1 1 1\n", "l\n", "";
        "OBJ polygon": "v 0 0 0\nf", " 1", "\n";
        "OBJ continued": "v 0 0 0\nf 1 1 1", "\\\n", "\n";
        "OFF vertices": "OFF {} 1 0\n", "0 0 0\n", "3 0 1 2\n";
        "OFF triangles": "OFF 1 {} 0\n0 0 0\n", "3 0 0 0\n", "";
        "STL": "solid\n", "facet\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\nendfacet\n", "endsolid\n";
        "STL polygon": "solid\nfacet\n", "vertex 0 0 0\n", "endfacet\nendsolid\n";
        "PLY vertices": ply("ascii", "{}", "1"), "0 0 0\n", "3 0 0 0\n";
        "PLY triangles": ply("ascii", "1", "{}") + "0 0 0\n", "3 0 0 0\n", "";
        "PLY binary vertices": ply(BINARY, "{}", "1"), "\0\0\0", "\x03\0\0\0";
        "PLY binary triangles": ply(BINARY, "1", "{}") + "\0\0\0", "\x03\0\0\0", "";
        "PLY elements": "ply\n", "element a 1\n", "format ascii 1.0\nend_header\n";
        "PLY elements of nothing": "ply\nformat binary_little_endian 1.0\n", "element a 1000000\n", "end_header\n";
        "PLY properties": "ply\nelement a 1\n", "property int a\n", "format ascii 1.0\nend_header\n";
        "Gmsh 2 tetrahedra": "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n$EndNodes\n$Elements\n{}\n", "0 4 0 0 1 2 3\n", "$EndElements\n";
        "Gmsh 2 triangles": "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n0 0 0 0\n$EndNodes\n$Elements\n{}\n", "0 2 0 0 0 0\n", "$EndElements\n";
        "Gmsh 4 blocks": "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n{} 1 1 1\n", "0 0 0 0\n", "$EndNodes\n";
        "Medit vertices": "MeshVersionFormatted 1 Dimension 3 Vertices {}\n", "0 0 0 0\n", "Triangles 1 1 1 1 0 End";
        "Medit triangles": "MeshVersionFormatted 1 Dimension 3 Vertices 1 0 0 0 0 Triangles {}\n", "1 1 1 0\n", "End";
        "Medit tetrahedra": "MeshVersionFormatted 1 Dimension 3 Vertices 4 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 Tetrahedra {}\n", "1 2 3 4 0\n", "End";
        "Abaqus nodes": "*NODE\n", "1,0,0,0\n", "*ELEMENT,TYPE=S3\n1,1,1,1\n";
        "Abaqus triangles": "*NODE\n1,0,0,0\n*ELEMENT,TYPE=S3\n", "1,1,1,1\n", "";
        "Abaqus tetrahedra": "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n*ELEMENT,TYPE=C3D4\n", "1,1,2,3,4\n", "";
        "Abaqus keywords": "*NODE\n1,0,0,0\n", "*ELEMENT,TYPE=\n1\n", "";
        "Abaqus parameters": "*NODE,", "a=,\n", "\n1,0,0,0\n";
        "VTK points": "# vtk DataFile Version 3.0\na\nASCII\nDATASET POLYDATA\nPOINTS {} float\n", "0 0 0\n", "POLYGONS 1 4 3 0 0 0\n";
        "VTK strips": "# vtk DataFile Version 3.0\na\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n0 0 0 0 0 0 0 0 0 TRIANGLE_STRIPS 1 524287\n524286\n", "0 1 2 ", "";
        "VTU text": format!("<VTKFile type='UnstructuredGrid'><UnstructuredGrid><Piece NumberOfPoints='4' NumberOfCells='1'><Points><DataArray type='Int8' format='ascii'>{points}</DataArray></Points><Cells><DataArray type='Int8' Name='connectivity' format='ascii'>"), "0 1 2 3 ", "</DataArray><DataArray type='Int8' Name='offsets' format='ascii'>4</DataArray><DataArray type='Int8' Name='types' format='ascii'>10</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>";
        "VTU pieces": "<VTKFile type='PolyData'><PolyData>", "<Piece>", "</PolyData></VTKFile>";
        "VTU arrays": "<VTKFile type='PolyData'><PolyData><Piece><Polys>", "<DataArray type='Int8'>", "</Polys></Piece></PolyData></VTKFile>";
        "glTF numbers": r#"{"asset":{"version":"2.0"},"a":["#, "0,", "0]}";
        "glTF lists": r#"{"asset":{"version":"2.0"},"a":["#, "[],", "0]}";
        "glTF lists of one": r#"{"asset":{"version":"2.0"},"a":["#, "[0],", "0]}";
        "glTF names": r#"{"asset":{"version":"2.0"},"#, r#""":0,"#, r#""a":0}"#;
        "glTF tables": r#"{"asset":{"version":"2.0"},"a":["#, r#"{"":0},"#, "0]}";
        "glTF deep": r#"{"asset":{"version":"2.0"},"a":"#, "[", "";
        "glTF buffers": r#"{"asset":{"version":"2.0"},"buffers":["#, r#"{"uri":"data:,"},"#, "0]}";
    };
    for (name, head) in [
        ("VTU strips of bytes", STRIPS_OF_BYTES),
        ("VTU points of bytes", POINTS_OF_BYTES),
    ] {
        let mut bytes = head.as_bytes().to_vec();
        bytes.extend(1_048_575_u32.to_le_bytes());
        bytes.extend([0, 1, 2].repeat(1_048_575 / 3));
        all.push((name, bytes));
    }
    all.push(("glTF bytes", quantised()));
    all.push(("glTF names and primitives", many_names()));
    all
}

/// Triangle strips whose indices take one byte each, up to the bytes.
const STRIPS_OF_BYTES: &str = "<VTKFile type='PolyData'><PolyData><Piece NumberOfPoints='3'><Points><DataArray type='Int8' format='ascii'>0 0 0 1 0 0 0 1 0</DataArray></Points><Strips><DataArray type='UInt8' Name='connectivity' format='appended' offset='0'/><DataArray type='Int32' Name='offsets' format='ascii'>1048575</DataArray></Strips></Piece></PolyData><AppendedData encoding='raw'>_";

/// Points of three bytes each.
const POINTS_OF_BYTES: &str = "<VTKFile type='PolyData'><PolyData><Piece NumberOfPoints='349525'><Points><DataArray type='Int8' format='appended' offset='0'/></Points><Polys><DataArray type='UInt8' Name='connectivity' format='ascii'>0 1 2</DataArray><DataArray type='Int32' Name='offsets' format='ascii'>3</DataArray></Polys></Piece></PolyData><AppendedData encoding='raw'>_";

/// A GLB whose positions take three bytes each and are used by strips without indices.
fn quantised() -> Vec<u8> {
    let count = LENGTH / 3;
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"mode":5}}]}}],"accessors":[{{"bufferView":0,"componentType":5120,"count":{count},"type":"VEC3"}}],"bufferViews":[{{"buffer":0,"byteLength":{}}}],"buffers":[{{"byteLength":{}}}]}}"#,
        3 * count,
        3 * count
    );
    glb(text, &[0, 1, 2].repeat(count))
}

/// A table of many names, and many primitives that look up names in it.
fn many_names() -> Vec<u8> {
    let names: String = (0..LENGTH / 40)
        .map(|k| format!(r#""{k:06}":0,"#))
        .collect();
    let primitive = r#"{"attributes":{"POSITION":0}},"#.repeat(LENGTH / 60);
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},{names}"meshes":[{{"primitives":[{primitive}{{"attributes":{{"POSITION":0}}}}]}}],"accessors":[{{"componentType":5126,"count":3,"type":"VEC3"}}]}}"#
    );
    text.into_bytes()
}

#[test]
fn dense_files_take_at_most_twenty_bytes_a_byte() {
    let mut violations: Vec<String> = Vec::new();
    for (name, bytes) in files() {
        let started = Instant::now();
        let (result, peak) = peak_of(|| read_mesh_bytes(&bytes));
        let elapsed = started.elapsed();
        let ratio = peak as f64 / bytes.len() as f64;
        println!(
            "{name}: {ratio:.1} bytes a byte, {}",
            result.map_or_else(|e| e.code(), |_| "read".into())
        );
        if peak > MOST_A_BYTE * bytes.len() + FIXED_ALLOWANCE {
            violations.push(format!("{name}: {ratio:.1} bytes a byte"));
        }
        if elapsed > LONGEST {
            violations.push(format!("{name}: {:.1} s", elapsed.as_secs_f64()));
        }
    }
    assert!(violations.is_empty(), "too much: {violations:?}");
}
