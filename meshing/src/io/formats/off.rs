//! Geomview OFF as text.

use pliant_core::math::Vec3;

use crate::io::assembly::polygons::Polygons;
use crate::io::encoding::text::{Line, Lines, count, integer, number, quoted, words};
use crate::io::error::{Place, ReadError};
use crate::io::formats::format::Format;
use crate::io::mesh_file::{MeshFile, MeshFormat, ReadOptions};

/// OFF.
pub(crate) static FORMAT: Format = Format {
    name: "OFF",
    matches: |head| is_off(head.keyword()) || head.keyword() == b"off",
    read: |bytes, _, options| read(bytes, options),
};

/// `OFF` with the prefixes of Geomview: texture, colour, normal, dimensions.
fn is_off(word: &[u8]) -> bool {
    word.strip_suffix(b"OFF")
        .is_some_and(|prefix| prefix.len() <= 6 && prefix.iter().all(|b| b"STCN4n".contains(b)))
}

/// Reads OFF, COFF, NOFF, STOFF and mixtures: of a vertex line the first three numbers count, of a face line the corners.
pub(crate) fn read(bytes: &[u8], options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let mut lines = Lines::new(bytes);
    let (vertices, faces) = header(bytes, &mut lines)?;
    let mut mesh = Polygons::new(true, 0, options);
    // no line of a vertex is shorter than six bytes, none of a triangle shorter than eight
    let max_count = |count: usize, shortest: usize| count.min(bytes.len() / shortest);
    mesh.reserve(max_count(vertices, 6), max_count(faces, 8));
    for k in 0..vertices {
        let line = next(bytes, &mut lines, "vertex", k, vertices)?;
        let mut rest = words(line.bytes);
        let mut coordinate = || value(&lines, &line, rest.next(), number);
        let position = Vec3::new(coordinate()?, coordinate()?, coordinate()?);
        mesh.vertex(position, line.number)?;
    }
    for k in 0..faces {
        let line = next(bytes, &mut lines, "face", k, faces)?;
        let mut rest = words(line.bytes);
        let corners = value(&lines, &line, rest.next(), integer)?;
        if corners < 0 || corners > line.bytes.len() as i64 {
            let what = format!("a face of {corners} corners on this line");
            return Err(ReadError::syntax(Place::Line(line.number), what));
        }
        for _ in 0..corners {
            let index = value(&lines, &line, rest.next(), integer)?;
            mesh.corner(index, line.number)?;
        }
        mesh.end_polygon(line.number);
    }
    if !lines.at_end() && lines.next_meaningful().is_some() {
        let at = lines.number();
        mesh.notes
            .push(format!("line {at} and what follows it were ignored"));
    }
    mesh.finish(MeshFormat::Off, "")
}

/// Numbers of vertices and faces, on the line of the keyword or on the next.
fn header(bytes: &[u8], lines: &mut Lines<'_>) -> Result<(usize, usize), ReadError> {
    let cut = || ReadError::truncated(bytes.len(), "the numbers of vertices and faces");
    let mut line = lines.next_meaningful().ok_or_else(cut)?;
    let place = Place::Line(line.number);
    let keyword = words(line.bytes).next().unwrap_or_default();
    if keyword.iter().any(|b| b"4n".contains(b)) {
        let what = format!("{}: only three dimensions are read", quoted(keyword));
        return Err(ReadError::syntax(place, what));
    }
    let mut rest: Vec<&[u8]> = words(line.bytes).skip(1).collect();
    if rest.first() == Some(&b"BINARY".as_slice()) {
        return Err(ReadError::UnknownFormat {
            found: "it looks like binary OFF, which is not supported".into(),
        });
    }
    if rest.is_empty() {
        line = lines.next_meaningful().ok_or_else(cut)?;
        rest = words(line.bytes).collect();
    }
    let place = Place::Line(line.number);
    let mut rest = rest.into_iter();
    let mut next = |what| {
        let claimed = value(lines, &line, rest.next(), integer)?;
        count(claimed, what, place, bytes.len())
    };
    Ok((next("vertices")?, next("faces")?))
}

fn next<'a>(
    bytes: &[u8],
    lines: &mut Lines<'a>,
    what: &str,
    k: usize,
    count: usize,
) -> Result<Line<'a>, ReadError> {
    lines
        .next_meaningful()
        .ok_or_else(|| ReadError::truncated(bytes.len(), format!("{what} {k} of {count}")))
}

/// One number of a line.
fn value<T>(
    lines: &Lines<'_>,
    line: &Line<'_>,
    word: Option<&[u8]>,
    parse: impl Fn(&[u8]) -> Option<T>,
) -> Result<T, ReadError> {
    let word = word.ok_or_else(|| lines.ends_early(line.number))?;
    parse(word).ok_or_else(|| {
        let what = format!("{} is not a number of the kind expected", quoted(word));
        ReadError::syntax(Place::Line(line.number), what)
    })
}
