//! STL, text and binary.

use pliant_core::math::Vec3;

use crate::io::assembly::polygons::Polygons;
use crate::io::encoding::text::{Lines, position, words};
use crate::io::error::{Place, ReadError};
use crate::io::formats::format::Format;
use crate::io::mesh_file::{MeshFile, MeshFormat, ReadOptions};

/// Binary and complete. The byte count decides, because a header may begin with `solid`. A Gmsh file that was cut may have such a count by chance: its first line tells.
pub(crate) static BINARY: Format = Format {
    name: "binary STL",
    matches: |head| {
        let length = |n: u32| 84 + 50 * u64::from(n);
        let is_complete =
            triangle_count(head.bytes).is_some_and(|n| head.bytes.len() as u64 == length(n));
        is_complete && !head.start.starts_with(b"$MeshFormat\n")
    },
    read: |bytes, _, options| read_binary(bytes, options),
};

/// Text, or binary that begins with `solid`.
pub(crate) static TEXT: Format = Format {
    name: "text STL",
    matches: |head| {
        let is = |name: &[u8]| head.first_word().eq_ignore_ascii_case(name);
        head.is_text && (is(b"solid") || is(b"facet"))
    },
    read: |bytes, _, options| {
        if is_binary_solid(bytes) {
            read_binary(bytes, options)
        } else {
            read_text(bytes, options)
        }
    },
};

/// Binary, with too few bytes or too many.
pub(crate) static CUT: Format = Format {
    name: "cut STL",
    matches: |head| looks_like_cut_binary(head.bytes),
    read: |bytes, _, options| read_binary(bytes, options),
};

/// Binary content that begins with `solid` and has no zero byte in its first 4 KiB, or is cut.
fn is_binary_solid(bytes: &[u8]) -> bool {
    let first = bytes.get(..4096).unwrap_or(bytes);
    let lower = first.to_ascii_lowercase();
    let has_facets = lower.windows(5).any(|w| w == b"facet" || w == b"endso");
    !has_facets && first.iter().any(|&b| b < 9)
}

/// Number of triangles that a binary file would claim.
fn triangle_count(bytes: &[u8]) -> Option<u32> {
    let count: [u8; 4] = bytes.get(80..84)?.try_into().ok()?;
    Some(u32::from_le_bytes(count))
}

