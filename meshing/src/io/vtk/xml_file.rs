//! VTU and VTP: `<VTKFile type="UnstructuredGrid">` and `<VTKFile type="PolyData">`.

use std::cell::Cell;

use pliant_core::math::Vec3;

use super::super::base64;
use super::super::cells::{Cells, Shape};
use super::super::error::{Place, ReadError};
use super::super::scalar::{Scalar, whole};
use super::super::text::{number, quoted, words};
use super::super::{MeshFile, MeshFormat, ReadOptions};
use super::xml::{Tag, next_tag};
use super::{Lists, shape};

/// Reads points and cells of all pieces; arrays as text, in base64 (inline and appended) or raw, not compressed.
pub(in super::super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let file = outline(bytes)?;
    let mut cells = Cells::new(false, 0, options);
    for piece in &file.pieces {
        let base = cells.surface.vertex_count() as i64;
        file.points(piece, &mut cells)?;
        let lists = file.lists(piece, b"Cells")?;
        let kinds = file.wholes(piece, b"Cells", "types")?;
        if kinds.len() != lists.ends.len() {
            let what = format!("{} types for {} cells", kinds.len(), lists.ends.len());
            return Err(ReadError::syntax(Place::Byte(piece.at), what));
        }
        let points = cells.surface.vertex_count() as i64 - base;
        let polygons = file.lists(piece, b"Polys")?;
        let strips = file.lists(piece, b"Strips")?;
        for lists in [&lists, &polygons, &strips] {
            // numbers of another piece would pass the check at the end
            if let Some(&index) = lists.nodes.iter().find(|&n| !(0..points).contains(n)) {
                return Err(ReadError::IndexOutOfRange {
                    place: Place::Byte(lists.at),
                    index,
                    vertices: points as usize,
                });
            }
        }
        lists.add(|k| shape(kinds[k]), base, &mut cells)?;
        polygons.add(|_| Shape::Polygon, base, &mut cells)?;
        strips.add(|_| Shape::Strip, base, &mut cells)?;
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
    big_endian: bool,
    /// type of the length before each array
    header: Scalar,
    compressor: Option<&'a [u8]>,
    /// the block at the end and whether it is in base64
    appended: Option<(&'a [u8], bool)>,
    pieces: Vec<Piece<'a>>,
    /// bytes of all arrays so far: pieces that share arrays could fill any memory
    unpacked: Cell<usize>,
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
                let wanted: [&[u8]; 4] = [b"Points", b"Cells", b"Polys", b"Strips"];
                let Some(piece) = file.pieces.last_mut().filter(|_| wanted.contains(&section))
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
            let name = String::from_utf8_lossy(other.unwrap_or(b"without a type"));
            let remedy = "extract the surface or the tetrahedra, and save as VTP or VTU";
            let what = format!("the VTK data set {name}");
            return Err(ReadError::unsupported(what, remedy));
        }
    };
    Ok(Outline {
        bytes,
        format,
        big_endian: tag.attribute("byte_order") == Some(b"BigEndian"),
        header: match tag.attribute("header_type") {
            Some(b"UInt64") => Scalar::U64,
            _ => Scalar::U32,
        },
        // VTK names a compressor even where all arrays are text
        compressor: tag.attribute("compressor").filter(|n| !n.is_empty()),
        appended: None,
        pieces: Vec::new(),
        unpacked: Cell::new(0),
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
            let what = format!("{} is no number type of VTK", quoted(name));
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
        let values = self.numbers(array)?;
        let points = values.chunks_exact(3);
        if points.len() as u64 != piece.points || !points.remainder().is_empty() {
            let what = format!("{} coordinates for {} points", values.len(), piece.points);
            return Err(ReadError::syntax(Place::Byte(at), what));
        }
        for p in points {
            cells.surface.vertex(Vec3::new(p[0], p[1], p[2]), at)?;
        }
        Ok(())
    }

    fn lists(&self, piece: &Piece<'_>, section: &[u8]) -> Result<Lists, ReadError> {
        let nodes = self.wholes(piece, section, "connectivity")?;
        let ends = self.wholes(piece, section, "offsets")?;
        let array = piece.arrays.iter().find(|a| a.section == section);
        Ok(Lists {
            nodes,
            // an end that is negative is out of range like one that is too large
            ends: ends
                .iter()
                .map(|&e| usize::try_from(e).unwrap_or(usize::MAX))
                .collect(),
            at: array.map_or(piece.at, |a| a.tag.at),
        })
    }

    /// An array of whole numbers; empty where there is none.
    fn wholes(&self, piece: &Piece<'_>, section: &[u8], name: &str) -> Result<Vec<i64>, ReadError> {
        let named = |a: &&Array<'_>| {
            a.section == section && a.tag.attribute("Name") == Some(name.as_bytes())
        };
        let Some(array) = piece.arrays.iter().find(named) else {
            return Ok(Vec::new());
        };
        let values = self.numbers(array)?;
        let wholes: Option<Vec<i64>> = values.iter().map(|&v| whole(v)).collect();
        wholes.ok_or_else(|| {
            let what = format!("the array {name} holds a number that is not whole");
            ReadError::syntax(Place::Byte(array.tag.at), what)
        })
    }

    fn numbers(&self, array: &Array<'_>) -> Result<Vec<f64>, ReadError> {
        let place = Place::Byte(array.tag.at);
        let raw = match array.tag.attribute("format") {
            Some(b"ascii") => {
                return words(array.inline)
                    .map(|word| {
                        number(word).ok_or_else(|| {
                            let what = format!("{} is not a number", quoted(word));
                            ReadError::syntax(place, what)
                        })
                    })
                    .collect();
            }
            Some(b"appended") => {
                let offset = array.tag.count("offset")?;
                let block = self.appended.and_then(|(block, is_base64)| {
                    let offset = usize::try_from(offset).ok()?;
                    Some((block.get(offset..)?, is_base64))
                });
                let missing = || ReadError::truncated(self.bytes.len(), "appended data");
                self.unpack(block.ok_or_else(missing)?, place)?
            }
            // `binary`; also what is assumed without the attribute
            _ => self.unpack((array.inline, true), place)?,
        };
        let size = array.scalar.size();
        if raw.len() % size != 0 {
            let what = format!("{} bytes for numbers of {size}", raw.len());
            return Err(ReadError::syntax(place, what));
        }
        let decode = |raw: &[u8]| array.scalar.decode(raw, self.big_endian);
        Ok(raw.chunks_exact(size).map(decode).collect())
    }

    /// The bytes of an array behind their length.
    fn unpack(&self, block: (&[u8], bool), place: Place) -> Result<Vec<u8>, ReadError> {
        if let Some(name) = self.compressor {
            let what = format!("compressed data ({})", String::from_utf8_lossy(name));
            let remedy = "save it uncompressed (in ParaView: compressor type None)";
            return Err(ReadError::unsupported(what, remedy));
        }
        let (block, is_base64) = block;
        let header = self.header.size();
        let take = |count: usize| {
            if is_base64 {
                base64::decode(block, count).map_err(|_| {
                    ReadError::syntax(place, "a character that does not belong to base64")
                })
            } else {
                Ok(block
                    .get(..count.min(block.len()))
                    .unwrap_or_default()
                    .to_vec())
            }
        };
        let cut = |expected: String| ReadError::truncated(self.bytes.len(), expected);
        let length = take(header)?;
        if length.len() < header {
            return Err(cut("the length of an array".into()));
        }
        let length = self.header.decode(&length, self.big_endian);
        if length > block.len() as f64 {
            return Err(cut(format!("an array of {length} bytes")));
        }
        let length = length as usize;
        self.unpacked.set(self.unpacked.get() + length);
        if self.unpacked.get() > self.bytes.len() {
            return Err(ReadError::TooManyClaimed {
                place,
                what: "bytes in all arrays".into(),
                claimed: self.unpacked.get() as u64,
                bytes: self.bytes.len(),
            });
        }
        let mut raw = take(header + length)?;
        if raw.len() < header + length {
            return Err(cut(format!("an array of {length} bytes")));
        }
        Ok(raw.split_off(header))
    }
}

#[cfg(test)]
pub(in super::super) mod tests;
