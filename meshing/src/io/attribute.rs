//! Numbers that a mesh file gives for each of its vertices: what was painted or measured there. PLY has them as properties of its vertices.

use std::path::Path;

use pliant_core::math::Vec3;

use super::companion_files::open;
use super::encoding::text::quoted;
use super::error::ReadError;
use super::formats::ply;
use super::formats::ply::elements;
use super::formats::ply::elements::{Source, Values};
use super::formats::ply::header::{Element, Property};
use super::sniff;

/// One number at each vertex of a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VertexAttribute {
    /// Vertices in the order of the file, in its own unit and axes.
    pub positions: Vec<Vec3>,
    /// The number of each.
    pub values: Vec<f64>,
}

/// Reads the property `name` of the vertices of a PLY file, text or binary. Cost: one pass over the vertices.
///
/// # Errors
/// [`ReadError::NoAttribute`] names what the file has instead; formats without such properties are [`ReadError::Unsupported`].
pub fn read_vertex_attribute(path: &Path, name: &str) -> Result<VertexAttribute, ReadError> {
    read_vertex_attribute_bytes(&open(path)?, name)
}

/// The same from the content of a file.
///
/// # Errors
/// As [`read_vertex_attribute`].
pub fn read_vertex_attribute_bytes(bytes: &[u8], name: &str) -> Result<VertexAttribute, ReadError> {
    if sniff::format(bytes)?.name != ply::FORMAT.name {
        return Err(ReadError::unsupported(
            format!("another format than PLY, so that the vertices' attribute `{name}`"),
            "export it as PLY with the attribute as a property of the vertices",
        ));
    }
    let (header, source) = elements::open(bytes)?;
    match source {
        Source::Text(mut values) => read(&header.elements, &mut values, name),
        Source::Binary(mut values) => read(&header.elements, &mut values, name),
    }
}

fn read(
    elements: &[Element],
    source: &mut impl Values,
    name: &str,
) -> Result<VertexAttribute, ReadError> {
    let mut attribute = VertexAttribute::default();
    for element in elements {
        let is_vertex = element.name == b"vertex";
        let index_of = |name: &[u8]| {
            let fits = |p: &Property| p.length.is_none() && p.name == name;
            element.properties.iter().position(fits)
        };
        let columns = [&b"x"[..], b"y", b"z", name.as_bytes()].map(index_of);
        if is_vertex && columns.contains(&None) {
            let named = element.properties.iter().filter(|p| p.length.is_none());
            let known: Vec<String> = named.map(|p| quoted(&p.name)).collect();
            return Err(ReadError::NoAttribute {
                name: name.to_string(),
                known: known.join(", "),
            });
        }
        if is_vertex {
            let max_count = source.max_count(element);
            attribute.positions.reserve(max_count);
            attribute.values.reserve(max_count);
        }
        if element.properties.is_empty() {
            continue;
        }
        for k in 0..element.count {
            let what = || format!("{} {k} of {}", quoted(&element.name), element.count);
            source.start(&what)?;
            let mut found = [0.0; 4];
            for (j, property) in element.properties.iter().enumerate() {
                if let Some(length) = property.length {
                    let count = source.next(length)?;
                    for _ in 0..count.max(0.0) as u64 {
                        source.next(property.scalar)?;
                    }
                    continue;
                }
                let value = source.next(property.scalar)?;
                for (slot, column) in found.iter_mut().zip(columns) {
                    if column == Some(j) {
                        *slot = value;
                    }
                }
            }
            if is_vertex {
                let [x, y, z, value] = found;
                if !found.iter().all(|v| v.is_finite()) {
                    let place = source.place();
                    let index = k as usize;
                    return Err(ReadError::NonFinite { place, index });
                }
                attribute.positions.push(Vec3::new(x, y, z));
                attribute.values.push(value);
            }
        }
        if is_vertex {
            return Ok(attribute);
        }
    }
    Err(ReadError::NoTriangles {
        found: "elements that are no vertices".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "ply\nformat ascii 1.0\nelement note 1\nproperty list uchar int tags\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nproperty uchar quality\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n2 7 8\n0 0 0 5\n1 0 0 200\n0 1 0 30\n3 0 1 2\n";

    #[test]
    fn text_and_binary_numbers_give_the_same() {
        let expected = VertexAttribute {
            positions: vec![Vec3::zeros(), Vec3::x(), Vec3::y()],
            values: vec![5.0, 200.0, 30.0],
        };
        let text = read_vertex_attribute_bytes(TEXT.as_bytes(), "quality");
        assert_eq!(text, Ok(expected.clone()));
        let end = "end_header\n";
        let header = TEXT.find(end).map(|at| &TEXT[..at + end.len()]);
        let header = header
            .expect("a header")
            .replace("ascii", "binary_little_endian");
        let mut bytes = header.into_bytes();
        bytes.push(2);
        for tag in [7_i32, 8] {
            bytes.extend(tag.to_le_bytes());
        }
        for (x, value) in expected.positions.iter().zip([5_u8, 200, 30]) {
            for c in x.iter() {
                bytes.extend((*c as f32).to_le_bytes());
            }
            bytes.push(value);
        }
        let binary = read_vertex_attribute_bytes(&bytes, "quality");
        assert_eq!(binary, Ok(expected));
        let cut = read_vertex_attribute_bytes(&bytes[..bytes.len() - 3], "quality");
        assert_eq!(cut.map_err(|e| e.code()), Err("Truncated".into()));
    }

    #[test]
    fn what_is_not_there_is_named() {
        let error = read_vertex_attribute_bytes(TEXT.as_bytes(), "mass").expect_err("no mass");
        assert_eq!(error.code(), "NoAttribute");
        assert!(error.to_string().contains("`quality`"), "{error}");
        let obj = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n";
        let error = read_vertex_attribute_bytes(obj, "mass").expect_err("no PLY");
        assert_eq!(error.code(), "Unsupported");
        let text = TEXT.replace("200", "nan");
        let error = read_vertex_attribute_bytes(text.as_bytes(), "quality").expect_err("NaN");
        assert!(
            matches!(error.code().as_str(), "NonFinite" | "Syntax"),
            "{error}"
        );
    }
}
