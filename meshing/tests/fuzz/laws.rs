//! What binary files hold, whatever their version, byte order and storage, and claims that no file can keep.

use pliant_meshing::io::{MeshFormat, read_mesh_bytes};

use super::corpus::vtk::{BINARY_STORAGES, Storage, grid};
use super::corpus::{body, gmsh};

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
    let start = good.windows(2).position(|w| w == b">_").expect("there") + 2;
    // blocks of 2^40 bytes, and so many blocks
    for (at, expected) in [(start + 8, "TooManyClaimed"), (start, "Truncated")] {
        let mut bad = good.clone();
        bad[at + 2] = 1;
        let error = read_mesh_bytes(&bad).expect_err("too large");
        assert_eq!(error.code(), expected, "{error}");
    }
}
