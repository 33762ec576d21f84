//! VTU and VTP: `<VTKFile type="UnstructuredGrid">` and `<VTKFile type="PolyData">`.

#[cfg(test)]
pub(crate) mod tests;

use std::borrow::Cow;

use pliant_core::math::Vec3;

use crate::io::assembly::cells::{Cells, Shape};
use crate::io::encoding::scalar::{Scalar, whole};
use crate::io::encoding::text::{not_a_number, number, quoted, words};
use crate::io::error::{Place, ReadError};
use crate::io::formats::vtk::blocks::{Block, Encoding};
use crate::io::formats::vtk::lists::Lists;
use crate::io::formats::vtk::xml::{Tag, next_tag};
use crate::io::mesh_file::{MeshFile, MeshFormat, ReadOptions};

/// Reads points and cells of all pieces; arrays as text, in base64 (inline and appended) or raw, plain or compressed by zlib or LZ4.
pub(crate) fn read(bytes: &[u8], options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let file = outline(bytes)?;
    let mut cells = Cells::new(false, 0, options);
    for piece in &file.pieces {
        let base = cells.surface.vertex_count();
        file.points(piece, &mut cells)?;
        let points = cells.surface.vertex_count() - base;
        let lists = file.lists(piece, b"Cells", base, points)?;
        let kinds = file.kinds(piece)?;
        lists.add_by_type(&kinds, Place::Byte(piece.at), &mut cells)?;
        let polygons = file.lists(piece, b"Polys", base, points)?;
        polygons.add(|_| Shape::Polygon, &mut cells)?;
        let strips = file.lists(piece, b"Strips", base, points)?;
        strips.add(|_| Shape::Strip, &mut cells)?;
        cells.skip("points", piece.loose_points as usize);
        cells.skip("lines", piece.lines as usize);
    }
    cells.finish(file.format)
}

/// One array where it stands.
struct Array<'a> {
    section: &'a [u8],
    tag: Tag<'a>,
    scalar: Scalar,
    /// the text inside
    inline: &'a [u8],
}

struct Piece<'a> {
    at: usize,
    points: u64,
    loose_points: u64,
    lines: u64,
    arrays: Vec<Array<'a>>,
}

struct Outline<'a> {
    bytes: &'a [u8],
    format: MeshFormat,
    encoding: Encoding<'a>,
    /// the block at the end and whether it is in base64
    appended: Option<(&'a [u8], bool)>,
    pieces: Vec<Piece<'a>>,
}

/// Walks through the tags up to the appended data.
fn outline(bytes: &[u8]) -> Result<Outline<'_>, ReadError> {
    let mut file: Option<Outline<'_>> = None;
    let mut section: &[u8] = b"";
    let mut from = 0;
    let mut ended = false;
    // whether the text before the next tag can be that of the last array, and not of a key inside it
    let mut in_array = false;
    while let Some(tag) = next_tag(bytes, from)? {
        let text = bytes.get(from..tag.at).unwrap_or_default();
        from = tag.end;
        let last = file.as_mut().and_then(|f| f.pieces.last_mut());
        if let Some(array) = last.and_then(|p| p.arrays.last_mut())
            && in_array
            && array.inline.is_empty()
        {
            array.inline = text.trim_ascii();
        }
        in_array = (tag.name == b"DataArray") != tag.closes;
        match (tag.name, &mut file) {
            (b"VTKFile", _) if tag.closes => ended = true,
            (b"VTKFile", None) => file = Some(start(bytes, &tag)?),
            (_, None) => {
                let what = format!("{} before `VTKFile`", quoted(tag.name));
                return Err(ReadError::syntax(Place::Byte(tag.at), what));
            }
            (b"Piece", Some(file)) if !tag.closes => file.pieces.push(Piece {
                at: tag.at,
                points: tag.count("NumberOfPoints")?,
                loose_points: tag.count("NumberOfVerts")?,
                lines: tag.count("NumberOfLines")?,
                arrays: Vec::new(),
            }),
            (b"DataArray", Some(file)) if !tag.closes => {
                let geometry: [&[u8]; 4] = [b"Points", b"Cells", b"Polys", b"Strips"];
                let Some(piece) = file
                    .pieces
                    .last_mut()
                    .filter(|_| geometry.contains(&section))
                else {
                    continue;
                };
                piece.arrays.push(Array {
                    section,
                    tag,
                    scalar: scalar(&tag)?,
                    inline: b"",
                });
            }
            (b"AppendedData", Some(file)) if !tag.closes => {
                let rest = bytes.get(tag.end..).unwrap_or_default();
                let Some(start) = rest.iter().position(|&b| b == b'_') else {
                    return Err(ReadError::truncated(bytes.len(), "appended data"));
                };
                let is_base64 = tag.attribute("encoding") == Some(b"base64");
                file.appended = Some((rest.split_at(start + 1).1, is_base64));
                ended = true;
                break;
            }
            (b"DataArray" | b"Piece" | b"InformationKey" | b"Value", _) => {}
            _ => section = if tag.closes { b"" } else { tag.name },
        }
    }
    match file {
        Some(file) if ended => Ok(file),
        _ => Err(ReadError::truncated(bytes.len(), "the end of `VTKFile`")),
    }
}

