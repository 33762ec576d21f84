//! Buffers, views and accessors (glTF 2.0 specification, sections 3.6.1 and 3.6.2; KHR_mesh_quantization).

use std::collections::BTreeMap;

use super::extensions::compressed;
use super::json::{Data, Value};
use crate::io::companion_files::CompanionFiles;
use crate::io::encoding::base64;
use crate::io::encoding::scalar::Scalar;
use crate::io::encoding::text::quoted;
use crate::io::error::ReadError;

/// The parsed text and the bytes that it describes.
pub(crate) struct Document<'a> {
    pub root: Value<'a>,
    /// a buffer that cannot be read is an error only when it is used
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
const MAX_BUFFER_BYTES: usize = u32::MAX as usize;

/// Longest name of a file, as most file systems have it.
const MAX_NAME_BYTES: usize = 255;

impl<'a> Document<'a> {
    /// Finds all buffers: the binary chunk, embedded ones and files next to the mesh file.
    pub fn new(
        root: Value<'a>,
        chunk: Option<&'a [u8]>,
        size: usize,
        companions: CompanionFiles<'_>,
    ) -> Self {
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
        let mut files: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        for (k, value) in root.list_of("buffers").iter().enumerate() {
            let buffer = match value.get("uri").map(|u| (u, u.text())) {
                None if k == 0 && chunk.is_some() => Ok(Buffer::Chunk(chunk.unwrap_or_default())),
                None => Err(ReadError::unsupported(
                    format!("buffer {k} without content (perhaps of a compressed mesh)"),
                    "export the mesh without compression",
                )),
                Some((at, None)) => Err(ReadError::syntax(at.place(), "a `uri` that is not text")),
                Some((at, Some(uri))) => match (embedded(&uri, at), files.get(&*uri)) {
                    (Some(bytes), _) => bytes.map(Buffer::Owned),
                    (None, Some(&first)) => Ok(Buffer::SameAs(first)),
                    (None, None) => {
                        files.insert(uri.to_vec(), k);
                        external(&uri, at, companions, size).map(Buffer::Owned)
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

    /// Gives all elements of an accessor to `take`, `N` numbers each (`kind` is its type); normalised ones are unpacked.
    pub fn elements<const N: usize>(
        &self,
        accessor: &Value<'_>,
        kind: &str,
        mut take: impl FnMut([f64; N]) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let found = accessor.required("type")?;
        let name = found.text().unwrap_or_default();
        if *name != *kind.as_bytes() {
            let what = format!(
                "an accessor of type {} where {kind} is needed",
                quoted(&name)
            );
            return Err(ReadError::syntax(found.place(), what));
        }
        let count = self.count(accessor)?;
        let scalar = component(accessor)?;
        let normalised = accessor.get("normalized");
        let is_true = |v: &&Value<'_>| matches!(v.data, Data::Bool(true));
        let divisor = normalised
            .filter(is_true)
            .and_then(|_| normalisation(scalar));
        let normalise = |element: [f64; N]| match divisor {
            Some(divisor) => element.map(|x| (x / divisor).max(-1.0)),
            None => element,
        };
        let packed = match accessor.get("bufferView") {
            Some(view) => {
                let offset = accessor.index_of("byteOffset")?.unwrap_or(0);
                Some(self.packed::<N>(view, offset, scalar, count)?)
            }
            None => None,
        };
        let element = |k: usize| packed.as_ref().map_or([0.0; N], |p| p.element(k));
        let Some(sparse) = accessor.get("sparse") else {
            return (0..count).try_for_each(|k| take(normalise(element(k))));
        };
        let mut elements: Vec<[f64; N]> = (0..count).map(element).collect();
        self.replace(sparse, scalar, &mut elements)?;
        elements.into_iter().try_for_each(|e| take(normalise(e)))
    }

    /// Number of elements of an accessor: never more than there are bytes.
    pub fn count(&self, accessor: &Value<'_>) -> Result<usize, ReadError> {
        let count = accessor.required("count")?;
        let claimed = count.index()?;
        if claimed > self.size {
            let (place, what) = (count.place(), "elements of an accessor");
            return Err(ReadError::too_many(place, what, claimed as u64, self.size));
        }
        Ok(claimed)
    }

    /// Elements of a buffer view.
    fn packed<const N: usize>(
        &self,
        view: &Value<'_>,
        offset: usize,
        scalar: Scalar,
        count: usize,
    ) -> Result<Packed<'_, N>, ReadError> {
        let place = view.place();
        let view = self.element("bufferViews", view)?;
        if let Some(extensions) = view.get("extensions")
            && extensions
                .keys()
                .any(|k| k.ends_with(b"_meshopt_compression"))
            && self.bytes(view).is_err()
        {
            return Err(compressed("meshopt (EXT_meshopt_compression)"));
        }
        let bytes = self.bytes(view)?;
        let element = scalar.size() * N;
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
        Ok(Packed {
            bytes: used,
            stride,
            scalar,
        })
    }

    /// The bytes of a view.
    fn bytes(&self, view: &Value<'_>) -> Result<&[u8], ReadError> {
        let buffer = view.required("buffer")?;
        let k = buffer.index()?;
        let resolved = match self.buffers.get(k) {
            Some(Ok(Buffer::SameAs(first))) => self.buffers.get(*first),
            buffer => buffer,
        };
        let bytes: &[u8] = match resolved {
            Some(Ok(Buffer::Chunk(bytes))) => bytes,
            Some(Ok(Buffer::Owned(bytes))) => bytes,
            // the first buffer of a file is never `SameAs`
            Some(Ok(Buffer::SameAs(_))) => &[],
            Some(Err(error)) => return Err(error.clone()),
            None => {
                let what = format!("number {k} of {} `buffers`", self.buffers.len());
                return Err(ReadError::syntax(buffer.place(), what));
            }
        };
        let start = view.index_of("byteOffset")?.unwrap_or(0);
        let length = view.required("byteLength")?.index()?;
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
    fn replace<const N: usize>(
        &self,
        sparse: &Value<'_>,
        scalar: Scalar,
        elements: &mut [[f64; N]],
    ) -> Result<(), ReadError> {
        let count = self.count(sparse)?;
        let part = |name: &str| {
            let part = sparse.required(name)?;
            let offset = part.index_of("byteOffset")?.unwrap_or(0);
            Ok((part, part.required("bufferView")?, offset))
        };
        let (indices, view, offset) = part("indices")?;
        let indices = self.packed::<1>(view, offset, component(indices)?, count)?;
        let (_, view, offset) = part("values")?;
        let values = self.packed::<N>(view, offset, scalar, count)?;
        for k in 0..count {
            let [index] = indices.element(k);
            let Some(old) = elements.get_mut(index as usize) else {
                let what = format!("a sparse accessor that replaces element {index}");
                return Err(ReadError::syntax(sparse.place(), what));
            };
            *old = values.element(k);
        }
        Ok(())
    }
}

/// Elements of `N` numbers where they stand in a buffer.
struct Packed<'a, const N: usize> {
    bytes: &'a [u8],
    stride: usize,
    scalar: Scalar,
}

impl<const N: usize> Packed<'_, N> {
    fn element(&self, k: usize) -> [f64; N] {
        let raw = self.bytes.get(k * self.stride..).unwrap_or_default();
        let mut numbers = raw.chunks_exact(self.scalar.size());
        [(); N].map(|()| {
            let raw = numbers.next().unwrap_or_default();
            self.scalar.decode(raw, false)
        })
    }
}

/// The component type of an accessor or of the indices of a sparse one.
fn component(value: &Value<'_>) -> Result<Scalar, ReadError> {
    let code = value.required("componentType")?;
    Ok(match code.index()? {
        5120 => Scalar::I8,
        5121 => Scalar::U8,
        5122 => Scalar::I16,
        5123 => Scalar::U16,
        5125 => Scalar::U32,
        5126 => Scalar::F32,
        other => {
            let what = format!("{other} is not a component type of glTF");
            return Err(ReadError::syntax(code.place(), what));
        }
    })
}

/// The divisor of a normalised integer.
fn normalisation(scalar: Scalar) -> Option<f64> {
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

/// The content of a file next to the mesh file; `size` grows by its length.
fn external(
    uri: &[u8],
    at: &Value<'_>,
    companions: CompanionFiles<'_>,
    size: &mut usize,
) -> Result<Vec<u8>, ReadError> {
    let name = percent_decoded(uri);
    if name.len() > MAX_NAME_BYTES || name.chars().any(char::is_control) {
        let what = format!("{} is not a name of a file", quoted(uri));
        return Err(ReadError::syntax(at.place(), what));
    }
    if name.contains("://") {
        return Err(ReadError::unsupported(
            format!("a buffer from the network ({})", quoted(uri)),
            "export the mesh as GLB",
        ));
    }
    let bytes = companions.named(&name)?;
    *size = size.saturating_add(bytes.len());
    if *size > MAX_BUFFER_BYTES {
        return Err(ReadError::TooLarge {
            bytes: *size as u64,
            limit: MAX_BUFFER_BYTES as u64,
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
