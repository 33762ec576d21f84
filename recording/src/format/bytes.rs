//! Content of chunks: texts and lists are preceded by their length, a `u32`.

use pliant_core::asset::bytes::{ByteReader, ByteWriter, BytesError, FixedSize};

use crate::error::RecordingError;

pub(crate) type Writer = ByteWriter<u32>;

type Read<T> = Result<T, RecordingError>;

/// Reads the content of a chunk. A length is compared with the bytes that are left before it is used.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    content: ByteReader<'a, u32>,
    /// offset of the content in the file
    begin: u64,
    /// name of the content in messages
    what: &'static str,
}

impl<'a> Reader<'a> {
    pub fn new(content: &'a [u8], begin: u64, what: &'static str) -> Self {
        Self {
            content: ByteReader::new(content),
            begin,
            what,
        }
    }

    /// The error for an invalid value at the present offset.
    pub fn invalid(&self, what: &'static str) -> RecordingError {
        let offset = self.begin + self.content.offset() as u64;
        RecordingError::Invalid { what, offset }
    }

    fn read<T>(
        &mut self,
        read: impl FnOnce(&mut ByteReader<'a, u32>) -> Result<T, BytesError>,
    ) -> Read<T> {
        read(&mut self.content).map_err(|error| match error {
            BytesError::WrongLength { .. } => self.invalid(self.what),
            BytesError::NotText { .. } => self.invalid("text"),
        })
    }

    pub fn value<T: FixedSize>(&mut self) -> Read<T> {
        self.read(ByteReader::value)
    }

    pub fn take(&mut self, count: usize) -> Read<&'a [u8]> {
        self.read(|r| r.take(count))
    }

    pub fn rest(&mut self) -> &'a [u8] {
        self.content.rest()
    }

    pub fn u32(&mut self) -> Read<u32> {
        self.value()
    }

    pub fn u64(&mut self) -> Read<u64> {
        self.value()
    }

    pub fn f64(&mut self) -> Read<f64> {
        self.value()
    }

    pub fn flag(&mut self) -> Read<bool> {
        match self.value::<u8>()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.invalid("flag")),
        }
    }

    pub fn text(&mut self) -> Read<String> {
        self.read(ByteReader::text)
    }

    /// A list: its length, then the items. Memory is allocated as items are read, so that a wrong length costs none.
    pub fn list<T>(&mut self, read: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let count = self.u32()? as usize;
        self.items(count, read)
    }

    /// A list of a known length.
    pub fn items<T>(
        &mut self,
        count: usize,
        mut read: impl FnMut(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        (0..count).map(|_| read(self)).collect()
    }

    pub fn option<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<Option<T>> {
        self.flag()?.then(|| read(self)).transpose()
    }

    /// Ends reading; an error where bytes are left.
    pub fn finish(mut self) -> Read<()> {
        self.read(|r| r.finish())
    }
}
