//! Which format a file has, by its content.

use super::encoding::text::{Lines, quoted};
use super::error::ReadError;
use super::formats::format::{Format, Head};
use super::formats::{CERTAIN, LIKELY};

const MESHB: &str = "binary Medit (.meshb): save it as text (.mesh)";

/// Formats that are recognised, but not read: first bytes and name.
const UNSUPPORTED_FORMATS: [(&[u8], &str); 20] = [
    (b"$NOD", "Gmsh version 1: save it in version 4.1"),
    (b"\x01\0\0\0\x01\0\0\0\x03\0\0\0", MESHB),
    (b"\x01\0\0\0\x02\0\0\0\x03\0\0\0", MESHB),
    (b"\x01\0\0\0\x03\0\0\0\x03\0\0\0", MESHB),
    (b"\x01\0\0\0\x04\0\0\0\x03\0\0\0", MESHB),
    (b"\0\0\0\x01\0\0\0", MESHB),
    (b"*KEYWORD", "LS-DYNA: save it as Abaqus, VTK or Gmsh"),
    (b"PK\x03\x04", "a ZIP archive (perhaps 3MF): unpack it"),
    (b"\x1f\x8b", "a gzip archive: unpack it"),
    (b"Kaydara FBX", "FBX"),
    (b"; FBX", "FBX as text"),
    (b"BLENDER", "a Blender scene"),
    (b"#usda", "USD"),
    (b"PXR-USDC", "USD"),
    (b"ISO-10303-21", "STEP: it has no triangles yet"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"\xff\xfe", "text in UTF-16: save it as UTF-8"),
    (b"\xfe\xff", "text in UTF-16: save it as UTF-8"),
];

/// The format of a file, decided by its content.
pub(super) fn format(bytes: &[u8]) -> Result<&'static Format, ReadError> {
    let head = Head::new(bytes);
    if head.start.is_empty() {
        return Err(ReadError::EmptyFile);
    }
    let first = |formats: &[&'static Format]| {
        let mut formats = formats.iter().copied();
        formats.find(|format| (format.matches)(&head))
    };
    if let Some(format) = first(CERTAIN) {
        return Ok(format);
    }
    if let Some(found) = unsupported_format(&head) {
        return Err(ReadError::UnknownFormat { found });
    }
    if let Some(format) = first(LIKELY) {
        return Ok(format);
    }
    let found = if head.is_text {
        let word = quoted(head.keyword());
        let line = line_of_keyword(&head);
        format!("line {line} begins with {word}, which no supported format does")
    } else {
        let shown: Vec<String> = bytes.iter().take(8).map(|b| format!("{b:02x}")).collect();
        let shown = shown.join(" ");
        format!("its first bytes are {shown}, which no supported format begins with")
    };
    Err(ReadError::UnknownFormat { found })
}

/// Name of the unsupported format of a file, where it is recognised.
fn unsupported_format(head: &Head<'_>) -> Option<String> {
    for (magic, name) in UNSUPPORTED_FORMATS {
        if head.start.starts_with(magic) {
            return Some(format!("it looks like {name}"));
        }
    }
    let found = if !head.is_text {
        return None;
    } else if head.start.starts_with(b"{") {
        "it looks like JSON, but not like glTF"
    } else if head.start.starts_with(b"<") {
        if head.contains(b"COLLADA") {
            "it looks like COLLADA"
        } else if head.contains(b"<!DOCTYPE html") || head.contains(b"<html") {
            "it looks like a web page: the download went wrong"
        } else {
            "it looks like XML"
        }
    } else if head.keyword().split(|&b| b == b'=').next() == Some(b"schema") {
        "it looks like a scene, and a mesh is needed here"
    } else if head.keyword().is_empty() {
        "it holds nothing but comments"
    } else {
        return None;
    };
    Some(found.into())
}

fn line_of_keyword(head: &Head<'_>) -> usize {
    let line = Lines::new(head.bytes).next_meaningful();
    line.map_or(1, |line| line.number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(bytes: &[u8]) -> Result<&'static str, ReadError> {
        format(bytes).map(|format| format.name)
    }

    #[test]
    fn formats_are_told_apart_by_content() {
        for (start, known) in [
            (b"ply\nformat ascii 1.0\n".as_slice(), "PLY"),
            (b"# c\n\nNOFF\n0 0 0\n", "OFF"),
            (b"# c\r\nmtllib a\r\nv 0 0 0", "OBJ"),
            (b"solid a\nfacet", "text STL"),
            (b"glTF\x02\0\0\0", "GLB"),
            (b"{\"asset\":{\"version\":\"2.0\"}}", "glTF"),
            (b"$MeshFormat\n4.1 0 8\n", "Gmsh"),
            (b"# vtk DataFile Version 3.0\n", "VTK"),
            (b"<?xml version=\"1.0\"?>\n<VTKFile>", "VTK XML"),
            (b"\n# c\nMeshVersionFormatted 1", "Medit"),
            (b"** c\n*Heading\n v\n*NODE\n1,0,0,0\n", "Abaqus"),
            (b"4 3 0 0\n1 0 0 0\n", "TetGen"),
            (b"# c\n1 4 0\n0 1 2 3 4\n", "TetGen"),
            (b"2 1\n1 1 2 3 0\n", "TetGen"),
        ] {
            assert_eq!(name(start), Ok(known));
        }
        assert_eq!(name(b" \n\n"), Err(ReadError::EmptyFile));
    }

    #[test]
    fn byte_counts_say_more_than_words() {
        for start in [b"$MeshFormat".as_slice(), b"MeshVersionFormatted", b"solid"] {
            let mut stl = start.to_vec();
            stl.resize(80, b' ');
            stl.extend(1_u32.to_le_bytes());
            stl.resize(134, 0);
            assert_eq!(name(&stl), Ok("binary STL"));
            if start == b"solid" {
                stl.truncate(120);
                assert_eq!(name(&stl), Ok("cut STL"));
            }
        }
        // the bytes of no triangles
        let mut cut = b"$MeshFormat\n2.2 1 8\n".to_vec();
        cut.resize(84, 0);
        assert_eq!(name(&cut), Ok("Gmsh"));
    }

    #[test]
    fn foreign_files_are_named() {
        for (content, name) in [
            (b"{\"meshes\":[]}".as_slice(), "JSON"),
            (b"$NOD\n1\n", "Gmsh version 1"),
            (b"*KEYWORD\n*NODE\n", "LS-DYNA"),
            (b"<?xml version=\"1.0\"?>\n<COLLADA>\nv 0 0 0\n", "COLLADA"),
            (b"<html>\n", "web page"),
            (b"<amf>\nv 0 0 0\n", "XML"),
            (b"# nothing\n", "comments"),
            (b"# A pad.\nschema = 1\n", "a scene"),
            (b"schema=1\n", "a scene"),
            (b"PK\x03\x04....", "ZIP"),
            (b"\x00\x01\x02\x03", "00 01 02 03"),
            (b"# c\nhello world\n", "line 2 begins with `hello`"),
            (b"8 3 7 7\n", "`8`"),
        ] {
            let error = format(content).expect_err("unsupported");
            assert_eq!(error.code(), "UnknownFormat");
            assert!(error.to_string().contains(name), "{error}");
        }
    }
}
