use super::*;
use crate::io::read::{read_mesh, read_mesh_bytes};

const NODE: &[u8] = b"# by hand\n4 3 1 0\n1 0 0 0 5\n2 1 0 0 5\n3 0 1 0 5 # comment\n4 0 0 1 5\n";
const ELE: &[u8] = b"1 4 1\n1 2 1 3 4 9\n# Generated\n";
const FACE: &[u8] = b"2 1\n0 1 3 2 -1\n1 1 2 4 -1\n";

#[test]
fn any_of_the_three_files_finds_the_others() {
    let folder = std::env::temp_dir().join(format!("pliant-tetgen-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes);
    put("a.1.node", NODE).expect("written");
    put("a.1.face", FACE).expect("written");
    let alone = read_mesh(&folder.join("a.1.face")).expect("faces");
    assert_eq!(alone.surface.triangles, [[0, 2, 1], [0, 1, 3]]);
    put("a.1.ele", ELE).expect("written");
    for name in ["a.1.node", "a.1.ele", "a.1.face"] {
        let file = read_mesh(&folder.join(name)).expect("a body");
        assert_eq!(file.format, MeshFormat::TetGen);
        assert_eq!(file.tets.map(|t| t.volume()), Some(1.0 / 6.0));
        assert!(file.notes[0].contains("reoriented"), "{:?}", file.notes);
    }
    put("a.1.ele", b"1 4 0\n1 1 2 3 7\n").expect("written");
    let error = read_mesh(&folder.join("a.1.node")).expect_err("no node 7");
    assert_eq!(
        (error.code().as_str(), error.place()),
        ("Companion", Some("line 2".into()))
    );
    assert!(error.to_string().contains("a.1.ele") && error.to_string().contains("vertex 7"));
    put("b.ele", ELE).expect("written");
    let error = read_mesh(&folder.join("b.ele")).expect_err("no nodes");
    assert!(error.to_string().contains("b.node"), "{error}");
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn errors_name_the_line() {
    for (bytes, code, place) in [
        (NODE, "NoTriangles", None),
        (ELE, "Companion", None),
        (b"4 2 0 0\n1 0 0\n".as_slice(), "Syntax", Some("line 1")),
        (b"2 3 0 0\n1 0 0 0\n3 0 0 0\n", "Syntax", Some("line 3")),
        (
            b"2 3 0 0\n1 0 0 0\n2 0 nan 0\n",
            "NonFinite",
            Some("line 3"),
        ),
        (b"2 3 0 0\n1 0 0 0\n", "Truncated", Some("byte 16")),
    ] {
        let error = read_mesh_bytes(bytes).expect_err("bad");
        assert_eq!(error.code(), code, "{error}");
        assert_eq!(error.place().as_deref(), place, "{error}");
    }
}
