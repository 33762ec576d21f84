//! The same bodies through every format.

use std::path::Path;

use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_surface, box_tets};
use pliant_core::mesh::{VoxelGrid, VoxelParticles};

use crate::io::error::ReadError;
use crate::io::formats::{abaqus, gltf, gmsh, medit, vtk};
use crate::io::mesh_file::{MeshFormat, ReadOptions};
use crate::io::read::{read_mesh, read_mesh_bytes, read_mesh_bytes_with};
use crate::io::write::{write_obj, write_vtu_tets, write_vtu_voxels};
use crate::test_bodies::assert_contains;

const OBJ: &[u8] = b"# caf\xe9\r\nmtllib \xff.mtl\r\no t\xe9\r\nv 0 0 0\r\nv 1.0e0 0 0 1\r\nv 0 1 0\r\nvt 0 0\r\nv 0 0 1\r\nvn 0 0 1\r\ng a\r\nf 1/1/1 3/1/1 2/1/1\r\nf 1//1 2//1 4//1\r\nf -3/1 \\\r\n  -2/1 -1/1\r\nf -4 -1 -2\r\nl 1 2\r\n";
const OFF: &[u8] = b"COFF 4 4 6 # counts on the line\n0 0 0 255 0 0 255\n1 0 0 1 1 1 1\n\n0 1 0 0 0 0 0\n0 0 1 0 0 0 0\n3 0 2 1 200 0 0\n3 0 1 3\n3 1 2 3\n3 0 3 2\n";
const PLY: &[u8] = b"ply\nformat ascii 1.0\ncomment hi\nelement vertex 4\nproperty float x\nproperty uchar red\nproperty float y\nproperty double z\nelement face 4\nproperty uchar flag\nproperty list uchar int vertex_indices\nelement edge 1\nproperty int a\nend_header\n0 9 0 0\n1 9 0 0\n0 9 1 0\n0 9 0 1\n7 3 0 2 1\n7 3 0 1 3\n7 3 1 2 3\n7 3 0 3 2\n5\n";
const STL: &[u8] = b"solid caf\xe9\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nVERTEX 1 0 0\nendloop\nendfacet\n facet normal nan 0 0\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 0 0 1\n endloop\n endfacet\nendsolid\n";

fn tetrahedron() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    (
        vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()],
        vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
    )
}

fn samples() -> Vec<(MeshFormat, Vec<u8>)> {
    vec![
        (MeshFormat::Gltf, gltf::tests::embedded().into_bytes()),
        (MeshFormat::Gmsh, gmsh::tests::VERSION_2.to_vec()),
        (MeshFormat::Gmsh, gmsh::tests::VERSION_4_1.to_vec()),
        (MeshFormat::VtkText, vtk::legacy::tests::POLYDATA.to_vec()),
        (
            MeshFormat::VtkText,
            vtk::legacy::tests::GRID_VERSION_5.to_vec(),
        ),
        (MeshFormat::Vtu, vtk::xml_file::tests::TEXT.to_vec()),
        (MeshFormat::Vtp, vtk::xml_file::tests::raw_polydata()),
        (MeshFormat::Medit, medit::tests::TETS.to_vec()),
        (MeshFormat::Abaqus, abaqus::tests::TETS.to_vec()),
    ]
}

fn error_of(bytes: &[u8]) -> ReadError {
    read_mesh_bytes(bytes).expect_err("must not be read")
}

#[test]
fn the_same_tetrahedron_comes_out_of_every_indexed_format() {
    let (positions, triangles) = tetrahedron();
    for (bytes, format) in [
        (OBJ, MeshFormat::Obj),
        (OFF, MeshFormat::Off),
        (PLY, MeshFormat::PlyText),
    ] {
        let file = read_mesh_bytes(bytes).expect("a tetrahedron");
        assert_eq!(file.format, format);
        assert_eq!(file.surface.positions, positions, "{format:?}");
        assert_eq!(file.surface.triangles, triangles, "{format:?}");
    }
}

#[test]
fn stl_keeps_three_corners_a_triangle_and_ignores_its_normals() {
    let file = read_mesh_bytes(STL).expect("text");
    assert_eq!(file.format, MeshFormat::StlText);
    assert_eq!(file.surface.triangles, [[0, 1, 2], [3, 4, 5]]);
    assert_eq!(file.surface.positions[5], Vec3::z());
}

#[test]
fn a_file_that_is_cut_before_its_last_face_is_never_read_in_silence() {
    // OBJ has no count that could tell
    for bytes in [OFF, PLY, STL] {
        for length in (bytes.len() / 2)..(bytes.len() * 3 / 4) {
            match read_mesh_bytes(&bytes[..length]) {
                Ok(file) => assert_ne!(file.notes, Vec::<String>::new(), "cut between facets"),
                Err(error) => assert!(error.place().is_some(), "{error}"),
            }
        }
    }
}

#[test]
fn every_sample_is_recognised_and_no_cut_before_its_last_cell_is_read_in_silence() {
    for (format, bytes) in samples() {
        assert_eq!(read_mesh_bytes(&bytes).expect("a good file").format, format);
        for length in (bytes.len() / 4)..(bytes.len() / 2) {
            if let Ok(file) = read_mesh_bytes(&bytes[..length]) {
                assert_ne!(file.notes, Vec::<String>::new(), "{format:?} at {length}");
            }
        }
    }
}

