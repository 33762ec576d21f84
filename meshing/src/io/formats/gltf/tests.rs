use pliant_core::asset::bytes::base64;
use pliant_core::math::Vec3;

use crate::io::read::{read_mesh, read_mesh_bytes};
use crate::io::testing::assert_refused;

/// Positions (four floats triples), then sixteen-bit indices of a tetrahedron.
fn buffer() -> Vec<u8> {
    let positions = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1_u8];
    let mut bytes: Vec<u8> = positions
        .iter()
        .flat_map(|&x| f32::from(x).to_le_bytes())
        .collect();
    let indices = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2_u16];
    bytes.extend(indices.iter().flat_map(|i| i.to_le_bytes()));
    bytes
}

const MESHES: &str = r#""bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":24}],
"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},{"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
"#;
const SCENE: &str = r#""scene":0,"scenes":[{"nodes":[0]}],
"nodes":[{"children":[1],"translation":[1,2,3]},{"mesh":0,"scale":[2,2,2]},{"mesh":0}],
"asset":{"version":"2.0"}}"#;

fn with_uri(uri: &str) -> String {
    format!("{{\"buffers\":[{{\"byteLength\":72,\"uri\":\"{uri}\"}}],{MESHES}{SCENE}")
}

/// A tetrahedron with its buffer inside, scaled by two, moved to (1, 2, 3).
pub fn embedded() -> String {
    let text = base64(&buffer()).replace('/', "\\/");
    with_uri(&format!("data:application\\/octet-stream;base64,{text}"))
}

#[test]
fn the_tetrahedron_is_where_the_scene_places_it() {
    let file = read_mesh_bytes(embedded().as_bytes()).expect("JSON");
    // the third node is not in the scene
    assert_eq!(file.surface.triangles.len(), 4);
    assert_eq!(file.surface.positions[3], Vec3::new(1.0, 2.0, 5.0));
    assert!((file.surface.volume() - 8.0 / 6.0).abs() < 1e-12);
    assert_eq!(file.notes, Vec::<String>::new());
}

#[test]
fn rotations_and_mirrors_keep_the_outside_outside() {
    let half = 0.5_f64.sqrt();
    for (node, corner) in [
        (format!("\"rotation\":[0,0,{half},{half}]"), Vec3::y()),
        ("\"scale\":[-1,1,1]".into(), -Vec3::x()),
        (
            "\"matrix\":[0,0,3,0, 0,1,0,0, 1,0,0,0, 5,0,0,1]".into(),
            Vec3::new(5.0, 0.0, 3.0),
        ),
    ] {
        let text = embedded().replace("\"scale\":[2,2,2]", &node);
        let text = text.replace("[1,2,3]", "[0,0,0]");
        let file = read_mesh_bytes(text.as_bytes()).expect("placed");
        assert!((file.surface.positions[1] - corner).norm() < 1e-12);
        assert!(file.surface.volume() > 0.1, "{node}");
    }
}

