//! The header of a PLY file.

use crate::io::encoding::scalar::Scalar;
use crate::io::encoding::text;
use crate::io::encoding::text::{Lines, quoted, words};
use crate::io::error::{Place, ReadError};
use crate::io::mesh_file::MeshFormat;

/// The number type with this name in PLY.
fn scalar_named(word: &[u8]) -> Option<Scalar> {
    Some(match word {
        b"char" | b"int8" => Scalar::I8,
        b"uchar" | b"uint8" => Scalar::U8,
        b"short" | b"int16" => Scalar::I16,
        b"ushort" | b"uint16" => Scalar::U16,
        b"int" | b"int32" => Scalar::I32,
        b"uint" | b"uint32" => Scalar::U32,
        b"float" | b"float32" => Scalar::F32,
        b"double" | b"float64" => Scalar::F64,
        _ => return None,
    })
}

/// One property of an element.
#[derive(Debug, Clone)]
pub(crate) struct Property {
    pub name: Vec<u8>,
    /// type of the length, for lists
    pub length: Option<Scalar>,
    pub scalar: Scalar,
}

/// One element: how many, and what each holds.
#[derive(Debug, Clone)]
pub(crate) struct Element {
    pub name: Vec<u8>,
    pub count: u64,
    pub properties: Vec<Property>,
}

/// Everything before `end_header`.
#[derive(Debug, Clone)]
pub(crate) struct Header {
    pub format: MeshFormat,
    pub elements: Vec<Element>,
}

/// Reads up to and including the line `end_header`.
pub(crate) fn read(bytes: &[u8], lines: &mut Lines<'_>) -> Result<Header, ReadError> {
    let mut format = None;
    let mut elements: Vec<Element> = Vec::new();
    for line in lines.by_ref() {
        let place = Place::Line(line.number);
        let parts: Vec<&[u8]> = words(line.bytes).collect();
        match parts.as_slice() {
            [] | [b"ply" | b"comment" | b"obj_info", ..] => {}
            [b"format", name, ..] => {
                format = Some(match *name {
                    b"ascii" => MeshFormat::PlyText,
                    b"binary_little_endian" => MeshFormat::PlyLittleEndian,
                    b"binary_big_endian" => MeshFormat::PlyBigEndian,
                    _ => {
                        let what = format!("{} is not a PLY format", quoted(name));
                        return Err(ReadError::syntax(place, what));
                    }
                });
            }
            [b"element", name, count] => {
                let claimed = text::integer(count).and_then(|n| u64::try_from(n).ok());
                let Some(claimed) = claimed else {
                    let what = format!("{} is not a number of elements", quoted(count));
                    return Err(ReadError::syntax(place, what));
                };
                if claimed > bytes.len() as u64 {
                    let what = format!("elements {}", quoted(name));
                    return Err(ReadError::too_many(place, what, claimed, bytes.len()));
                }
                elements.push(Element {
                    name: name.to_vec(),
                    count: claimed,
                    properties: Vec::new(),
                });
            }
            [b"property", rest @ ..] => {
                let Some(element) = elements.last_mut() else {
                    return Err(ReadError::syntax(place, "a property before any element"));
                };
                element.properties.push(property(rest, place)?);
            }
            [b"end_header"] => {
                let format =
                    format.ok_or_else(|| ReadError::syntax(place, "no `format` in the header"))?;
                return Ok(Header { format, elements });
            }
            [word, ..] => {
                let what = format!("{} is not a statement of a PLY header", quoted(word));
                return Err(ReadError::syntax(place, what));
            }
        }
    }
    Err(ReadError::truncated(bytes.len(), "`end_header`"))
}

fn property(rest: &[&[u8]], place: Place) -> Result<Property, ReadError> {
    let scalar = |word: &[u8]| {
        scalar_named(word).ok_or_else(|| {
            ReadError::syntax(
                place,
                format!("{} is not a number type of PLY", quoted(word)),
            )
        })
    };
    let (length, item_type, name) = match rest {
        [b"list", length, item_type, name] => (Some(scalar(length)?), item_type, name),
        [item_type, name] => (None, item_type, name),
        _ => {
            let what = "a property that is not `TYPE NAME`";
            return Err(ReadError::syntax(place, what));
        }
    };
    Ok(Property {
        name: name.to_vec(),
        length,
        scalar: scalar(item_type)?,
    })
}
