//! Wavefront OBJ.

use crate::io::assembly::polygons::Polygons;
use crate::io::encoding::text::{Lines, integer, not_a_number, position, without_comment, words};
use crate::io::error::{Place, ReadError};
use crate::io::formats::format::Format;
use crate::io::mesh_file::{MeshFile, MeshFormat, ReadOptions};

/// Known statements without triangles: they are ignored.
#[rustfmt::skip]
const IGNORED_STATEMENTS: [&[u8]; 20] = [
    b"vt", b"vn", b"vp", b"g", b"o", b"s", b"mg", b"mtllib", b"usemtl", b"usemap", b"maplib", b"bevel",
    b"c_interp", b"d_interp", b"lod", b"shadow_obj", b"trace_obj", b"deg", b"parm", b"end",
];

/// OBJ.
pub(crate) static FORMAT: Format = Format {
    name: "OBJ",
    matches: |head| head.is_text && has_statements(head.bytes),
    read: |bytes, _, options| read(bytes, options),
};

/// Statements that a file may begin with.
const FIRST_STATEMENTS: [&[u8]; 15] = [
    b"v", b"vn", b"vt", b"vp", b"f", b"l", b"p", b"g", b"o", b"s", b"mtllib", b"usemtl", b"deg",
    b"cstype", b"mg",
];

/// Whether one of them is among the first lines. Statements of a single program may come before.
fn has_statements(bytes: &[u8]) -> bool {
    let mut lines = Lines::new(bytes);
    let first = std::iter::from_fn(|| lines.next_meaningful()).take(1_000);
    first
        .filter_map(|line| words(line.bytes).next())
        .any(|word| FIRST_STATEMENTS.contains(&word))
}

/// Reads `v` and `f`, negative numbers and `v/vt/vn` corners too. Lines, points and free-form surfaces are passed over with a note.
pub(crate) fn read(bytes: &[u8], options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let mut mesh = Polygons::new(true, 1, options);
    let mut wires = 0_usize;
    let mut curved = 0_usize;
    let mut unknown: Option<(usize, usize)> = None;
    let mut lines = Lines::new(bytes);
    let mut joined = Vec::new();
    while let Some(line) = lines.next() {
        let first = line.number;
        let mut text = without_comment(line.bytes);
        // a backslash at the end continues the statement on the next line
        if text.trim_ascii_end().ends_with(b"\\") {
            joined.clear();
            while let Some(head) = text.trim_ascii_end().strip_suffix(b"\\") {
                joined.extend_from_slice(head);
                joined.push(b' ');
                text = lines.next().map_or(b"", |l| without_comment(l.bytes));
            }
            joined.extend_from_slice(text);
            text = &joined;
        }
        let mut rest = words(text);
        let Some(keyword) = rest.next() else {
            continue;
        };
        match keyword {
            b"v" => mesh.vertex(position(rest, first)?, first)?,
            b"f" | b"fo" => face(&mut mesh, rest, first)?,
            b"l" | b"p" => wires += 1,
            b"curv" | b"curv2" | b"surf" | b"cstype" => curved += 1,
            _ if IGNORED_STATEMENTS.contains(&keyword) => {}
            _ => unknown = Some(unknown.map_or((first, 1), |(at, n)| (at, n + 1))),
        }
    }
    if wires > 0 {
        mesh.notes
            .push(format!("{wires} line and point elements were skipped"));
    }
    if curved > 0 {
        mesh.notes.push(format!(
            "{curved} statements of curves and curved surfaces were skipped"
        ));
    }
    if let Some((at, count)) = unknown {
        mesh.notes.push(format!(
            "{count} statements with unknown names were skipped, the first at line {at}"
        ));
    }
    let instead = match (wires, curved) {
        (0, 0) => String::new(),
        (_, 0) => format!("{wires} line or point elements"),
        _ => "curved surfaces".into(),
    };
    mesh.finish(MeshFormat::Obj, &instead)
}

fn face<'a>(
    mesh: &mut Polygons,
    rest: impl Iterator<Item = &'a [u8]>,
    line: usize,
) -> Result<(), ReadError> {
    for word in rest {
        let digits = word.split(|&b| b == b'/').next().unwrap_or(word);
        let written = integer(digits).ok_or_else(|| not_a_number(word, Place::Line(line)))?;
        let vertices = mesh.vertex_count();
        let index = match written {
            1.. => written - 1,
            // counted back from the vertex that came last
            _ => written.saturating_add(vertices as i64),
        };
        if written == 0 || index < 0 {
            return Err(ReadError::IndexOutOfRange {
                place: Place::Line(line),
                index: written,
                vertices,
            });
        }
        mesh.corner(index, line)?;
    }
    mesh.end_polygon(line);
    Ok(())
}
