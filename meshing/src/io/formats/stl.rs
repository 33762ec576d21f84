//! STL, text and binary.

use pliant_core::math::Vec3;

use crate::io::assembly::polygons::Polygons;
use crate::io::encoding::text::{Lines, number, quoted, words};
use crate::io::error::{Place, ReadError};
use crate::io::mesh_file::{MeshFile, MeshFormat, ReadOptions};
use crate::io::sniff::stl_triangles;

const HEADER: usize = 84;
const RECORD: usize = 50;

/// Reads a binary STL by its byte count. Normals and attributes are ignored: the corners say it all.
pub(crate) fn read_binary(bytes: &[u8], options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let Some(count) = stl_triangles(bytes) else {
        return Err(ReadError::truncated(bytes.len(), "an 84-byte STL header"));
    };
    if u64::from(count) > bytes.len() as u64 {
        return Err(ReadError::TooManyClaimed {
            place: Place::Byte(80),
            what: "triangles".into(),
            claimed: u64::from(count),
            bytes: bytes.len(),
        });
    }
    let count = count as usize;
    let end = HEADER + RECORD * count;
    if bytes.len() < end {
        let whole = (bytes.len() - HEADER) / RECORD;
        return Err(ReadError::truncated(
            bytes.len(),
            format!("triangle {whole} of {count} (the header asks for {end} bytes)"),
        ));
    }
    let mut mesh = Polygons::new(false, 0, options);
    mesh.reserve(3 * count, count);
    for k in 0..count {
        let start = HEADER + RECORD * k;
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
    // line and corner count of the facet under way
    let mut facet: Option<(usize, usize)> = None;
    let mut ended = false;
    let mut strange = None;
    for line in lines.by_ref() {
        let place = Place::Line(line.number);
        let mut rest = words(line.bytes);
        match (Keyword::of(rest.next()), facet.as_mut()) {
            (Keyword::Vertex, Some((_, corners))) => {
                let position = vertex(rest, line.number)?;
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
            (Keyword::Passed, _) => {}
            (Keyword::Strange, _) => strange = Some(line.number),
        }
    }
    if let Some((start, _)) = facet {
        let expected = format!("the rest of the facet of line {start}");
        return Err(ReadError::truncated(bytes.len(), expected));
    }
    if !ended && strange == Some(lines.number()) {
        return Err(ReadError::truncated(bytes.len(), "`endsolid`"));
    }
    if !ended {
        mesh.notes
            .push("`endsolid` is missing: the file may be cut short".into());
    }
    if let Some(at) = strange {
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
    /// says nothing
    Passed,
    Strange,
}

impl Keyword {
    fn of(word: Option<&[u8]>) -> Self {
        let Some(word) = word else {
            return Self::Passed;
        };
        let is = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
        // in the order of how often they stand in a file
        if is("vertex") {
            Self::Vertex
        } else if is("facet") {
            Self::Facet
        } else if is("endfacet") {
            Self::EndFacet
        } else if is("outer") || is("endloop") || is("loop") || is("end") {
            Self::Passed
        } else if is("solid") {
            Self::Solid
        } else if is("endsolid") {
            Self::EndSolid
        } else {
            Self::Strange
        }
    }
}

fn vertex<'a>(mut rest: impl Iterator<Item = &'a [u8]>, line: usize) -> Result<Vec3, ReadError> {
    let mut position = Vec3::zeros();
    for (axis, x) in position.iter_mut().enumerate() {
        let Some(word) = rest.next() else {
            let what = format!("a vertex with {axis} coordinates instead of 3");
            return Err(ReadError::syntax(Place::Line(line), what));
        };
        *x = number(word).ok_or_else(|| {
            let what = format!("{} is not a number", quoted(word));
            ReadError::syntax(Place::Line(line), what)
        })?;
    }
    Ok(position)
}
