//! The files that TetGen reads and writes.

use std::fmt::Write;

use pliant_core::mesh::{SurfaceMesh, TetMesh};

use crate::io::{FileError, nodes_and_tetrahedra};

/// A surface as a `.smesh` file: nodes, one facet per triangle, no holes and no regions. Numbers are written so that they read back to the same bits.
pub(crate) fn write_smesh(surface: &SurfaceMesh) -> String {
    let mut text =
        String::with_capacity(64 * surface.positions.len() + 24 * surface.triangles.len());
    // writing to a string cannot fail
    let _ = writeln!(text, "{} 3 0 0", surface.positions.len());
    for (v, p) in surface.positions.iter().enumerate() {
        let _ = writeln!(text, "{v} {:e} {:e} {:e}", p.x, p.y, p.z);
    }
    let _ = writeln!(text, "{} 0", surface.triangles.len());
    for [a, b, c] in &surface.triangles {
        let _ = writeln!(text, "3 {a} {b} {c}");
    }
    text.push_str("0\n0\n");
    text
}

/// The tetrahedra of a `.node` and an `.ele` file, reoriented to positive volumes and without nodes that no
/// tetrahedron uses. An error has the extension of its file.
pub(crate) fn read_tets(node: &[u8], ele: &[u8]) -> Result<TetMesh, FileError> {
    let (nodes, tets) = nodes_and_tetrahedra(node, ele)?;
    let (mut mesh, _) = TetMesh::with_used_nodes(&nodes, tets);
    for t in 0..mesh.tets.len() {
        if mesh.tet_volume(t) < 0.0 {
            mesh.tets[t].swap(2, 3);
        }
    }
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::math::Vec3;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    const NODES: &[u8] = b"# made by hand\n5 3 0 0\n 1 0 0 0\n 2 1 0 0 # a corner\n\n 3 0 1.0 0\n4 0 0 1e0\n5 7 7 7\n";

    #[test]
    fn tetrahedra_are_read_oriented_and_compacted() {
        for ele in [b"1 4 0\n1 1 2 3 4\n".as_slice(), b"1 4 0\n1 1 2 4 3\n# end"] {
            let mesh = read_tets(NODES, ele).expect("one tetrahedron");
            assert_eq!((mesh.nodes.len(), mesh.tets.len()), (4, 1));
            assert_eq!(mesh.volume(), 1.0 / 6.0);
        }
        let from_zero = read_tets(
            b"4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n",
            b"1 4 0\n0 0 1 2 3\n",
        );
        assert_eq!(from_zero.expect("one tetrahedron").volume(), 1.0 / 6.0);
    }

    #[test]
    fn garbage_is_refused() {
        let ele = b"1 4 0\n1 1 2 3 4\n";
        for bad in [
            "",
            "x",
            "-1 3",
            "4 2 0 0\n",
            "99999999999999 3 0 0\n1 0 0 0\n",
            "1 3 0 0\n1 0 zero 0\n",
            "2 3 0 0\n1 0 0 0\n3 0 0 0\n",
        ] {
            assert!(read_tets(bad.as_bytes(), ele).is_err(), "{bad:?}");
        }
        for bad in [
            "",
            "1 10 0\n",
            "2 4 0\n1 1 2 3 4\n",
            "1 4 0\n1 1 2 3 6\n",
            "1 4 0\n1 0 2 3 4\n",
            "1 4 0\n1 1 2 3\n",
        ] {
            assert!(read_tets(NODES, bad.as_bytes()).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn coordinates_survive_writing_to_the_last_bit() {
        let surface = box_surface(Vec3::new(0.1, 1.0 / 3.0, 1e-9), [1, 2, 1], CellStyle::Kuhn);
        let text = write_smesh(&surface);
        let mut lines = text.lines().skip(1);
        for p in &surface.positions {
            let words: Vec<f64> = lines
                .next()
                .expect("a row")
                .split_whitespace()
                .map(|w| w.parse().expect("a number"))
                .collect();
            assert_eq!(&words[1..], p.as_slice());
        }
        assert_eq!(
            lines.next(),
            Some(format!("{} 0", surface.triangles.len()).as_str())
        );
    }
}
