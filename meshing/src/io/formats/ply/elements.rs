//! The elements of a PLY file, as text and binary.

use pliant_core::math::Vec3;

use super::header::{Element, Header, Property, read as read_header};
use super::strips::{Strips, holds_strips};
use crate::io::assembly::polygons::Polygons;
use crate::io::encoding::scalar::{Scalar, whole_at};
use crate::io::encoding::text::{Line, Lines, not_a_number, number, quoted, words};
use crate::io::error::{Place, ReadError};
use crate::io::mesh_file::{MeshFile, MeshFormat, ReadOptions};

/// The header of a file and its numbers.
pub(crate) fn open(bytes: &[u8]) -> Result<(Header, Source<'_>), ReadError> {
    let mut lines = Lines::new(bytes);
    let header = read_header(bytes, &mut lines)?;
    let source = if header.format == MeshFormat::PlyText {
        Source::Text(TextValues {
            bytes,
            lines,
            line: None,
            used: 0,
        })
    } else {
        Source::Binary(BinaryValues {
            bytes,
            at: lines.offset(),
            big_endian: header.format == MeshFormat::PlyBigEndian,
        })
    };
    Ok((header, source))
}

/// Reads the elements `vertex` (x, y, z) and `face` (`vertex_indices` or `vertex_index`), or `tristrips` where no face stands; everything else is passed over.
pub(crate) fn read(bytes: &[u8], options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let (header, source) = open(bytes)?;
    let elements = &header.elements;
    let mut mesh = Polygons::new(matches!(source, Source::Text(_)), 0, options);
    match source {
        Source::Text(mut values) => read_elements(elements, &mut values, &mut mesh)?,
        Source::Binary(mut values) => read_elements(elements, &mut values, &mut mesh)?,
    }
    if has_faces(elements) && elements.iter().any(|e| holds_strips(e) && e.count > 0) {
        let note = "the file has faces and triangle strips: the strips were skipped";
        mesh.notes.push(note.to_string());
    }
    mesh.finish(header.format, "")
}

fn has_faces(elements: &[Element]) -> bool {
    elements.iter().any(|e| e.name == b"face" && e.count > 0)
}

/// The numbers of a file.
pub(crate) enum Source<'a> {
    Text(TextValues<'a>),
    Binary(BinaryValues<'a>),
}

/// Where the numbers of the elements come from.
pub(crate) trait Values {
    /// Begins one element.
    fn start(&mut self, what: &dyn Fn() -> String) -> Result<(), ReadError>;
    /// The next number of the element.
    fn next(&mut self, scalar: Scalar) -> Result<f64, ReadError>;
    /// Line or byte where the reader stands.
    fn at(&self) -> usize;
    /// The same for an error.
    fn place(&self) -> Place;
    /// Upper bound of the number of elements of this kind: as many as the rest of the file can hold, at most as many as the header claims.
    fn max_count(&self, element: &Element) -> usize;
}

fn read_elements(
    elements: &[Element],
    source: &mut impl Values,
    mesh: &mut Polygons,
) -> Result<(), ReadError> {
    let takes_strips = !has_faces(elements);
    for element in elements {
        if element.properties.is_empty() && element.name != b"vertex" {
            // a header may claim any number of them: they take no byte
            continue;
        }
        let is_vertex = element.name == b"vertex";
        let roles: Vec<Role> = element
            .properties
            .iter()
            .map(|p| role(element, p, takes_strips))
            .collect();
        let axes = roles.iter().filter(|r| matches!(r, Role::Axis(_)));
        if is_vertex && axes.count() != 3 {
            let what = "the element `vertex` has no x, y and z";
            return Err(ReadError::syntax(source.place(), what));
        }
        let max_count = source.max_count(element);
        if is_vertex {
            mesh.reserve(max_count, 0);
        } else if roles.contains(&Role::Corners) {
            mesh.reserve(0, max_count);
        }
        for k in 0..element.count {
            let what = || format!("{} {k} of {}", quoted(&element.name), element.count);
            source.start(&what)?;
            let at = source.at();
            let mut position = Vec3::zeros();
            for (property, role) in element.properties.iter().zip(&roles) {
                let Some(length) = property.length else {
                    let value = source.next(property.scalar)?;
                    if let Role::Axis(axis) = *role {
                        position[axis] = value;
                    }
                    continue;
                };
                let count = whole_at(source.next(length)?, source.place())?;
                let mut strips = Strips::default();
                for _ in 0..count.max(0) {
                    let value = source.next(property.scalar)?;
                    match *role {
                        Role::Corners => mesh.corner(whole_at(value, source.place())?, at)?,
                        Role::Strips => {
                            let number = whole_at(value, source.place())?;
                            let number = strip_number(number, property.scalar);
                            strips.corner(number, mesh, at)?;
                        }
                        Role::Axis(_) | Role::Other => {}
                    }
                }
                match *role {
                    Role::Corners => mesh.end_polygon(at),
                    Role::Strips => strips.end(mesh, at),
                    Role::Axis(_) | Role::Other => {}
                }
            }
            if is_vertex {
                mesh.vertex(position, at)?;
            }
        }
    }
    Ok(())
}

/// What a property holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A coordinate.
    Axis(usize),
    /// The vertices of a face.
    Corners,
    /// The vertices of triangle strips.
    Strips,
    Other,
}