#[test]
fn errors_name_code_and_place() {
    #[rustfmt::skip]
    let rows = [
        (b"".as_slice(), "EmptyFile", None),
        (b"v 0 0 0\nv 1 0\n", "Syntax", Some("line 2")),
        (b"v 0 0 0\nf 1 1 x\n", "Syntax", Some("line 2")),
        (b"v 0 0 0\n\nf 1 2 3\n", "IndexOutOfRange", Some("line 3")),
        (b"v 0 0 0\nf -1 -2 -3\n", "IndexOutOfRange", Some("line 2")),
        (b"v 0 0 0\nf 0 1 1\n", "IndexOutOfRange", Some("line 2")),
        (b"v 0 0 1e999\n", "NonFinite", Some("line 1")),
        (b"v 0 0 0\nv 1 0 0\nl 1 2\n", "NoTriangles", None),
        (b"OFF\n99999999 1 0\n", "TooManyClaimed", Some("line 2")),
        (b"OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "IndexOutOfRange", Some("line 5")),
        (b"OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n999999999 0 1 3\n", "Syntax", Some("line 5")),
        (b"ply\nformat ascii 1.0\nelement vertex -1\n", "Syntax", Some("line 3")),
        (b"ply\nformat ascii 1.0\nelement vertex 4000000000\n", "TooManyClaimed", Some("line 3")),
        (b"solid\nfacet\nvertex 0 0 0\nvertex 1 0 0\nendfacet\n", "Syntax", Some("line 5")),
        (b"{\"assets\": {}}", "UnknownFormat", None),
    ];
    for (bytes, code, place) in rows {
        let error = error_of(bytes);
        assert_eq!(error.code(), code, "{error}");
        assert_eq!(error.place().as_deref(), place, "{error}");
        assert!(error.to_string().contains("\n  remedy: "), "{error}");
    }
}

#[test]
fn a_vertex_that_does_not_exist_is_told_with_how_many_there_are() {
    for (vertices, words) in [
        ("", "uses vertex 5, but there is none\n"),
        ("v 0 0 0\n", "uses vertex 5, but there is only one\n"),
        (
            "v 0 0 0\nv 1 0 0\n",
            "uses vertex 5, but there are 2 vertices\n",
        ),
    ] {
        let text = error_of(format!("{vertices}f 5 5 5\n").as_bytes()).to_string();
        assert_contains(&text, words);
    }
}

#[test]
fn non_finite_vertices_can_be_kept_for_the_report() {
    let options = ReadOptions {
        keep_non_finite: true,
    };
    let bytes = b"v 0 0 nan\nv 1 0 0\nv 0 1 inf\nf 1 2 3\n";
    let file = read_mesh_bytes_with(bytes, &options).expect("kept");
    assert_eq!(file.surface.positions.len(), 3);
}

#[test]
fn what_is_not_a_file_says_so() {
    let folder = std::env::temp_dir();
    let code = |path: &Path| read_mesh(path).expect_err("no file").code();
    assert_eq!(code(&folder), "NotAFile");
    let missing = folder.join("pliant-no-such-file.obj");
    assert_eq!(code(&missing), "FileNotFound");
}

fn scratch(name: &str) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("pliant-io-{}-{name}", std::process::id()))
}

#[test]
fn a_written_obj_reads_back_bit_for_bit() {
    let mut surface = box_surface(Vec3::new(0.3, 0.7, 0.1), [3, 2, 2], CellStyle::Alternating);
    for (k, p) in surface.positions.iter_mut().enumerate() {
        *p *= (k as f64 * 0.37).sin() * 1e-9 + 1.0 / 3.0;
    }
    let path = scratch("round.obj");
    write_obj(&path, &surface).expect("written");
    let back = read_mesh(&path).expect("read");
    std::fs::remove_file(&path).expect("removed");
    assert_eq!(back.surface, surface);
    assert_eq!(back.notes, Vec::<String>::new());
}

#[test]
fn vtu_files_hold_the_points_and_cells_in_base64() {
    let mesh = box_tets(Vec3::repeat(1.0), [1, 1, 1], CellStyle::Kuhn);
    let path = scratch("tets.vtu");
    write_vtu_tets(&path, &mesh).expect("written");
    let text = std::fs::read_to_string(&path).expect("text");
    assert_contains(&text, "NumberOfPoints=\"8\" NumberOfCells=\"6\"");
    // eight bytes of length 6, then six times ten
    assert_contains(&text, "BgAAAAAAAAAKCgoKCgo=");
    let back = read_mesh(&path).expect("read");
    assert_eq!(back.format, MeshFormat::Vtu);
    assert_eq!(back.surface, mesh.boundary().surface);
    assert_eq!(back.tets, Some(mesh));
    assert_eq!(back.notes, Vec::<String>::new());
    let grid = VoxelGrid::new(Vec3::zeros(), 0.5, [2, 1, 2], vec![true, true, false, true]);
    let particles = VoxelParticles::new(&grid);
    let component = particles.components(&grid);
    write_vtu_voxels(&path, &grid, &particles, &component).expect("written");
    let text = std::fs::read_to_string(&path).expect("text");
    std::fs::remove_file(&path).expect("removed");
    assert_contains(&text, "NumberOfPoints=\"16\" NumberOfCells=\"3\"");
    // twelve bytes of length, then three times zero, for both
    assert_eq!(text.matches("DAAAAAAAAAAAAAAAAAAAAAAAAAA=").count(), 2);
    assert!(text.contains("Name=\"copy\"") && text.contains("Name=\"component\""));
}
