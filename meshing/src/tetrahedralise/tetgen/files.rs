//! The files that TetGen reads and writes.

use std::fmt::Write;

use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceMesh, TetMesh};

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
/// tetrahedron uses. Text that does not fit the format is refused with the reason.
pub(crate) fn read_tets(node: &str, ele: &str) -> Result<TetMesh, String> {
    let mut lines = rows(node);
    let [count, dimension, ..] = header(lines.next(), 2, "node")?[..] else {
        return Err("the .node file has no header".into());
    };
    if dimension != 3 {
        return Err(format!("the .node file is {dimension}-dimensional"));
    }
    let mut first = None;
    let mut nodes = Vec::new();
    for row in lines.by_ref().take(count) {
        let mut words = row.split_whitespace();
        let number = words.next().and_then(|w| w.parse::<usize>().ok());
        let mut next = || words.next().and_then(|w| w.parse::<f64>().ok());
        let (Some(number), Some(x), Some(y), Some(z)) = (number, next(), next(), next()) else {
            return Err(format!("the .node file has a bad row: {}", shortened(row)));
        };
        // files start at 0 or 1
        if number != nodes.len() + *first.get_or_insert(number) {
            return Err(format!("the .node file skips node {}", nodes.len()));
        }
        nodes.push(Vec3::new(x, y, z));
    }
    if nodes.len() != count {
        return Err(format!(
            "the .node file ends after {} of {count} nodes",
            nodes.len()
        ));
    }
    let first = first.unwrap_or(0);
    let mut lines = rows(ele);
    let [count, corners, ..] = header(lines.next(), 2, "ele")?[..] else {
        return Err("the .ele file has no header".into());
    };
    if corners != 4 {
        return Err(format!("the .ele file has {corners} corners a tetrahedron"));
    }
    let mut tets = Vec::new();
    for row in lines.take(count) {
        let mut corner = row.split_whitespace().skip(1).map(|w| {
            w.parse::<usize>()
                .ok()?
                .checked_sub(first)
                .filter(|&v| v < nodes.len())
        });
        let mut next = || corner.next().flatten();
        let (Some(a), Some(b), Some(c), Some(d)) = (next(), next(), next(), next()) else {
            return Err(format!("the .ele file has a bad row: {}", shortened(row)));
        };
        tets.push([a, b, c, d].map(|v| v as u32));
    }
    if tets.len() != count {
        return Err(format!(
            "the .ele file ends after {} of {count} tetrahedra",
            tets.len()
        ));
    }
    let (mut mesh, _) = TetMesh::with_used_nodes(&nodes, tets);
    for t in 0..mesh.tets.len() {
        if mesh.tet_volume(t) < 0.0 {
            mesh.tets[t].swap(2, 3);
        }
    }
    Ok(mesh)
}

/// Non-empty rows, without comments.
fn rows(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(|line| line.split('#').next().unwrap_or("").trim())
        .filter(|line| !line.is_empty())
}

fn header(row: Option<&str>, min_count: usize, file: &str) -> Result<Vec<usize>, String> {
    let numbers: Option<Vec<usize>> = row
        .unwrap_or("")
        .split_whitespace()
        .map(|w| w.parse().ok())
        .collect();
    numbers
        .filter(|n| n.len() >= min_count)
        .ok_or_else(|| format!("the .{file} file has no header"))
}

/// The beginning of a row, short enough for a message.
pub(crate) fn shortened(row: &str) -> String {
    row.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    const NODES: &str = "# made by hand\n5 3 0 0\n 1 0 0 0\n 2 1 0 0 # a corner\n\n 3 0 1.0 0\n4 0 0 1e0\n5 7 7 7\n";

    #[test]
    fn tetrahedra_are_read_oriented_and_compacted() {
        for ele in ["1 4 0\n1 1 2 3 4\n", "1 4 0\n1 1 2 4 3\n# end"] {
            let mesh = read_tets(NODES, ele).expect("one tetrahedron");
            assert_eq!((mesh.nodes.len(), mesh.tets.len()), (4, 1));
            assert_eq!(mesh.volume(), 1.0 / 6.0);
        }
        let from_zero = read_tets(
            "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n",
            "1 4 0\n0 0 1 2 3\n",
        );
        assert_eq!(from_zero.expect("one tetrahedron").volume(), 1.0 / 6.0);
    }

    #[test]
    fn garbage_is_refused_with_a_reason() {
        let ele = "1 4 0\n1 1 2 3 4\n";
        for bad in [
            "",
            "x",
            "-1 3",
            "4 2 0 0\n",
            "99999999999999 3 0 0\n1 0 0 0\n",
            "1 3 0 0\n1 0 zero 0\n",
            "2 3 0 0\n1 0 0 0\n3 0 0 0\n",
        ] {
            assert!(read_tets(bad, ele).is_err(), "{bad:?}");
        }
        for bad in [
            "",
            "1 10 0\n",
            "2 4 0\n1 1 2 3 4\n",
            "1 4 0\n1 1 2 3 6\n",
            "1 4 0\n1 0 2 3 4\n",
            "1 4 0\n1 1 2 3\n",
        ] {
            assert!(read_tets(NODES, bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn coordinates_survive_writing_to_the_last_bit() {
        let surface = box_surface(Vec3::new(0.1, 1.0 / 3.0, 1e-9), [1, 2, 1], CellStyle::Kuhn);
        let text = write_smesh(&surface);
        let mut lines = rows(&text).skip(1);
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
