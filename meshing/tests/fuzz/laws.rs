//! What binary files hold, whatever their version, byte order and storage, and claims that no file can keep.

use pliant_meshing::io::{MeshFormat, read_mesh_bytes};

use super::corpus::vtk::{BINARY_STORAGES, Storage, grid, legacy};
use super::corpus::{binary, body, gltf, gmsh, surface};

#[test]
fn ply_of_both_byte_orders_and_binary_stl_hold_the_surface() {
    let ply = binary::ply();
    let formats = [
        MeshFormat::PlyText,
        MeshFormat::PlyLittleEndian,
        MeshFormat::PlyBigEndian,
    ];
    for (bytes, format) in ply.iter().zip(formats) {
        let file = read_mesh_bytes(bytes).expect("a box");
        assert_eq!(file.format, format);
        assert_eq!(file.surface, surface(), "{format:?}");
    }
    let stl = &binary::stl()[1];
    let file = read_mesh_bytes(stl).expect("a box");
    assert_eq!(file.format, MeshFormat::StlBinary);
    for t in 0..surface().triangles.len() {
        assert_eq!(file.surface.corners(t), surface().corners(t));
    }
    for bytes in [&ply[1], &ply[2], stl] {
        for end in bytes.len() / 2..bytes.len() * 3 / 4 {
            let error = read_mesh_bytes(&bytes[..end]).expect_err("cut");
            assert!(error.place().is_some(), "{error}");
        }
    }
}

#[test]
fn errors_in_binary_stl_name_the_byte() {
    let good = &binary::stl()[1];
    let mut claims_too_many = good.clone();
    claims_too_many[83] = 0x40;
    let mut no_number = good.clone();
    no_number[84 + 50 + 12..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    for (bytes, code, place) in [
        (&claims_too_many[..], "TooManyClaimed", "byte 80"),
        (&no_number[..], "NonFinite", "byte 146"),
        (&good[..200], "Truncated", "byte 200"),
    ] {
        let error = read_mesh_bytes(bytes).expect_err(code);
        assert_eq!(error.code(), code, "{error}");
        assert_eq!(error.place().as_deref(), Some(place), "{error}");
        assert!(error.to_string().contains("\n  remedy: "), "{error}");
    }
}

#[test]
fn both_containers_of_gltf_hold_the_same_surface() {
    let files = gltf::all();
    let [text, glb] = [0, 1].map(|k| read_mesh_bytes(&files[k]).expect("a surface"));
    assert_eq!(text.format, MeshFormat::Gltf);
    assert_eq!(glb.format, MeshFormat::Glb);
    assert_eq!(text.surface, glb.surface);
    for end in files[1].len() / 4..files[1].len() {
        let error = read_mesh_bytes(&files[1][..end]).expect_err("cut");
        assert_eq!(error.code(), "Truncated");
    }
}

#[test]
fn both_versions_and_modes_of_vtk_hold_the_same_body() {
    let files = legacy();
    for bytes in &files[1..] {
        let file = read_mesh_bytes(bytes).expect("a body");
        assert_eq!(file.tets, Some(body()));
        assert_eq!(file.surface, body().boundary().surface);
    }
    let binary = &files[2];
    let file = read_mesh_bytes(binary).expect("a body");
    assert_eq!(file.format, MeshFormat::VtkBinary);
    let notes = file.notes;
    assert!(
        notes[0].contains("1 wedges; the body is without"),
        "{notes:?}"
    );
    for end in binary.len() / 4..binary.len() / 2 {
        read_mesh_bytes(&binary[..end]).expect_err("cut");
    }
    let error = read_mesh_bytes(&binary[..100]).expect_err("cut");
    assert_eq!(error.code(), "Truncated");
    assert_eq!(error.place().as_deref(), Some("byte 100"));
}

#[test]
fn all_versions_and_byte_orders_of_gmsh_hold_the_same_body() {
    for version in ["2.2", "4", "4.1"] {
        for big_endian in [false, true] {
            let bytes = gmsh::binary(version, big_endian);
            let file = read_mesh_bytes(&bytes).expect(version);
            assert_eq!(file.format, MeshFormat::GmshBinary);
            assert_eq!(file.tets, Some(body()));
            let notes = file.notes;
            assert!(notes[0].contains("1 surface cells"), "{notes:?}");
            for end in 30..bytes.len() - 15 {
                let error = read_mesh_bytes(&bytes[..end]).expect_err("cut");
                assert!(error.place().is_some() || error.code() == "NoTriangles");
            }
        }
    }
}

#[test]
fn gmsh_files_that_claim_too_much_are_refused() {
    let good = gmsh::binary("4.1", false);
    let nodes = good.windows(6).position(|w| w == b"$Nodes").expect("there");
    let mut bad = good.clone();
    bad[nodes + 7 + 8 + 3] = 1;
    let error = read_mesh_bytes(&bad).expect_err("a claim");
    assert_eq!(error.code(), "TooManyClaimed");
    assert_eq!(error.place(), Some(format!("byte {}", nodes + 15)));
    let mut odd = good;
    odd[18] = b'2';
    let error = read_mesh_bytes(&odd).expect_err("numbers of 2 bytes");
    assert_eq!(error.code(), "Unsupported");
}

#[test]
fn compressed_arrays_of_vtu_in_every_place_hold_the_same_body() {
    for storage in BINARY_STORAGES {
        for big_endian in [false, true] {
            let bytes = grid(storage, true, big_endian);
            let file = read_mesh_bytes(&bytes).expect("a body");
            assert_eq!(file.tets, Some(body()), "{storage:?}");
            let end = bytes.windows(6).position(|w| w == b"</Unst");
            for at in end.expect("there")..bytes.len() {
                let mut bad = bytes.clone();
                bad[at] = bad[at].wrapping_add(1);
                let _ = read_mesh_bytes(&bad);
                let _ = read_mesh_bytes(&bytes[..at]);
            }
        }
    }
}

#[test]
fn a_small_vtu_file_cannot_unpack_without_end() {
    let good = grid(Storage::AppendedRaw, true, true);
    let start = good.windows(2).position(|w| w == b"\n_").expect("there") + 2;
    // blocks of 2^40 bytes, and so many blocks
    for (at, expected) in [(start + 8, "TooManyClaimed"), (start, "Truncated")] {
        let mut bad = good.clone();
        bad[at + 2] = 1;
        let error = read_mesh_bytes(&bad).expect_err("too large");
        assert_eq!(error.code(), expected, "{error}");
    }
}
