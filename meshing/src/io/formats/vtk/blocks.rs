//! The bytes of an array of VTU and VTP: a length and the bytes, or separately compressed blocks; raw or in base64.

use std::borrow::Cow;
use std::cell::Cell;

use miniz_oxide::inflate::decompress_slice_iter_to_slice;

use super::lz4;
use crate::io::encoding::base64;
use crate::io::encoding::scalar::Scalar;
use crate::io::encoding::text::quoted;
use crate::io::error::{Place, ReadError};

/// Compressed arrays may unpack to this many bytes together,
const MAX_UNPACKED: u64 = 24 << 20;
/// or to this many per byte of the file. Meshes shrink to a third or a tenth; a file made to exhaust memory, to a thousandth.
const MAX_UNPACKED_PER_BYTE: u64 = 8;

/// How the blocks of a file are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compressor {
    Zlib,
    Lz4,
    Other,
}

/// How a file stores its arrays, and how much of it was unpacked so far.
#[derive(Debug)]
pub(crate) struct Encoding<'a> {
    /// length of the file
    size: usize,
    pub big_endian: bool,
    /// type of the lengths before each array
    header: Scalar,
    compressor: Option<(Compressor, &'a [u8])>,
    /// bytes of all arrays so far; bounded, because pieces that share arrays could fill any memory
    unpacked: Cell<u64>,
}

/// The text or the bytes from the start of an array on; those of other arrays may follow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block<'a> {
    pub bytes: &'a [u8],
    pub is_base64: bool,
    /// for messages
    pub place: Place,
}

impl<'a> Encoding<'a> {
    /// From the attributes of the file.
    pub fn new(
        size: usize,
        big_endian: bool,
        header: Scalar,
        compressor: Option<&'a [u8]>,
    ) -> Self {
        let kind = |name: &[u8]| match name {
            b"vtkZLibDataCompressor" => Compressor::Zlib,
            b"vtkLZ4DataCompressor" => Compressor::Lz4,
            _ => Compressor::Other,
        };
        Self {
            size,
            big_endian,
            header,
            compressor: compressor.map(|name| (kind(name), name)),
            unpacked: Cell::new(0),
        }
    }

