use super::{Item, Items, fields};
use crate::io::error::ReadError;
use crate::io::mesh_file::MeshFile;
use crate::io::read::read_mesh_bytes;
use crate::io::testing::assert_refused;

/// Two tetrahedra on one face, with sparse numbers.
pub const TETS: &[u8] = b"*HEADING\n two tets\n** by hand\n*Node, NSET=all\n10, 0., 0., 0.\n20, 1.0E+00, 0., 0.\n30, 0., 1., 0.\n40, 0., 0., 1.\n50, 1., 1., 1.\n999, 7., 7., 7.\n*ELEMENT, type=C3D4H,\n ELSET=solid\n1, 10, 20, 30, 40\n7, 20, 30, 40,\n50\n*Element, type=T3D2\n8, 10, 20\n*NSET, NSET=fixed\n10, 20\n*NODE PRINT\nU\n*STEP\n*END STEP\n";

/// Two parts that both count from 1, as the graphical interface writes them.
const PARTS: &[u8] = b"*Part, name=A\n*Node\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n*Element, type=S3R\n1, 1, 2, 3\n*End Part\n*Part, name=B\n*Node\n1, 0, 0, 5\n2, 1, 0, 5\n3, 1, 1, 5\n4, 0, 1, 5\n*Element, type=S4\n1, 1, 2, 3, 4\n*End Part\n*Assembly, name=all\n*Instance, name=a, part=A\n*End Instance\n*Instance, name=b, part=B\n0., 0., 0.\n*End Instance\n*End Assembly\n";

fn file(text: &str) -> MeshFile {
    read_mesh_bytes(text.as_bytes()).expect("a good file")
}

fn error(text: &str) -> ReadError {
    read_mesh_bytes(text.as_bytes()).expect_err("must not be read")
}

#[test]
fn tetrahedra_with_sparse_numbers_over_several_lines() {
    let file = read_mesh_bytes(TETS).expect("a body");
    let tets = file.tets.expect("tetrahedra");
    // the corner of the unit cube, and what is left of its inner tetrahedron: 1/6 and 1/3
    assert!((tets.volume() - 0.5).abs() < 1e-15);
    assert_eq!((tets.nodes.len(), tets.tets.len()), (5, 2));
    assert_eq!(file.surface.triangles.len(), 6);
    let notes = file.notes.join("\n");
    for note in ["1 elements of the type `T3D2`", "1 points that no"] {
        assert!(notes.contains(note), "{notes}");
    }
}

#[test]
fn parts_number_their_nodes_on_their_own() {
    let file = read_mesh_bytes(PARTS).expect("a surface");
    assert_eq!(file.surface.triangles, [[0, 1, 2], [3, 4, 5], [3, 5, 6]]);
    assert_eq!(file.surface.positions[3].z, 5.0);
    assert_eq!(file.tets, None);
}

#[test]
fn families_of_elements_have_the_shape_that_their_name_says() {
    let nodes = "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n5,1,1,0\n6,1,0,1\n7,0,1,1\n8,1,1,1\n9,2,0,0\n10,0,2,0\n";
    let read = |kind: &str, count: u32| {
        let list: Vec<String> = (1..=count).map(|n| n.to_string()).collect();
        file(&format!(
            "{nodes}*ELEMENT, TYPE={kind}\n1,{}\n",
            list.join(",")
        ))
    };
    for (kind, count) in [("C3D4", 4), ("c3d10mh", 10), ("DC3D4", 4), ("AC3D10", 10)] {
        let tets = read(kind, count).tets.expect(kind);
        assert_eq!(tets.tets, [[0, 1, 2, 3]], "{kind}");
    }
    for (kind, count, triangles) in [
        ("S3", 3, 1),
        ("STRI3", 3, 1),
        ("STRI65", 6, 1),
        ("CPS3", 3, 1),
        ("M3D6", 6, 1),
        ("S4R5", 4, 2),
        ("R3D4", 4, 2),
        ("S8R", 8, 2),
        ("M3D9R", 9, 2),
    ] {
        let surface = read(kind, count).surface;
        assert_eq!(surface.triangles.len(), triangles, "{kind}");
        let corners = surface.triangles.iter().flatten().max();
        assert_eq!(corners, Some(&(triangles as u32 + 1)), "{kind}");
    }
    // 20 nodes on two lines are one hexahedron
    let hexahedra = format!(
        "{nodes}*ELEMENT, TYPE=S3\n9,1,2,3\n*ELEMENT, TYPE=C3D20R\n1,1,2,3,4,5,6,7,8,9,10,1,2,3,4,5,\n6,7,8,9,10\n2,1,2,3,4,5,6,7,8,9,10,1,2,3,4,5,\n6,7,8,9,10\n"
    );
    let notes = file(&hexahedra).notes.join("\n");
    assert!(notes.contains("2 hexahedra"), "{notes}");
}

