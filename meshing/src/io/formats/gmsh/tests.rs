use super::*;
use crate::io::testing::assert_refused;

pub const VERSION_2: &[u8] = b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"a $Nodes b\"\n$EndPhysicalNames\n$Nodes\n4\n7 0 0 0\n1 1 0 0\n900000000000 0 1 0\n2 0 0 1\n$EndNodes\n$Elements\n4\n1 15 2 0 1 7\n2 1 2 0 1 7 1\n3 2 2 0 1 7 900000000000 1\n4 3 0 7 1 900000000000 2\n$EndElements\n";
pub const VERSION_4_1: &[u8] = b"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 0\n$EndEntities\n$Nodes\n2 4 1 4\n2 1 1 2\n1\n2\n0 0 0 .5 .5\n1 0 0 .1 .1\n3 1 0 2\n4\n3\n0 0 1\n0 1 0\n$EndNodes\n$Elements\n2 2 1 2\n2 1 2 1\n1 1 3 2\n3 1 4 1\n2 1 2 4 3\n$EndElements\n";

#[test]
fn version_2_has_tags_in_any_order() {
    let file = read(VERSION_2, &ReadOptions::default()).expect("a surface");
    assert_eq!(file.surface.positions[2], Vec3::y());
    assert_eq!(file.surface.triangles[0], [0, 2, 1]);
    assert_eq!(file.surface.triangles.len(), 3);
    assert!(file.notes[0].ends_with("1 lines, 1 points"));
}

#[test]
fn version_4_1_has_blocks() {
    let file = read(VERSION_4_1, &ReadOptions::default()).expect("a body");
    assert_eq!(file.tets.map(|t| t.volume()), Some(1.0 / 6.0));
    assert!(file.notes.iter().any(|n| n.contains("reoriented")));
}

#[test]
fn errors_name_the_line() {
    let text = String::from_utf8_lossy(VERSION_2);
    #[rustfmt::skip]
    let rows = [
        ("1 7 900000000000 1", "1 7 3 1", "IndexOutOfRange", "line 19", ""),
        ("2.2 0", "3 0", "Unsupported", "", ""),
        ("1 1 0 0\n", "7 1 0 0\n", "Syntax", "line 11", ""),
        ("$Nodes\n4", "$Nodes\n400000", "TooManyClaimed", "line 9", ""),
        ("$EndElements", "", "Truncated", "byte", ""),
        ("$EndPhysicalNames", "", "Truncated", "byte", ""),
        ("$Nodes\n4", "$Nodes\n5", "Syntax", "line 14", ""),
    ];
    let read = |bytes: &[u8]| read(bytes, &ReadOptions::default());
    assert_refused(&text, read, &rows);
}

/// The body of [`VERSION_4_1`] in version 4.0.
pub const VERSION_4_0: &[u8] = b"$MeshFormat\n4 0 8\n$EndMeshFormat\n$Nodes\n2 4\n1 2 1 2\n1 0 0 0 .5 .5\n2 1 0 0 .1 .1\n1 3 0 2\n4 0 0 1\n3 0 1 0\n$EndNodes\n$Elements\n2 2\n1 2 2 1\n1 1 3 2\n1 3 4 1\n2 1 2 4 3\n$EndElements\n";

/// Bytes of numbers in one byte order.
struct Bytes(Vec<u8>, bool);

impl Bytes {
    fn put<const N: usize>(&mut self, mut raw: [u8; N]) {
        if self.1 {
            raw.reverse();
        }
        self.0.extend(raw);
    }

    fn ints(&mut self, values: &[i32]) {
        values.iter().for_each(|v| self.put(v.to_le_bytes()));
    }

    fn longs(&mut self, values: &[u64]) {
        values.iter().for_each(|v| self.put(v.to_le_bytes()));
    }

    fn numbers(&mut self, values: &[f64]) {
        values.iter().for_each(|v| self.put(v.to_le_bytes()));
    }

    fn text(&mut self, text: &[u8]) {
        self.0.extend(text);
    }
}