fn start<'a>(bytes: &'a [u8], tag: &Tag<'a>) -> Result<Outline<'a>, ReadError> {
    let format = match tag.attribute("type") {
        Some(b"UnstructuredGrid") => MeshFormat::Vtu,
        Some(b"PolyData") => MeshFormat::Vtp,
        other => {
            let name = other.map_or_else(|| "without a type".into(), quoted);
            let remedy = "extract the surface or the tetrahedra, and save as VTP or VTU";
            let what = format!("the VTK data set {name}");
            return Err(ReadError::unsupported(what, remedy));
        }
    };
    let header = match tag.attribute("header_type") {
        Some(b"UInt64") => Scalar::U64,
        _ => Scalar::U32,
    };
    let big_endian = tag.attribute("byte_order") == Some(b"BigEndian");
    // VTK names a compressor even where all arrays are text
    let compressor = tag.attribute("compressor").filter(|n| !n.is_empty());
    Ok(Outline {
        bytes,
        format,
        encoding: Encoding::new(bytes.len(), big_endian, header, compressor),
        appended: None,
        pieces: Vec::new(),
    })
}

fn scalar(tag: &Tag<'_>) -> Result<Scalar, ReadError> {
    let name = tag.attribute("type").unwrap_or_default();
    Ok(match name {
        b"Int8" => Scalar::I8,
        b"UInt8" => Scalar::U8,
        b"Int16" => Scalar::I16,
        b"UInt16" => Scalar::U16,
        b"Int32" => Scalar::I32,
        b"UInt32" => Scalar::U32,
        b"Int64" => Scalar::I64,
        b"UInt64" => Scalar::U64,
        b"Float32" => Scalar::F32,
        b"Float64" => Scalar::F64,
        _ => {
            let what = format!("{} is not a number type of VTK", quoted(name));
            return Err(ReadError::syntax(Place::Byte(tag.at), what));
        }
    })
}

