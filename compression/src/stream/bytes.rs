//! Little-endian numbers in bytes. Every read is checked against the bytes that are left.

use pliant_core::asset::bytes::FixedSize;

use super::error::StreamError;

/// Appends numbers.
#[derive(Debug, Default)]
pub(super) struct ByteWriter(pub Vec<u8>);

impl ByteWriter {
    pub fn value<T: FixedSize>(&mut self, x: T) {
        x.append_to(&mut self.0);
    }

    pub fn bytes(&mut self, x: &[u8]) {
        self.0.extend_from_slice(x);
    }

    /// Seven bits a byte, the lowest first.
    pub fn varint(&mut self, mut x: u64) {
        while x >= 0x80 {
            self.0.push(x as u8 | 0x80);
            x >>= 7;
        }
        self.0.push(x as u8);
    }

    /// Small numbers of either sign.
    pub fn signed(&mut self, x: i64) {
        self.varint(((x << 1) ^ (x >> 63)) as u64);
    }

    /// Appends a checksum of all bytes from `from` on.
    pub fn append_checksum(&mut self, from: usize) {
        let sum = checksum(self.0.get(from..).unwrap_or(&[]));
        self.value(sum);
    }
}

/// The checksum of a part of a stream.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}

/// Reads numbers one after the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct ByteReader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// What is read, for messages.
    what: &'static str,
}

impl<'a> ByteReader<'a> {
    pub fn new(bytes: &'a [u8], at: usize, what: &'static str) -> Self {
        Self { bytes, at, what }
    }

    /// Bytes from the beginning of the stream.
    pub fn offset(&self) -> usize {
        self.at
    }

    pub fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], StreamError> {
        let end = self.at.checked_add(count);
        let taken = end.and_then(|end| self.bytes.get(self.at..end));
        let Some(taken) = taken else {
            return Err(StreamError::Truncated {
                offset: self.at,
                what: self.what,
                missing: count.saturating_sub(self.remaining()),
            });
        };
        self.at += count;
        Ok(taken)
    }

    pub fn value<T: FixedSize>(&mut self) -> Result<T, StreamError> {
        self.take(T::BYTES).map(T::from_bytes)
    }

    pub fn varint(&mut self) -> Result<u64, StreamError> {
        let mut x = 0;
        for shift in (0..64).step_by(7) {
            let byte = u64::from(self.value::<u8>()?);
            x |= (byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(x);
            }
        }
        Err(self.damaged("a number has more than 64 bits"))
    }

    pub fn signed(&mut self) -> Result<i64, StreamError> {
        let x = self.varint()?;
        Ok((x >> 1) as i64 ^ -((x & 1) as i64))
    }

    /// Reads a number of things. It is refused where the remaining bytes cannot hold that many things of `bits` bits, so that the memory for them is bounded.
    pub fn count(&mut self, bits: usize, things: &'static str) -> Result<usize, StreamError> {
        let before = *self;
        let count = self.varint()?;
        let room = (self.remaining() as u64).saturating_mul(8) / bits.max(1) as u64;
        if count > room {
            return Err(before.damaged(&format!(
                "{count} {things} cannot be in the {} bytes that are left",
                self.remaining()
            )));
        }
        Ok(count as usize)
    }

    pub fn damaged(&self, reason: &str) -> StreamError {
        StreamError::Damaged {
            offset: self.at,
            reason: reason.into(),
        }
    }
}