const CORNERS: [[f64; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A triangle and a tetrahedron, binary.
pub fn binary(version: &str, big_endian: bool) -> Vec<u8> {
    let mut file = Bytes(Vec::new(), big_endian);
    file.text(format!("$MeshFormat\n{version} 1 8\n").as_bytes());
    file.ints(&[1]);
    file.text(b"\n$EndMeshFormat\n$Entities\n\x00$E\n\xff$EndEntities\n$Nodes\n");
    let wide = version == "4.1";
    if version == "2.2" {
        file.text(b"4\n");
        for (k, corner) in CORNERS.iter().enumerate() {
            file.ints(&[k as i32 + 10]);
            file.numbers(corner);
        }
        file.text(b"\n$EndNodes\n$Elements\n2\n");
        file.ints(&[2, 1, 2, 1, 7, 7, 10, 12, 11, 4, 1, 0, 2, 10, 11, 12, 13]);
    } else if wide {
        file.longs(&[1, 4, 10, 13]);
        file.ints(&[3, 1, 0]);
        file.longs(&[4, 10, 11, 12, 13]);
        CORNERS.iter().for_each(|c| file.numbers(c));
        file.text(b"\n$EndNodes\n$Elements\n");
        file.longs(&[2, 2, 1, 2]);
        file.ints(&[2, 1, 2]);
        file.longs(&[1, 1, 10, 12, 11]);
        file.ints(&[3, 1, 4]);
        file.longs(&[1, 2, 10, 11, 12, 13]);
    } else {
        file.longs(&[1, 4]);
        file.ints(&[1, 3, 0]);
        file.longs(&[4]);
        for (k, corner) in CORNERS.iter().enumerate() {
            file.ints(&[k as i32 + 10]);
            file.numbers(corner);
        }
        file.text(b"\n$EndNodes\n$Elements\n");
        file.longs(&[2, 2]);
        file.ints(&[1, 2, 2]);
        file.longs(&[1]);
        file.ints(&[1, 10, 12, 11, 1, 3, 4]);
        file.longs(&[1]);
        file.ints(&[2, 10, 11, 12, 13]);
    }
    file.text(b"\n$EndElements\n");
    file.0
}

#[test]
fn all_versions_and_modes_hold_the_same_body() {
    let four = read(VERSION_4_0, &ReadOptions::default()).expect("version 4.0");
    assert_eq!(four.tets.map(|t| t.volume()), Some(1.0 / 6.0));
    for version in ["2.2", "4", "4.1"] {
        for big_endian in [false, true] {
            let bytes = binary(version, big_endian);
            let file = read(&bytes, &ReadOptions::default()).expect(version);
            assert_eq!(file.format, MeshFormat::GmshBinary);
            let tets = file.tets.expect("a tetrahedron");
            assert_eq!(tets.nodes, CORNERS.map(Vec3::from));
            assert_eq!(tets.tets, [[0, 1, 2, 3]]);
            assert!(
                file.notes[0].contains("1 surface cells"),
                "{:?}",
                file.notes
            );
            for end in 30..bytes.len() - 15 {
                let error = read(&bytes[..end], &ReadOptions::default()).expect_err("cut");
                assert!(error.place().is_some() || error.code() == "NoTriangles");
            }
        }
    }
}

#[test]
fn binary_files_that_claim_too_much_are_refused() {
    let good = binary("4.1", false);
    let nodes = good.windows(6).position(|w| w == b"$Nodes").expect("there");
    let mut bad = good.clone();
    bad[nodes + 7 + 8 + 3] = 1;
    let error = read(&bad, &ReadOptions::default()).expect_err("a claim");
    assert_eq!(error.code(), "TooManyClaimed");
    assert_eq!(error.place(), Some(format!("byte {}", nodes + 15)));
    let mut odd = good;
    odd[18] = b'2';
    let error = read(&odd, &ReadOptions::default()).expect_err("numbers of 2 bytes");
    assert_eq!(error.code(), "Unsupported");
}
