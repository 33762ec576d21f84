//! Reads numbers, lists and texts from bytes that may be anything.

use std::marker::PhantomData;

use super::fixed_size::{FixedSize, Length};

/// The bytes do not hold what was asked for. Each format turns this into an error of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BytesError {
    /// The bytes end too early or go on too long.
    #[error("the data ends early or has bytes left over at byte {at}")]
    WrongLength {
        /// Offset at which the value that was asked for would begin.
        at: usize,
    },
    /// A text is not UTF-8.
    #[error("the text before byte {at} is not UTF-8")]
    NotText {
        /// Offset of the end of the text.
        at: usize,
    },
}

impl BytesError {
    /// Offset in the bytes.
    pub fn at(&self) -> usize {
        match self {
            Self::WrongLength { at } | Self::NotText { at } => *at,
        }
    }
}

/// Reads little-endian values one after the other. Lists and texts are preceded by their length, an `L`.
///
/// No bytes make it panic. A length is compared with the bytes that are left before memory is allocated for it.
///
/// Cost: one copy of what is read.
///
/// # Errors
/// All methods give [`BytesError::WrongLength`] where fewer bytes are left than are asked for, and then read none of them.
#[derive(Debug, Clone)]
pub struct ByteReader<'a, L> {
    bytes: &'a [u8],
    at: usize,
    length: PhantomData<L>,
}

impl<'a, L: Length> ByteReader<'a, L> {
    /// A reader at the first byte.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            length: PhantomData,
        }
    }

    /// Number of bytes that were read.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Checks that `count` bytes are left.
    fn need(&self, count: usize) -> Result<(), BytesError> {
        match count <= self.bytes.len() - self.at {
            true => Ok(()),
            false => Err(BytesError::WrongLength { at: self.at }),
        }
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], BytesError> {
        self.need(count)?;
        let begin = self.at;
        self.at += count;
        Ok(&self.bytes[begin..self.at])
    }

    /// All bytes that are left.
    pub fn rest(&mut self) -> &'a [u8] {
        let begin = self.at;
        self.at = self.bytes.len();
        &self.bytes[begin..]
    }

    /// One value.
    pub fn value<T: FixedSize>(&mut self) -> Result<T, BytesError> {
        self.take(T::BYTES).map(T::from_bytes)
    }

    /// A number of four bytes.
    pub fn u32(&mut self) -> Result<u32, BytesError> {
        self.value()
    }

    /// A number of eight bytes.
    pub fn u64(&mut self) -> Result<u64, BytesError> {
        self.value()
    }

    /// A number of eight bytes, any bits.
    pub fn f64(&mut self) -> Result<f64, BytesError> {
        self.value()
    }

    /// `count` values.
    pub fn values<T: FixedSize>(&mut self, count: usize) -> Result<Vec<T>, BytesError> {
        let bytes = self.take(count.saturating_mul(T::BYTES))?;
        Ok(bytes.chunks_exact(T::BYTES).map(T::from_bytes).collect())
    }

    /// The length of a list whose items take at least `size` bytes each; an error where so many cannot follow.
    pub fn count(&mut self, size: usize) -> Result<usize, BytesError> {
        let count = self.value::<L>()?.count();
        self.need(count.saturating_mul(size))?;
        Ok(count)
    }

    /// A list: its length, then the values.
    pub fn list<T: FixedSize>(&mut self) -> Result<Vec<T>, BytesError> {
        let count = self.count(T::BYTES)?;
        self.values(count)
    }

    /// A text: its length in bytes, then UTF-8; [`BytesError::NotText`] for other bytes.
    pub fn text(&mut self) -> Result<String, BytesError> {
        let count = self.count(1)?;
        let bytes = self.take(count)?.to_vec();
        String::from_utf8(bytes).map_err(|_| BytesError::NotText { at: self.at })
    }

    /// A list of items of at least `size` bytes each: its length, then the items. Memory is allocated as they are read.
    pub fn items<T, E: From<BytesError>>(
        &mut self,
        size: usize,
        mut read: impl FnMut(&mut Self) -> Result<T, E>,
    ) -> Result<Vec<T>, E> {
        let count = self.count(size)?;
        (0..count).map(|_| read(self)).collect()
    }

    /// Ends reading; an error where bytes are left.
    pub fn finish(&self) -> Result<(), BytesError> {
        match self.at == self.bytes.len() {
            true => Ok(()),
            false => Err(BytesError::WrongLength { at: self.at }),
        }
    }
}
