//! Buffers, views and accessors (glTF 2.0 specification, sections 3.6.1 and 3.6.2; KHR_mesh_quantization).

use std::collections::BTreeMap;

use super::super::base64;
use super::super::beside::Beside;
use super::super::error::ReadError;
use super::super::scalar::Scalar;
use super::super::text::quoted;
use super::json::Value;

/// The parsed text and the bytes that it describes.
pub(super) struct Document<'a> {
    pub root: Value<'a>,
    /// a buffer that cannot be had matters only when it is used
    buffers: Vec<Result<Buffer<'a>, ReadError>>,
    /// length of the file and of all buffers outside it
    pub size: usize,
}

/// Where the bytes of a buffer are.
enum Buffer<'a> {
    Chunk(&'a [u8]),
    Owned(Vec<u8>),
    /// number of an earlier buffer
    SameAs(usize),
}

/// Longest sum of the buffers outside the file.
const LONGEST_BUFFERS: usize = u32::MAX as usize;

impl<'a> Document<'a> {
    /// Finds all buffers: the binary chunk, embedded ones and files beside.
    pub fn new(root: Value<'a>, chunk: Option<&'a [u8]>, size: usize, beside: Beside<'_>) -> Self {
        let mut document = Self {
            root,
            buffers: Vec::new(),
            size,
        };
        let Self {
            root,
            buffers,
            size,
        } = &mut document;
        // buffers of one file are that file once
        let mut files: BTreeMap<&[u8], usize> = BTreeMap::new();
        for (k, value) in root.list_of("buffers").iter().enumerate() {
            let buffer = match value.get("uri").map(|u| (u, u.text())) {
                None if k == 0 && chunk.is_some() => Ok(Buffer::Chunk(chunk.unwrap_or_default())),
                None => Err(ReadError::unsupported(
                    format!("buffer {k} without content (perhaps of a compressed mesh)"),
                    "export the mesh without compression",
                )),
                Some((at, None)) => Err(ReadError::syntax(at.place(), "a `uri` that is no text")),
                Some((at, Some(uri))) => match (embedded(uri, at), files.get(uri)) {
                    (Some(bytes), _) => bytes.map(Buffer::Owned),
                    (None, Some(&first)) => Ok(Buffer::SameAs(first)),
                    (None, None) => {
                        files.insert(uri, k);
                        outside(uri, beside, size).map(Buffer::Owned)
                    }
                },
            };
            buffers.push(buffer);
        }
        document
    }

