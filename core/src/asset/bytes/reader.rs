//! Takes numbers, lists and texts off bytes that may be anything.

use std::marker::PhantomData;

use super::fixed_size::{FixedSize, Length};

/// Bytes that do not hold what was asked for. Each format makes an error of its own of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BytesError {
    /// The bytes end too early or go on too long.
    #[error("the bytes are cut off or go on at byte {at}")]
    WrongLength {
        /// Where what was asked for would begin.
        at: usize,
    },
    /// A text is no UTF-8.
    #[error("the text before byte {at} is no UTF-8")]
    NotText {
        /// Where the text ends.
        at: usize,
    },
}

impl BytesError {
    /// Where in the bytes.
    pub fn at(&self) -> usize {
        match self {
            Self::WrongLength { at } | Self::NotText { at } => *at,
        }
    }
}

/// Takes little-endian values off the front of bytes. Lists and texts have their length in front, as an `L`.
///
/// No bytes make it panic. A length is compared with the bytes that are left before memory is taken for it.
///
/// Cost: one copy of what is read.
///
/// # Errors
/// [`BytesError::WrongLength`] of all methods where fewer bytes are left than are asked for; of these bytes none is taken.
#[derive(Debug, Clone)]
pub struct ByteReader<'a, L> {
    bytes: &'a [u8],
    at: usize,
    length: PhantomData<L>,
}

impl<'a, L: Length> ByteReader<'a, L> {
    /// From the first byte on.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            length: PhantomData,
        }
    }

    /// Bytes that were taken.
    pub fn offset(&self) -> usize {
        self.at
    }

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

    /// A length of things that take at least `size` bytes each; no more than can follow.
    pub fn count(&mut self, size: usize) -> Result<usize, BytesError> {
        let count = self.value::<L>()?.count();
        self.need(count.saturating_mul(size))?;
        Ok(count)
    }

    /// Values behind their number.
    pub fn list<T: FixedSize>(&mut self) -> Result<Vec<T>, BytesError> {
        let count = self.count(T::BYTES)?;
        self.values(count)
    }

    /// UTF-8 behind its length in bytes; [`BytesError::NotText`] for other bytes.
    pub fn text(&mut self) -> Result<String, BytesError> {
        let count = self.count(1)?;
        let bytes = self.take(count)?.to_vec();
        String::from_utf8(bytes).map_err(|_| BytesError::NotText { at: self.at })
    }

    /// Things behind their number, of at least `size` bytes each. Memory is taken as they are read.
    pub fn items<T, E: From<BytesError>>(
        &mut self,
        size: usize,
        mut read: impl FnMut(&mut Self) -> Result<T, E>,
    ) -> Result<Vec<T>, E> {
        let count = self.count(size)?;
        (0..count).map(|_| read(self)).collect()
    }

    /// Ends reading: nothing may be left.
    pub fn finish(&self) -> Result<(), BytesError> {
        match self.at == self.bytes.len() {
            true => Ok(()),
            false => Err(BytesError::WrongLength { at: self.at }),
        }
    }
}