/// The number of a strip. In unsigned numbers `u32::MAX` stands for the −1 that ends a strip.
fn strip_number(number: i64, scalar: Scalar) -> i64 {
    match scalar {
        Scalar::U32 if number == i64::from(u32::MAX) => -1,
        _ => number,
    }
}

fn role(element: &Element, property: &Property, takes_strips: bool) -> Role {
    let is_corners = matches!(&property.name[..], b"vertex_indices" | b"vertex_index");
    if takes_strips && is_corners && holds_strips(element) {
        return Role::Strips;
    }
    match (element.name.as_slice(), property.name.as_slice()) {
        (b"vertex", b"x") => Role::Axis(0),
        (b"vertex", b"y") => Role::Axis(1),
        (b"vertex", b"z") => Role::Axis(2),
        (b"face", _) if is_corners => Role::Corners,
        _ => Role::Other,
    }
}

/// One line an element.
pub(crate) struct TextValues<'a> {
    bytes: &'a [u8],
    lines: Lines<'a>,
    line: Option<Line<'a>>,
    /// bytes of the line that were read
    used: usize,
}

impl Values for TextValues<'_> {
    fn start(&mut self, what: &dyn Fn() -> String) -> Result<(), ReadError> {
        self.used = 0;
        self.line = self.lines.find(|l| !l.bytes.trim_ascii().is_empty());
        match self.line {
            Some(_) => Ok(()),
            None => Err(ReadError::truncated(self.bytes.len(), what())),
        }
    }

    fn next(&mut self, _: Scalar) -> Result<f64, ReadError> {
        let rest = self.line.and_then(|l| l.bytes.get(self.used..));
        let rest = rest.unwrap_or_default();
        let Some(word) = words(rest).next() else {
            return Err(self.lines.ends_early(self.at()));
        };
        let blanks = rest.len() - rest.trim_ascii_start().len();
        self.used += blanks + word.len();
        number(word).ok_or_else(|| not_a_number(word, self.place()))
    }

    fn at(&self) -> usize {
        self.line.map_or(self.lines.number(), |l| l.number)
    }

    fn place(&self) -> Place {
        Place::Line(self.at())
    }

    fn max_count(&self, element: &Element) -> usize {
        // a digit and what follows it
        let shortest = 2 * element.properties.len().max(1);
        let rest = self.bytes.len().saturating_sub(self.lines.offset());
        (rest / shortest + 1).min(element.count as usize)
    }
}

/// Packed numbers.
pub(crate) struct BinaryValues<'a> {
    bytes: &'a [u8],
    at: usize,
    big_endian: bool,
}

impl Values for BinaryValues<'_> {
    fn start(&mut self, what: &dyn Fn() -> String) -> Result<(), ReadError> {
        if self.at >= self.bytes.len() {
            return Err(ReadError::truncated(self.bytes.len(), what()));
        }
        Ok(())
    }

    fn next(&mut self, scalar: Scalar) -> Result<f64, ReadError> {
        let size = scalar.size();
        let Some(raw) = self.bytes.get(self.at..self.at + size) else {
            let expected = format!("{size} bytes of an element");
            return Err(ReadError::truncated(self.bytes.len(), expected));
        };
        self.at += size;
        Ok(scalar.decode(raw, self.big_endian))
    }

    fn at(&self) -> usize {
        self.at
    }

    fn place(&self) -> Place {
        Place::Byte(self.at)
    }

    fn max_count(&self, element: &Element) -> usize {
        let size = |p: &Property| p.length.unwrap_or(p.scalar).size();
        let shortest = element.properties.iter().map(size).sum::<usize>().max(1);
        let rest = self.bytes.len().saturating_sub(self.at);
        (rest / shortest + 1).min(element.count as usize)
    }
}