    /// An element of a list of the root, named by a member of another value.
    pub fn element(&self, list: &str, index: &Value<'_>) -> Result<&Value<'a>, ReadError> {
        let k = index.index()?;
        let values = self.root.list_of(list);
        values.get(k).ok_or_else(|| {
            let what = format!("number {k} of {} `{list}`", values.len());
            ReadError::syntax(index.place(), what)
        })
    }

    /// All numbers of an accessor whose elements have `width` of them (`kind` is its type); normalised ones are unpacked.
    pub fn numbers(
        &self,
        accessor: &Value<'_>,
        kind: &str,
        width: usize,
    ) -> Result<Vec<f64>, ReadError> {
        let found = accessor.must("type")?;
        if found.text() != Some(kind.as_bytes()) {
            let name = quoted(found.text().unwrap_or_default());
            let what = format!("an accessor of type {name} where {kind} is needed");
            return Err(ReadError::syntax(found.place(), what));
        }
        let count = accessor.must("count")?;
        let claimed = count.index()?;
        if claimed > self.size {
            return Err(ReadError::TooManyClaimed {
                place: count.place(),
                what: "elements of an accessor".into(),
                claimed: claimed as u64,
                bytes: self.size,
            });
        }
        let scalar = component(accessor)?;
        let mut values = match accessor.get("bufferView") {
            Some(view) => {
                let offset = accessor.index_of("byteOffset")?.unwrap_or(0);
                self.packed(view, offset, scalar, claimed, width)?
            }
            None => vec![0.0; claimed * width],
        };
        if let Some(sparse) = accessor.get("sparse") {
            self.replace(sparse, scalar, width, &mut values)?;
        }
        let normalised = accessor.get("normalized");
        let is_true = |v: &Value<'_>| matches!(v.data, super::json::Data::Bool(true));
        if let Some(largest) = normalised
            .filter(|v| is_true(v))
            .and_then(|_| range(scalar))
        {
            for value in &mut values {
                *value = (*value / largest).max(-1.0);
            }
        }
        Ok(values)
    }

    /// Elements of a buffer view.
    fn packed(
        &self,
        view: &Value<'_>,
        offset: usize,
        scalar: Scalar,
        count: usize,
        width: usize,
    ) -> Result<Vec<f64>, ReadError> {
        let place = view.place();
        let view = self.element("bufferViews", view)?;
        if let Some(extensions) = view.get("extensions")
            && extensions
                .keys()
                .any(|k| k.ends_with(b"_meshopt_compression"))
            && self.bytes(view).is_err()
        {
            return Err(super::compressed("meshopt (EXT_meshopt_compression)"));
        }
        let bytes = self.bytes(view)?;
        let element = scalar.size() * width;
        let stride = match view.index_of("byteStride")? {
            Some(stride) if stride < element => {
                let what = format!("a stride of {stride} bytes for elements of {element}");
                return Err(ReadError::syntax(view.place(), what));
            }
            Some(stride) => stride,
            None => element,
        };
        let last = count.checked_sub(1);
        let end = last.map_or(Some(0), |k| k.checked_mul(stride)?.checked_add(element));
        let end = end.and_then(|e| e.checked_add(offset));
        let Some(used) = end.and_then(|end| bytes.get(offset.min(end)..end)) else {
            let what = format!(
                "an accessor that ends after its view of {} bytes",
                bytes.len()
            );
            return Err(ReadError::syntax(place, what));
        };
        let mut values = Vec::with_capacity(count * width);
        for k in 0..count {
            let raw = used.get(k * stride..).unwrap_or_default();
            let numbers = raw.chunks_exact(scalar.size()).take(width);
            values.extend(numbers.map(|raw| scalar.decode(raw, false)));
        }
        Ok(values)
    }

    /// The bytes of a view.
    fn bytes(&self, view: &Value<'_>) -> Result<&[u8], ReadError> {
        let buffer = view.must("buffer")?;
        let k = buffer.index()?;
        let same = match self.buffers.get(k) {
            Some(Ok(Buffer::SameAs(first))) => self.buffers.get(*first),
            buffer => buffer,
        };
        let bytes: &[u8] = match same {
            Some(Ok(Buffer::Chunk(bytes))) => bytes,
            Some(Ok(Buffer::Owned(bytes))) => bytes,
            // the first of them is never like another
            Some(Ok(Buffer::SameAs(_))) => &[],
            Some(Err(error)) => return Err(error.clone()),
            None => {
                let what = format!("number {k} of {} `buffers`", self.buffers.len());
                return Err(ReadError::syntax(buffer.place(), what));
            }
        };
        let start = view.index_of("byteOffset")?.unwrap_or(0);
        let length = view.must("byteLength")?.index()?;
        let end = start.checked_add(length);
        end.and_then(|end| bytes.get(start..end)).ok_or_else(|| {
            let what = format!(
                "a view of {length} bytes from {start}, but buffer {k} has {}",
                bytes.len()
            );
            ReadError::syntax(view.place(), what)
        })
    }

    /// Overwrites the elements that a sparse accessor names.
    fn replace(
        &self,
        sparse: &Value<'_>,
        scalar: Scalar,
        width: usize,
        values: &mut [f64],
    ) -> Result<(), ReadError> {
        let count = sparse.must("count")?.index()?;
        let part = |name: &str, scalar: Option<Scalar>, width: usize| {
            let part = sparse.must(name)?;
            let scalar = scalar.map_or_else(|| component(part), Ok)?;
            let offset = part.index_of("byteOffset")?.unwrap_or(0);
            self.packed(part.must("bufferView")?, offset, scalar, count, width)
        };
        let indices = part("indices", None, 1)?;
        let replaced = part("values", Some(scalar), width)?;
        for (&index, new) in indices.iter().zip(replaced.chunks_exact(width)) {
            let old = values.chunks_exact_mut(width).nth(index as usize);
            let Some(old) = old else {
                let what = format!("a sparse accessor that replaces element {index}");
                return Err(ReadError::syntax(sparse.place(), what));
            };
            old.copy_from_slice(new);
        }
        Ok(())
    }
}

/// The component type of an accessor or of the indices of a sparse one.
fn component(value: &Value<'_>) -> Result<Scalar, ReadError> {
    let code = value.must("componentType")?;
    Ok(match code.index()? {
        5120 => Scalar::I8,
        5121 => Scalar::U8,
        5122 => Scalar::I16,
        5123 => Scalar::U16,
        5125 => Scalar::U32,
        5126 => Scalar::F32,
        other => {
            let what = format!("{other} is no component type of glTF");
            return Err(ReadError::syntax(code.place(), what));
        }
    })
}

/// What a normalised whole number is divided by.
fn range(scalar: Scalar) -> Option<f64> {
    Some(match scalar {
        Scalar::I8 => 127.0,
        Scalar::U8 => 255.0,
        Scalar::I16 => 32_767.0,
        Scalar::U16 => 65_535.0,
        _ => return None,
    })
}

/// The bytes of a `data:` address; `None` for any other.
fn embedded(uri: &[u8], at: &Value<'_>) -> Option<Result<Vec<u8>, ReadError>> {
    let data = uri.strip_prefix(b"data:")?;
    let wrong = |what: &str| Err(ReadError::syntax(at.place(), what));
    let Some(comma) = data.iter().position(|&b| b == b',') else {
        return Some(wrong("a `data:` address without content"));
    };
    let (kind, text) = data.split_at(comma);
    if !kind.ends_with(b";base64") {
        return Some(wrong("a `data:` address that is not in base64"));
    }
    let text = text.get(1..).unwrap_or_default();
    Some(base64::decode(text, usize::MAX).or_else(|_| wrong("a buffer that is not base64")))
}

/// The content of a file beside; `size` grows by its length.
fn outside(uri: &[u8], beside: Beside<'_>, size: &mut usize) -> Result<Vec<u8>, ReadError> {
    let name = percent_decoded(uri);
    if name.contains("://") {
        return Err(ReadError::unsupported(
            format!("a buffer from the network ({})", quoted(uri)),
            "export the mesh as GLB",
        ));
    }
    let bytes = beside.named(&name)?;
    *size = size.saturating_add(bytes.len());
    if *size > LONGEST_BUFFERS {
        return Err(ReadError::TooLarge {
            bytes: *size as u64,
            limit: LONGEST_BUFFERS as u64,
        });
    }
    Ok(bytes)
}

fn percent_decoded(uri: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri;
    while let Some((&byte, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| byte == b'%');
        let code = code.and_then(|d| std::str::from_utf8(d).ok());
        match code.and_then(|d| u8::from_str_radix(d, 16).ok()) {
            Some(code) => {
                bytes.push(code);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
