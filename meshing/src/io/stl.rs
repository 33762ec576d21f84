//! STL, text and binary.

use pliant_core::math::Vec3;

use super::error::{Place, ReadError};
use super::polygons::Polygons;
use super::sniff::stl_triangles;
use super::text::{Lines, number, quoted, words};
use super::{MeshFile, MeshFormat, ReadOptions};

const HEADER: usize = 84;
const RECORD: usize = 50;

/// Reads a binary STL by its byte count. Normals and attributes are ignored: the corners say it all.
pub(super) fn read_binary(bytes: &[u8], options: &ReadOptions) -> Result<MeshFile, ReadError> {
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
    for k in 0..count {
        let start = HEADER + RECORD * k;
        let corners = bytes.get(start + 12..start + 48).unwrap_or_default();
        for (c, corner) in corners.chunks_exact(12).enumerate() {
            let at = start + 12 + 12 * c;
            let mut position = Vec3::zeros();
            for (x, raw) in position.iter_mut().zip(corner.chunks_exact(4)) {
                let raw: [u8; 4] = raw.try_into().unwrap_or_default();
                *x = f64::from(f32::from_le_bytes(raw));
            }
            mesh.corner(mesh.vertex_count() as i64, at)?;
            mesh.vertex(position, at)?;
        }
        mesh.end_polygon(start);
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
pub(super) fn read_text(bytes: &[u8], options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let mut mesh = Polygons::new(true, 0, options);
    let mut lines = Lines::new(bytes);
    // line and corner count of the facet under way
    let mut facet: Option<(usize, usize)> = None;
    let mut ended = false;
    let mut strange = None;
    for line in lines.by_ref() {
        let place = Place::Line(line.number);
        let mut rest = words(line.bytes);
        let keyword = rest.next().unwrap_or_default().to_ascii_lowercase();
        match (keyword.as_slice(), facet.as_mut()) {
            (b"vertex", Some((_, corners))) => {
                let position = vertex(rest, line.number)?;
                mesh.corner(mesh.vertex_count() as i64, line.number)?;
                mesh.vertex(position, line.number)?;
                *corners += 1;
            }
            (b"vertex", None) => return Err(ReadError::syntax(place, "a vertex outside a facet")),
            (b"facet", None) => facet = Some((line.number, 0)),
            (b"facet", Some((start, _))) => {
                let what = format!("a facet begins inside the one of line {start}");
                return Err(ReadError::syntax(place, what));
            }
            (b"endfacet", Some(&mut (start, corners))) => {
                if corners < 3 {
                    let what = format!("the facet has {corners} corners instead of 3");
                    return Err(ReadError::syntax(place, what));
                }
                mesh.end_polygon(start);
                facet = None;
            }
            (b"endfacet", None) => {
                return Err(ReadError::syntax(place, "`endfacet` without a facet"));
            }
            (b"endsolid", _) => ended = true,
            (b"solid", _) => ended = false,
            (b"" | b"outer" | b"endloop" | b"loop" | b"end", _) => {}
            _ => strange = Some(line.number),
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
