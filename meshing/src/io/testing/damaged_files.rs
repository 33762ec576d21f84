//! Every reader on cut and damaged files: an answer or an error, never a panic, never more memory than the bytes can hold.

use crate::io::formats::{gltf, gmsh, medit, vtk};
use crate::io::mesh_file::MeshFormat;
use crate::io::read::{read_mesh, read_mesh_bytes};

fn samples() -> Vec<(MeshFormat, Vec<u8>)> {
    vec![
        (MeshFormat::Gltf, gltf::tests::embedded().into_bytes()),
        (MeshFormat::Glb, gltf::tests::binary()),
        (MeshFormat::Gmsh, gmsh::tests::OLD.to_vec()),
        (MeshFormat::Gmsh, gmsh::tests::NEW.to_vec()),
        (MeshFormat::VtkText, vtk::legacy::tests::POLYDATA.to_vec()),
        (MeshFormat::VtkText, vtk::legacy::tests::NEW_GRID.to_vec()),
        (MeshFormat::VtkBinary, vtk::legacy::tests::binary_grid()),
        (MeshFormat::Vtu, vtk::xml_file::tests::TEXT.to_vec()),
        (MeshFormat::Vtp, vtk::xml_file::tests::raw_polydata()),
        (MeshFormat::Medit, medit::tests::TETS.to_vec()),
    ]
}

/// A file is read without a panic, and what comes out keeps the promises of [`MeshFile`].
fn read_safely(bytes: &[u8]) {
    let Ok(file) = read_mesh_bytes(bytes) else {
        return;
    };
    let count = file.surface.positions.len();
    let mut corners = file.surface.triangles.iter().flatten();
    assert!(corners.all(|&v| (v as usize) < count));
    if let Some(tets) = file.tets {
        let mut corners = tets.tets.iter().flatten();
        assert!(corners.all(|&v| (v as usize) < tets.nodes.len()));
        assert!((0..tets.tets.len()).all(|t| tets.tet_volume(t) >= 0.0));
    }
}

/// A TetGen file without its companions stops early, so each is also read as the rest of the three.
fn read_tetgen_safely(node: &[u8], ele: &[u8]) {
    // tests run side by side
    let thread = std::thread::current().id();
    let name = format!("pliant-tetgen-cut-{}-{thread:?}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("a.node");
    std::fs::write(&path, node).expect("written");
    std::fs::write(folder.join("a.ele"), ele).expect("written");
    let _ = read_mesh(&path);
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn every_sample_is_recognised() {
    for (format, bytes) in samples() {
        let file = read_mesh_bytes(&bytes).expect("a good file");
        assert_eq!(file.format, format);
        read_safely(&bytes);
    }
}

#[test]
fn no_cut_panics() {
    for (_, bytes) in samples() {
        for length in 0..bytes.len() {
            read_safely(&bytes[..length]);
        }
    }
    use crate::io::formats::tetgen::tests::{ELE, FACE, NODE};
    for bytes in [NODE, ELE, FACE] {
        for length in 0..bytes.len() {
            read_safely(&bytes[..length]);
        }
    }
    for length in 0..NODE.len() {
        read_tetgen_safely(&NODE[..length], ELE);
    }
    for length in 0..ELE.len() {
        read_tetgen_safely(NODE, &ELE[..length]);
    }
}

#[test]
fn no_cut_before_the_last_cell_is_read_in_silence() {
    for (format, bytes) in samples() {
        for length in (bytes.len() / 4)..(bytes.len() / 2) {
            if let Ok(file) = read_mesh_bytes(&bytes[..length]) {
                assert_ne!(file.notes, Vec::<String>::new(), "{format:?} at {length}");
            }
        }
    }
}

/// A file with one to four small changes: bytes removed, added, changed, or a piece of it a second time.
fn mutated(bytes: &[u8], random: &mut impl FnMut(usize) -> usize) -> Vec<u8> {
    // bytes that matter somewhere
    const LIKELY: &[u8] = b"0123456789-+.eE \n\"{}[],:<>/=_$#\x00\x01\x7f\x80\xff";
    let mut changed = bytes.to_vec();
    for _ in 0..=random(4) {
        let at = random(changed.len());
        match random(4) {
            0 => {
                changed.remove(at);
            }
            1 => changed.insert(at, LIKELY[random(LIKELY.len())]),
            2 => {
                let from = random(changed.len());
                let end = (from + random(40)).min(changed.len());
                let piece = changed[from..end].to_vec();
                changed.splice(at..at, piece);
            }
            _ => changed[at] = LIKELY[random(LIKELY.len())],
        }
    }
    changed
}

#[test]
fn no_mutation_panics() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    // Marsaglia 2003, "Xorshift RNGs"
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % below
    };
    for (_, bytes) in samples() {
        for _ in 0..8_000 {
            read_safely(&mutated(&bytes, &mut random));
        }
    }
    use crate::io::formats::tetgen::tests::{ELE, NODE};
    for _ in 0..300 {
        read_tetgen_safely(&mutated(NODE, &mut random), ELE);
        read_tetgen_safely(NODE, &mutated(ELE, &mut random));
    }
}
