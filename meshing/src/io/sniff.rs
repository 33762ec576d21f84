//! Which format a file has, by its content.

use super::encoding::text::{Lines, quoted, words};
use super::error::ReadError;
use super::formats::tetgen;

/// What a reader exists for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Obj,
    StlText,
    StlBinary,
    Ply,
    Off,
    Gltf,
    Glb,
    Gmsh,
    VtkLegacy,
    VtkXml,
    TetGen(tetgen::Part),
    Medit,
}

/// Statements that an OBJ file may begin with.
const OBJ_STATEMENTS: [&[u8]; 15] = [
    b"v", b"vn", b"vt", b"vp", b"f", b"l", b"p", b"g", b"o", b"s", b"mtllib", b"usemtl", b"deg",
    b"cstype", b"mg",
];

const MESHB: &str = "binary Medit (.meshb): save it as text (.mesh)";

/// Formats that are recognised, but not read: first bytes and name.
const FOREIGN: [(&[u8], &str); 19] = [
    (b"$NOD", "Gmsh version 1: save it in version 4.1"),
    (b"\x01\0\0\0\x01\0\0\0\x03\0\0\0", MESHB),
    (b"\x01\0\0\0\x02\0\0\0\x03\0\0\0", MESHB),
    (b"\x01\0\0\0\x03\0\0\0\x03\0\0\0", MESHB),
    (b"\x01\0\0\0\x04\0\0\0\x03\0\0\0", MESHB),
    (b"\0\0\0\x01\0\0\0", MESHB),
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

/// Formats that begin with words of their own.
const MAGIC: [(&[u8], Kind); 5] = [
    (b"glTF", Kind::Glb),
    (b"$MeshFormat", Kind::Gmsh),
    (b"# vtk DataFile", Kind::VtkLegacy),
    (b"<VTKFile", Kind::VtkXml),
    (b"MeshVersionFormatted", Kind::Medit),
];

/// Decides by content. Byte counts count for more than words: a binary STL may begin with `solid`.
pub(super) fn format(bytes: &[u8]) -> Result<Kind, ReadError> {
    let unknown = |found: String| Err(ReadError::UnknownFormat { found });
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let start = start.trim_ascii_start();
    if start.is_empty() {
        return Err(ReadError::EmptyFile);
    }
    let first_word = words(first_line(start)).next().unwrap_or_default();
    if first_word == b"ply" {
        return Ok(Kind::Ply);
    }
    if stl_triangles(bytes).is_some_and(|n| bytes.len() as u64 == 84 + 50 * u64::from(n)) {
        return Ok(Kind::StlBinary);
    }
    for (magic, kind) in MAGIC {
        if start.starts_with(magic) {
            return Ok(kind);
        }
    }
    if start.starts_with(b"<") && holds(start, b"<VTKFile") {
        return Ok(Kind::VtkXml);
    }
    for (magic, name) in FOREIGN {
        if start.starts_with(magic) {
            return unknown(format!("it looks like {name}"));
        }
    }
    let head = bytes.get(..4096).unwrap_or(bytes);
    let is_text = !head.contains(&0);
    if is_text {
        return text_format(bytes, start, first_word);
    }
    if looks_like_cut_stl(bytes) {
        return Ok(Kind::StlBinary);
    }
    let shown: Vec<String> = bytes.iter().take(8).map(|b| format!("{b:02x}")).collect();
    unknown(format!(
        "its first bytes are {}, which no supported format begins with",
        shown.join(" ")
    ))
}

fn first_line(start: &[u8]) -> &[u8] {
    let line = start.split(|&b| b == b'\n' || b == b'\r').next();
    line.unwrap_or_default()
}

/// Formats of text, by the first line that is not a comment.
fn text_format(bytes: &[u8], start: &[u8], first_word: &[u8]) -> Result<Kind, ReadError> {
    let unknown = |found: String| Err(ReadError::UnknownFormat { found });
    if first_word.eq_ignore_ascii_case(b"solid") || first_word.eq_ignore_ascii_case(b"facet") {
        // a binary STL without a zero byte in its first 4 KiB, or a cut one
        let rest = bytes.get(..4096).unwrap_or(bytes);
        let has_facets = rest
            .to_ascii_lowercase()
            .windows(5)
            .any(|w| w == b"facet" || w == b"endso");
        let is_binary = !has_facets && rest.iter().any(|&b| b < 9);
        return Ok(if is_binary {
            Kind::StlBinary
        } else {
            Kind::StlText
        });
    }
    if start.starts_with(b"{") {
        // keys have no order: this one may stand behind all buffers
        return if start.windows(7).any(|w| w == b"\"asset\"") {
            Ok(Kind::Gltf)
        } else {
            unknown("it looks like JSON, but not like glTF".into())
        };
    }
    if start.starts_with(b"<") {
        return unknown(if holds(start, b"COLLADA") {
            "it looks like COLLADA".into()
        } else if holds(start, b"<!DOCTYPE html") || holds(start, b"<html") {
            "it looks like a web page: the download went wrong".into()
        } else {
            "it looks like XML".into()
        });
    }
    let Some(line) = Lines::new(bytes).next_meaningful() else {
        return unknown("it holds nothing but comments".into());
    };
    let word = words(line.bytes).next().unwrap_or_default();
    if is_off(word) || word == b"off" {
        return Ok(Kind::Off);
    }
    if word == b"MeshVersionFormatted" {
        return Ok(Kind::Medit);
    }
    if let Some(part) = tetgen::part(bytes) {
        return Ok(Kind::TetGen(part));
    }
    // statements of our own choosing may stand before the first known one
    let mut lines = Lines::new(bytes);
    for _ in 0..1_000 {
        let Some(line) = lines.next_meaningful() else {
            break;
        };
        let word = words(line.bytes).next().unwrap_or_default();
        if OBJ_STATEMENTS.contains(&word) {
            return Ok(Kind::Obj);
        }
    }
    if looks_like_cut_stl(bytes) {
        return Ok(Kind::StlBinary);
    }
    unknown(format!(
        "line {} begins with {}, which no supported format does",
        line.number,
        quoted(word)
    ))
}

/// Whether the words stand in the first 2 KiB.
fn holds(start: &[u8], words: &[u8]) -> bool {
    let head = start.get(..2048).unwrap_or(start);
    head.windows(words.len()).any(|w| w == words)
}

/// `OFF` with the prefixes of Geomview: texture, colour, normal, dimensions.
fn is_off(word: &[u8]) -> bool {
    word.strip_suffix(b"OFF")
        .is_some_and(|prefix| prefix.len() <= 6 && prefix.iter().all(|b| b"STCN4n".contains(b)))
}

/// Number of triangles that a binary STL would claim.
pub(super) fn stl_triangles(bytes: &[u8]) -> Option<u32> {
    let count: [u8; 4] = bytes.get(80..84)?.try_into().ok()?;
    Some(u32::from_le_bytes(count))
}

/// Whether binary content whose length does not fit is a binary STL all the same: its first triangle makes sense.
fn looks_like_cut_stl(bytes: &[u8]) -> bool {
    let Some(count) = stl_triangles(bytes) else {
        return false;
    };
    let floats: Vec<f32> = bytes
        .get(84..)
        .unwrap_or_default()
        .chunks_exact(4)
        .take(12)
        .filter_map(|b| b.try_into().ok().map(f32::from_le_bytes))
        .collect();
    let normal: f32 = floats.iter().take(3).map(|x| x * x).sum();
    let unit = normal == 0.0 || (normal - 1.0).abs() < 0.01;
    let readable = |b: &u8| *b == 0 || (9..127).contains(b);
    let head = bytes.iter().take(80).all(readable);
    let sensible = floats.iter().all(|x| x.is_finite() && x.abs() < 1e12);
    count > 0 && sensible && (unit || floats.len() < 3) && (head || floats.len() == 12)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_apart_by_content() {
        assert_eq!(format(b"ply\nformat ascii 1.0\n"), Ok(Kind::Ply));
        assert_eq!(format(b"# c\n\nNOFF\n0 0 0\n"), Ok(Kind::Off));
        assert_eq!(format(b"# c\r\nmtllib a\r\nv 0 0 0"), Ok(Kind::Obj));
        assert_eq!(format(b"solid a\nfacet"), Ok(Kind::StlText));
        let mut stl = b"solid but binary".to_vec();
        stl.resize(80, b' ');
        stl.extend(1_u32.to_le_bytes());
        stl.resize(134, 0);
        assert_eq!(format(&stl), Ok(Kind::StlBinary));
        stl.truncate(120);
        assert_eq!(format(&stl), Ok(Kind::StlBinary));
        assert_eq!(format(b"glTF\x02\0\0\0"), Ok(Kind::Glb));
        assert_eq!(format(b"{\"asset\":{\"version\":\"2.0\"}}"), Ok(Kind::Gltf));
        assert_eq!(format(b"$MeshFormat\n4.1 0 8\n"), Ok(Kind::Gmsh));
        assert_eq!(format(b"# vtk DataFile Version 3.0\n"), Ok(Kind::VtkLegacy));
        assert_eq!(
            format(b"<?xml version=\"1.0\"?>\n<VTKFile>"),
            Ok(Kind::VtkXml)
        );
        assert_eq!(format(b"\n# c\nMeshVersionFormatted 1"), Ok(Kind::Medit));
        for (text, part) in [
            (b"4 3 0 0\n1 0 0 0\n".as_slice(), tetgen::Part::Node),
            (b"# c\n1 4 0\n0 1 2 3 4\n", tetgen::Part::Ele),
            (b"2 1\n1 1 2 3 0\n", tetgen::Part::Face),
        ] {
            assert_eq!(format(text), Ok(Kind::TetGen(part)));
        }
        assert_eq!(format(b" \n\n"), Err(ReadError::EmptyFile));
    }

    #[test]
    fn foreign_files_are_named() {
        for (content, name) in [
            (b"{\"meshes\":[]}".as_slice(), "JSON"),
            (b"$NOD\n1\n", "Gmsh version 1"),
            (b"<?xml version=\"1.0\"?>\n<COLLADA>", "COLLADA"),
            (b"PK\x03\x04....", "ZIP"),
            (b"\x00\x01\x02\x03", "00 01 02 03"),
            (b"hello world\n", "`hello`"),
            (b"8 3 7 7\n", "`8`"),
        ] {
            let error = format(content).expect_err("foreign");
            assert_eq!(error.code(), "UnknownFormat");
            assert!(error.to_string().contains(name), "{error}");
        }
    }
}