#[test]
fn errors_name_the_line() {
    let text = String::from_utf8_lossy(TETS);
    #[rustfmt::skip]
    let rows = [
        ("30, 0., 1., 0.", "30, 0., x, 0.", "Syntax", "line 7", "`x` is not"),
        ("30, 0., 1., 0.", "30, 0., 1.", "Syntax", "line 7", "2 coordinates"),
        ("30, 0., 1., 0.", "3y, 0., 1., 0.", "Syntax", "line 7", "`3y` instead"),
        ("30, 0., 1., 0.", "10, 0., 1., 0.", "Syntax", "line 7", "node 10 stands on line 5, too"),
        ("30, 0., 1., 0.", "30, 0., nan, 0.", "NonFinite", "line 7", "vertex 2"),
        ("1, 10, 20, 30, 40", "1, 10, 20, 31, 40", "Syntax", "line 13", "node 31"),
        ("1, 10, 20, 30, 40", "1, 10, 20, -3, 40", "Syntax", "line 13", "node -3"),
        ("40,\n50\n", "40\n", "Syntax", "line 15", "after 3 nodes"),
        ("type=C3D4H", "kind=C3D4H", "Syntax", "line 11", "without a type"),
    ];
    assert_refused(&text, &rows);
    let cut = text.split("\n50\n").next().expect("a first half");
    // the node of that number comes first: the second cut is that of the element
    assert_eq!(error(&format!("{cut}\n")).code(), "Truncated");
}

#[test]
fn what_is_not_in_the_file_is_refused_by_name() {
    let tets = String::from_utf8_lossy(TETS);
    let parts = String::from_utf8_lossy(PARTS);
    #[rustfmt::skip]
    let rows = [
        ("*STEP", "*INCLUDE, INPUT=b.inp", "Unsupported", "", "`*INCLUDE` on line 22"),
        ("*STEP", "*NGEN\n1,2,3", "Unsupported", "", "`*NGEN`"),
        ("*Node, NSET=all", "*Node, INPUT=b", "Unsupported", "", "second file on line 4"),
        ("*Node, NSET=all", "*Node, SYSTEM=C", "Unsupported", "", "cylindrical"),
    ];
    assert_refused(&tets, &rows);
    #[rustfmt::skip]
    let rows = [
        ("part=B", "part=a", "Unsupported", "", "a part more than once"),
        ("0., 0., 0.", "0., 2., 0.", "Unsupported", "", "line 22 moves"),
    ];
    assert_refused(&parts, &rows);
}

#[test]
fn keywords_have_parameters_whatever_their_case_and_blanks() {
    let text = b"** a comment\n\n* end part ,Type= \"a b\",\r\n ELSET=c,\n\n1, 2,\n";
    let mut items = Items::new(text);
    let Some(Item::Keyword(keyword)) = items.next() else {
        panic!("a keyword");
    };
    assert_eq!(keyword.line, 3);
    assert!(keyword.is("END PART") && !keyword.is("END"));
    assert_eq!(keyword.parameter("TYPE"), Some(b"a b".as_slice()));
    assert_eq!(keyword.parameter("elset"), Some(b"c".as_slice()));
    assert_eq!(keyword.parameter("NSET"), None);
    let Some(Item::Data(line)) = items.next() else {
        panic!("data");
    };
    assert_eq!(line.number, 6);
    let numbers: Vec<&[u8]> = fields(line.bytes).collect();
    assert_eq!(numbers, [b"1".as_slice(), b"2"]);
    assert!(items.next().is_none());
}