/// Whether binary content of the wrong length is STL all the same: its first triangle is plausible.
fn looks_like_cut_binary(bytes: &[u8]) -> bool {
    let Some(count) = triangle_count(bytes) else {
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

const HEADER_BYTES: usize = 84;
const TRIANGLE_BYTES: usize = 50;

/// Reads a binary STL by its byte count. Normals and attributes are ignored.
pub(crate) fn read_binary(bytes: &[u8], options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let Some(count) = triangle_count(bytes) else {
        return Err(ReadError::truncated(bytes.len(), "an 84-byte STL header"));
    };
    if u64::from(count) > bytes.len() as u64 {
        let place = Place::Byte(80);
        let claimed = u64::from(count);
        return Err(ReadError::too_many(
            place,
            "triangles",
            claimed,
            bytes.len(),
        ));
    }
    let count = count as usize;
    let end = HEADER_BYTES + TRIANGLE_BYTES * count;
    if bytes.len() < end {
        let whole = (bytes.len() - HEADER_BYTES) / TRIANGLE_BYTES;
        return Err(ReadError::truncated(
            bytes.len(),
            format!("triangle {whole} of {count} (the header asks for {end} bytes)"),
        ));
    }
    let mut mesh = Polygons::new(false, 0, options);
    mesh.reserve(3 * count, count);
    for k in 0..count {
        let start = HEADER_BYTES + TRIANGLE_BYTES * k;
        let corners = bytes.get(start + 12..start + 48).unwrap_or_default();
        let first = mesh.vertex_count() as u32;
        for (c, corner) in corners.chunks_exact(12).enumerate() {
            let at = start + 12 + 12 * c;
            let mut position = Vec3::zeros();
            for (x, raw) in position.iter_mut().zip(corner.chunks_exact(4)) {
                let raw: [u8; 4] = raw.try_into().unwrap_or_default();
                *x = f64::from(f32::from_le_bytes(raw));
            }
            mesh.vertex(position, at)?;
        }
        mesh.triangle([first, first + 1, first + 2], start);
    }
    if bytes.len() > end {
        mesh.notes.push(format!(
            "{} bytes after the last triangle were ignored",
            bytes.len() - end
        ));
    }
    mesh.finish(MeshFormat::StlBinary, "")
}

/// Reads a text STL; words in any case, several solids, facets of more than three corners.
pub(crate) fn read_text(bytes: &[u8], options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let mut mesh = Polygons::new(true, 0, options);
    let mut lines = Lines::new(bytes);
    // line and corner count of the current facet
    let mut facet: Option<(usize, usize)> = None;
    let mut ended = false;
    let mut unknown = None;
    for line in lines.by_ref() {
        let place = Place::Line(line.number);
        let mut rest = words(line.bytes);
        match (Keyword::of(rest.next()), facet.as_mut()) {
            (Keyword::Vertex, Some((_, corners))) => {
                let position = position(rest, line.number)?;
                let index = mesh.vertex_count() as i64;
                mesh.vertex(position, line.number)?;
                mesh.corner(index, line.number)?;
                *corners += 1;
            }
            (Keyword::Vertex, None) => {
                return Err(ReadError::syntax(place, "a vertex outside a facet"));
            }
            (Keyword::Facet, None) => facet = Some((line.number, 0)),
            (Keyword::Facet, Some((start, _))) => {
                let what = format!("a facet begins inside the one of line {start}");
                return Err(ReadError::syntax(place, what));
            }
            (Keyword::EndFacet, Some(&mut (start, corners))) => {
                if corners < 3 {
                    let what = format!("the facet has {corners} corners instead of 3");
                    return Err(ReadError::syntax(place, what));
                }
                mesh.end_polygon(start);
                facet = None;
            }
            (Keyword::EndFacet, None) => {
                return Err(ReadError::syntax(place, "`endfacet` without a facet"));
            }
            (Keyword::EndSolid, _) => ended = true,
            (Keyword::Solid, _) => ended = false,
            (Keyword::Ignored, _) => {}
            (Keyword::Unknown, _) => unknown = Some(line.number),
        }
    }
    if let Some((start, _)) = facet {
        let expected = format!("the rest of the facet of line {start}");
        return Err(ReadError::truncated(bytes.len(), expected));
    }
    if !ended && unknown == Some(lines.number()) {
        return Err(ReadError::truncated(bytes.len(), "`endsolid`"));
    }
    if !ended {
        mesh.notes
            .push("`endsolid` is missing: the file may be cut short".into());
    }
    if let Some(at) = unknown {
        mesh.notes.push(format!(
            "line {at} and perhaps others before it were not understood"
        ));
    }
    mesh.finish(MeshFormat::StlText, "")
}

/// What a line begins with.
enum Keyword {
    Vertex,
    Facet,
    EndFacet,
    Solid,
    EndSolid,
    /// known, without data
    Ignored,
    Unknown,
}

impl Keyword {
    fn of(word: Option<&[u8]>) -> Self {
        let Some(word) = word else {
            return Self::Ignored;
        };
        let is = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
        // the most frequent keywords first
        if is("vertex") {
            Self::Vertex
        } else if is("facet") {
            Self::Facet
        } else if is("endfacet") {
            Self::EndFacet
        } else if is("outer") || is("endloop") || is("loop") || is("end") {
            Self::Ignored
        } else if is("solid") {
            Self::Solid
        } else if is("endsolid") {
            Self::EndSolid
        } else {
            Self::Unknown
        }
    }
}
