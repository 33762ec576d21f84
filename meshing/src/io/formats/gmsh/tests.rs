use super::*;
use crate::io::testing::assert_refused;

pub const VERSION_2: &[u8] = b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"a $Nodes b\"\n$EndPhysicalNames\n$Nodes\n4\n7 0 0 0\n1 1 0 0\n900000000000 0 1 0\n2 0 0 1\n$EndNodes\n$Elements\n4\n1 15 2 0 1 7\n2 1 2 0 1 7 1\n3 2 2 0 1 7 900000000000 1\n4 3 0 7 1 900000000000 2\n$EndElements\n";
pub const VERSION_4_1: &[u8] = b"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 0\n$EndEntities\n$Nodes\n2 4 1 4\n2 1 1 2\n1\n2\n0 0 0 .5 .5\n1 0 0 .1 .1\n3 1 0 2\n4\n3\n0 0 1\n0 1 0\n$EndNodes\n$Elements\n2 2 1 2\n2 1 2 1\n1 1 3 2\n3 1 4 1\n2 1 2 4 3\n$EndElements\n";
/// The same body in version 4.0.
const VERSION_4_0: &[u8] = b"$MeshFormat\n4 0 8\n$EndMeshFormat\n$Nodes\n2 4\n1 2 1 2\n1 0 0 0 .5 .5\n2 1 0 0 .1 .1\n1 3 0 2\n4 0 0 1\n3 0 1 0\n$EndNodes\n$Elements\n2 2\n1 2 2 1\n1 1 3 2\n1 3 4 1\n2 1 2 4 3\n$EndElements\n";

#[test]
fn version_2_has_tags_in_any_order() {
    let file = read(VERSION_2, &ReadOptions::default()).expect("a surface");
    assert_eq!(file.surface.positions[2], Vec3::y());
    assert_eq!(file.surface.triangles[0], [0, 2, 1]);
    assert_eq!(file.surface.triangles.len(), 3);
    assert!(file.notes[0].ends_with("1 lines, 1 points"));
}

#[test]
fn version_4_has_blocks() {
    for text in [VERSION_4_0, VERSION_4_1] {
        let file = read(text, &ReadOptions::default()).expect("a body");
        assert_eq!(file.tets.map(|t| t.volume()), Some(1.0 / 6.0));
        assert!(file.notes.iter().any(|n| n.contains("reoriented")));
    }
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
    assert_refused(&text, &rows);
}