#[test]
fn strips_fans_and_shared_positions() {
    // the same four corners four times, once as points
    let primitives = r#"{"attributes":{"POSITION":0},"mode":5},{"attributes":{"POSITION":0},"mode":6},{"attributes":{"POSITION":0},"mode":0},{"attributes":{"POSITION":0},"indices":1}"#;
    let text = embedded().replace(r#"{"attributes":{"POSITION":0},"indices":1}"#, primitives);
    let file = read_mesh_bytes(text.as_bytes()).expect("a surface");
    assert_eq!(file.surface.positions.len(), 4);
    let expected = [[0, 1, 2], [1, 3, 2], [0, 1, 2], [0, 2, 3], [0, 2, 1]];
    assert_eq!(file.surface.triangles[..5], expected);
    let mirrored = read_mesh_bytes(text.replace("[2,2,2]", "[2,-2,2]").as_bytes());
    let mirrored = mirrored.expect("a surface").surface;
    assert_eq!(mirrored.triangles[..2], [[0, 2, 1], [1, 2, 3]]);
    assert!(file.notes[0].contains("1 point primitives"));
}

#[test]
fn sparse_and_quantised_positions() {
    let sparse = r#""sparse":{"count":1,"indices":{"bufferView":1,"byteOffset":2,"componentType":5123},"values":{"bufferView":0,"byteOffset":12}},"type":"VEC3""#;
    let text = embedded().replacen(r#""type":"VEC3""#, sparse, 1);
    let file = read_mesh_bytes(text.as_bytes()).expect("sparse");
    // element 2 is replaced by element 1
    assert_eq!(file.surface.positions[2], Vec3::new(3.0, 2.0, 3.0));

    let text = embedded()
        .replacen(
            "\"componentType\":5126",
            "\"componentType\":5122,\"normalized\":true",
            1,
        )
        .replacen(
            "\"byteLength\":48",
            "\"byteLength\":48,\"byteStride\":12",
            1,
        )
        .replacen(
            "\"scene\"",
            "\"extensionsRequired\":[\"KHR_mesh_quantization\"],\"scene\"",
            1,
        );
    let file = read_mesh_bytes(text.as_bytes()).expect("quantised");
    // the halves of 1.0_f32, 0 and 0x3f80, of which the second fills y of vertex 1
    let y = 2.0 + 2.0 * f64::from(0x3f80) / 32_767.0;
    assert_eq!(file.surface.positions[1], Vec3::new(1.0, y, 3.0));
    assert_eq!(file.notes, Vec::<String>::new());
}

#[test]
fn buffers_beside_the_file_are_found_by_path_only() {
    let folder = std::env::temp_dir().join(format!("pliant-gltf-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("a b.bin"), buffer()).expect("written");
    let text = with_uri("a%20b.bin");
    let path = folder.join("x.mesh");
    std::fs::write(&path, &text).expect("written");
    let file = read_mesh(&path).expect("found");
    assert_eq!(file.surface.triangles.len(), 4);
    let twice = text.replace(
        "\"buffers\":[",
        "\"buffers\":[{\"byteLength\":72,\"uri\":\"a%20b.bin\"},",
    );
    let twice = twice.replace("\"buffer\":0,\"byteOffset\"", "\"buffer\":1,\"byteOffset\"");
    std::fs::write(&path, &twice).expect("written");
    assert_eq!(read_mesh(&path).map(|f| f.surface), Ok(file.surface));
    let error = read_mesh_bytes(text.as_bytes()).expect_err("no folder");
    assert_eq!(error.code(), "Companion");
    assert!(error.to_string().contains("a b.bin"), "{error}");
    std::fs::remove_file(folder.join("a b.bin")).expect("removed");
    std::fs::write(&path, &text).expect("written");
    assert_eq!(read_mesh(&path).expect_err("gone").code(), "Companion");
    for uri in ["../x.bin", "/x.bin", "https://example.org/x.bin"] {
        std::fs::write(&path, with_uri(uri)).expect("written");
        assert_eq!(read_mesh(&path).expect_err("refused").code(), "Unsupported");
    }
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn what_cannot_be_read_is_named() {
    #[rustfmt::skip]
    let rows = [
        (r#""scene":0,"#, r#""extensionsRequired":["KHR_draco_mesh_compression"],"#, "Unsupported", "", "Draco"),
        (r#""scene":0,"#, r#""extensionsRequired":["EXT_meshopt_compression"],"#, "Unsupported", "", "meshopt"),
        (r#""version":"2.0""#, r#""version":"1.0""#, "Unsupported", "", "version `1.0`"),
        (r#""children":[1]"#, r#""children":[1,1]"#, "Syntax", "byte", "twice"),
        (r#""children":[1]"#, r#""children":[9]"#, "Syntax", "byte", "number 9 of 3 `nodes`"),
        (r#""count":4"#, r#""count":5"#, "Syntax", "byte", "ends after its view"),
        (r#""count":4"#, r#""count":4000000"#, "TooManyClaimed", "byte", "elements"),
        (r#""count":4"#, r#""count":3"#, "IndexOutOfRange", "byte", "vertex 3"),
        (r#""byteLength":24"#, r#""byteLength":25"#, "Syntax", "byte", "buffer 0 has 72"),
        (r#""VEC3""#, r#""VEC2""#, "Syntax", "byte", "`VEC2`"),
        ("5126", "5130", "Syntax", "byte", "5130"),
        ("[1,2,3]", "[1,2]", "Syntax", "byte", "translation"),
        ("[1,2,3]", "[1,2,1e999]", "NonFinite", "byte", "finite"),
        ("base64,A", "base64,?", "Syntax", "byte", "base64"),
        (r#""indices":1"#, r#""mode":1"#, "NoTriangles", "", "line primitives"),
    ];
    assert_refused(&embedded(), &rows);
}

#[test]
fn a_small_file_cannot_place_its_mesh_without_end() {
    let many = vec!["{\"mesh\":0}"; 5_000].join(",");
    let roots = (0..5_000)
        .map(|k| k.to_string())
        .collect::<Vec<_>>()
        .join(",");
    let primitives = vec![r#"{"attributes":{"POSITION":0},"indices":1}"#; 200].join(",");
    let text = embedded()
        .replace("\"nodes\":[0]", &format!("\"nodes\":[{roots}]"))
        .replace("{\"mesh\":0}]", &format!("{many}]"))
        .replace("\"children\":[1],", "")
        .replace(r#"{"attributes":{"POSITION":0},"indices":1}"#, &primitives);
    let error = read_mesh_bytes(text.as_bytes()).expect_err("too many");
    assert_eq!(error.code(), "TooManyClaimed", "{error}");
}