    /// The bytes of an array without the lengths before them.
    pub fn unpack<'b>(&self, block: Block<'b>) -> Result<Cow<'b, [u8]>, ReadError> {
        match self.compressor {
            None => self.plain(block),
            Some((Compressor::Other, name)) => {
                let what = format!("compressed data ({})", quoted(name));
                let remedy =
                    "save it with zlib or uncompressed (in ParaView: compressor type ZLib or None)";
                Err(ReadError::unsupported(what, remedy))
            }
            Some((compressor, _)) => self.compressed(block, compressor).map(Cow::Owned),
        }
    }

    /// Reads a length, then the bytes; in base64 both are encoded together.
    fn plain<'b>(&self, block: Block<'b>) -> Result<Cow<'b, [u8]>, ReadError> {
        let size = self.header.size();
        let length = block.take(size)?;
        let Some(length) = self
            .lengths(&length)
            .next()
            .filter(|_| length.len() == size)
        else {
            return Err(self.truncated("the length of an array"));
        };
        if length > block.bytes.len() as u64 {
            return Err(self.truncated(&format!("an array of {length} bytes")));
        }
        self.count_unpacked(length, self.size as u64, block.place)?;
        let end = size + length as usize;
        let raw = block.take(end)?;
        if raw.len() < end {
            return Err(self.truncated(&format!("an array of {length} bytes")));
        }
        Ok(match raw {
            Cow::Borrowed(raw) => Cow::Borrowed(raw.split_at(size).1),
            Cow::Owned(mut raw) => {
                raw.drain(..size);
                Cow::Owned(raw)
            }
        })
    }

    /// Reads a header and the blocks. The header has the number of blocks, the unpacked length of a whole block, that of the last block where it is shorter,
    /// and the stored length of every block. In base64 the header is encoded separately.
    fn compressed(&self, block: Block<'_>, compressor: Compressor) -> Result<Vec<u8>, ReadError> {
        let size = self.header.size();
        let head = block.take(3 * size)?;
        let mut lengths = self.lengths(&head);
        let (Some(count), Some(whole), Some(last)) =
            (lengths.next(), lengths.next(), lengths.next())
        else {
            // without a block nothing needs to follow their number
            let is_empty = self.lengths(&head).next() == Some(0) && head.len() >= size;
            return if is_empty {
                Ok(Vec::new())
            } else {
                Err(self.truncated("the lengths of compressed blocks"))
            };
        };
        if count > (block.bytes.len() / size) as u64 {
            return Err(self.truncated(&format!("the lengths of {count} compressed blocks")));
        }
        let count = count as usize;
        let head = block.take((3 + count) * size)?;
        if head.len() < (3 + count) * size {
            return Err(self.truncated(&format!("the lengths of {count} compressed blocks")));
        }
        let stored: Vec<u64> = self.lengths(&head).skip(3).collect();
        let mut sizes = vec![whole; count];
        if let Some(slot) = sizes.last_mut().filter(|_| last > 0) {
            *slot = last;
        }
        let total = sizes.iter().fold(0_u64, |sum, s| sum.saturating_add(*s));
        let max_bytes = MAX_UNPACKED.max(MAX_UNPACKED_PER_BYTE * self.size as u64);
        self.count_unpacked(total, max_bytes, block.place)?;
        let rest = block.after((3 + count) * size);
        let needed = stored.iter().fold(0_u64, |sum, s| sum.saturating_add(*s));
        if needed > rest.bytes.len() as u64 {
            return Err(self.truncated(&format!("{needed} bytes of compressed blocks")));
        }
        let packed = rest.take(needed as usize)?;
        let mut unpacked = vec![0; total as usize];
        let (mut packed, mut free) = (&*packed, unpacked.as_mut_slice());
        for (k, (stored, size)) in stored.iter().zip(&sizes).enumerate() {
            let Some((one, after)) = packed.split_at_checked(*stored as usize) else {
                return Err(self.truncated(&format!("compressed block {k} of {count}")));
            };
            let (target, rest_of_output) = free.split_at_mut(*size as usize);
            let length = match compressor {
                Compressor::Lz4 => lz4::decompress(one, target),
                _ => decompress_slice_iter_to_slice(target, [one].into_iter(), true, false).ok(),
            };
            if length != Some(target.len()) {
                let what = format!("compressed block {k} of {count} is damaged");
                return Err(ReadError::syntax(block.place, what));
            }
            (packed, free) = (after, rest_of_output);
        }
        Ok(unpacked)
    }

    fn lengths(&self, raw: &[u8]) -> impl Iterator<Item = u64> {
        let size = self.header.size();
        raw.chunks_exact(size).map(move |raw| {
            let mut word = [0; 8];
            for (k, &byte) in raw.iter().enumerate() {
                word[if self.big_endian { size - 1 - k } else { k }] = byte;
            }
            u64::from_le_bytes(word)
        })
    }

    /// Counts what is about to be unpacked.
    fn count_unpacked(&self, bytes: u64, max_bytes: u64, place: Place) -> Result<(), ReadError> {
        self.unpacked.set(self.unpacked.get().saturating_add(bytes));
        if self.unpacked.get() <= max_bytes {
            return Ok(());
        }
        let claimed = self.unpacked.get();
        let what = "bytes in all arrays";
        Err(ReadError::too_many(place, what, claimed, self.size))
    }

    fn truncated(&self, expected: &str) -> ReadError {
        ReadError::truncated(self.size, expected)
    }
}

impl<'a> Block<'a> {
    /// The first bytes, `count` of them or fewer where it ends.
    fn take(&self, count: usize) -> Result<Cow<'a, [u8]>, ReadError> {
        if !self.is_base64 {
            return Ok(Cow::Borrowed(self.bytes.get(..count).unwrap_or(self.bytes)));
        }
        let wrong = |_| ReadError::syntax(self.place, "a character that does not belong to base64");
        base64::decode(self.bytes, count)
            .map(Cow::Owned)
            .map_err(wrong)
    }

    /// What follows the first `count` bytes; in base64 these are encoded separately.
    fn after(&self, count: usize) -> Self {
        let digits = count.div_ceil(3) * 4;
        let start = if self.is_base64 {
            let places = self.bytes.iter().enumerate();
            let mut digit = places.filter(|(_, b)| !b.is_ascii_whitespace());
            digit.nth(digits).map_or(self.bytes.len(), |(k, _)| k)
        } else {
            count
        };
        Self {
            bytes: self.bytes.get(start..).unwrap_or_default(),
            ..*self
        }
    }
}