impl Outline<'_> {
    fn points(&self, piece: &Piece<'_>, cells: &mut Cells) -> Result<(), ReadError> {
        let Some(array) = piece.arrays.iter().find(|a| a.section == b"Points") else {
            return Ok(());
        };
        let at = array.tag.at;
        let numbers = self.numbers(array)?;
        let before = cells.surface.vertex_count();
        cells.surface.reserve(numbers.min_count() / 3, 0);
        let mut values = 0_usize;
        let mut position = Vec3::zeros();
        for value in numbers.iter() {
            position[values % 3] = value?;
            values += 1;
            if values.is_multiple_of(3) {
                cells.surface.vertex(position, at)?;
            }
        }
        let added = cells.surface.vertex_count() - before;
        if added as u64 != piece.points || !values.is_multiple_of(3) {
            let what = format!("{values} coordinates for {} points", piece.points);
            return Err(ReadError::syntax(Place::Byte(at), what));
        }
        Ok(())
    }

    /// The cells of a section. Its piece has `points` points, the first of them with number `base`.
    fn lists(
        &self,
        piece: &Piece<'_>,
        section: &[u8],
        base: usize,
        points: usize,
    ) -> Result<Lists, ReadError> {
        let array = piece.arrays.iter().find(|a| a.section == section);
        let at = array.map_or(piece.at, |a| a.tag.at);
        let nodes = self.integers(piece, section, "connectivity", |index| {
            // numbers of another piece would pass the check at the end
            match usize::try_from(index) {
                Ok(n) if n < points => Ok((base + n) as u32),
                _ => Err(ReadError::IndexOutOfRange {
                    place: Place::Byte(at),
                    index,
                    vertices: points,
                }),
            }
        })?;
        // negative ends become one that is out of range
        let ends = self.integers(piece, section, "offsets", |end| {
            Ok(u32::try_from(end).unwrap_or(u32::MAX))
        })?;
        Ok(Lists { nodes, ends, at })
    }

    /// The types of the cells; those that VTK does not know become 255.
    fn kinds(&self, piece: &Piece<'_>) -> Result<Vec<u8>, ReadError> {
        self.integers(piece, b"Cells", "types", |kind| {
            Ok(u8::try_from(kind).unwrap_or(u8::MAX))
        })
    }

    /// An array of whole numbers; empty where there is none.
    fn integers<T>(
        &self,
        piece: &Piece<'_>,
        section: &[u8],
        name: &str,
        convert: impl Fn(i64) -> Result<T, ReadError>,
    ) -> Result<Vec<T>, ReadError> {
        let named = |a: &&Array<'_>| {
            a.section == section && a.tag.attribute("Name") == Some(name.as_bytes())
        };
        let Some(array) = piece.arrays.iter().find(named) else {
            return Ok(Vec::new());
        };
        let numbers = self.numbers(array)?;
        let mut values = Vec::with_capacity(numbers.min_count());
        for value in numbers.iter() {
            let number = whole(value?).ok_or_else(|| {
                let what = format!("the array {name} holds a number that is not whole");
                ReadError::syntax(Place::Byte(array.tag.at), what)
            })?;
            values.push(convert(number)?);
        }
        Ok(values)
    }

    fn numbers<'s>(&'s self, array: &Array<'s>) -> Result<Numbers<'s>, ReadError> {
        let place = Place::Byte(array.tag.at);
        let (bytes, is_base64) = match array.tag.attribute("format") {
            Some(b"ascii") => {
                let text = array.inline;
                return Ok(Numbers::Text { text, place });
            }
            Some(b"appended") => {
                let offset = array.tag.count("offset")?;
                let block = self.appended.and_then(|(block, is_base64)| {
                    let offset = usize::try_from(offset).ok()?;
                    Some((block.get(offset..)?, is_base64))
                });
                let missing = || ReadError::truncated(self.bytes.len(), "appended data");
                block.ok_or_else(missing)?
            }
            // `binary`; also what is assumed without the attribute
            _ => (array.inline, true),
        };
        let block = Block {
            bytes,
            is_base64,
            place,
        };
        let raw = self.encoding.unpack(block)?;
        let size = array.scalar.size();
        if raw.len() % size != 0 {
            let what = format!("{} bytes for numbers of {size}", raw.len());
            return Err(ReadError::syntax(place, what));
        }
        Ok(Numbers::Packed {
            raw,
            scalar: array.scalar,
            big_endian: self.encoding.big_endian,
        })
    }
}

/// The numbers of an array.
enum Numbers<'a> {
    Text {
        text: &'a [u8],
        place: Place,
    },
    Packed {
        raw: Cow<'a, [u8]>,
        scalar: Scalar,
        big_endian: bool,
    },
}

impl Numbers<'_> {
    /// Lower bound of the number of numbers; 0 for text, where it is not known.
    fn min_count(&self) -> usize {
        match self {
            Self::Text { .. } => 0,
            Self::Packed { raw, scalar, .. } => raw.len() / scalar.size(),
        }
    }

    fn iter(&self) -> impl Iterator<Item = Result<f64, ReadError>> {
        let (text, raw, place) = match self {
            Self::Text { text, place } => (*text, None, *place),
            Self::Packed {
                raw,
                scalar,
                big_endian,
            } => (
                b"".as_slice(),
                Some((raw, *scalar, *big_endian)),
                Place::Byte(0),
            ),
        };
        let packed = raw.into_iter().flat_map(|(raw, scalar, big_endian)| {
            raw.chunks_exact(scalar.size())
                .map(move |raw| Ok(scalar.decode(raw, big_endian)))
        });
        let written =
            words(text).map(move |word| number(word).ok_or_else(|| not_a_number(word, place)));
        written.chain(packed)
    }
}
