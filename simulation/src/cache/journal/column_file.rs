//! Reads a file of finished columns without continuing its bake.

use pliant_core::asset::bytes::ByteReader;

use super::records::{HEADER_BYTES, MAGIC, next_record};

/// Content of a file of finished columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnFile {
    /// Version of the file.
    pub version: u32,
    /// Numbers of a column.
    pub height: u64,
    /// Columns of the whole bake.
    pub columns: u64,
    /// Bytes of a number.
    pub number_bytes: u32,
    /// Key of everything that the bake depends on.
    pub key: u128,
    /// Complete records.
    pub records: usize,
    /// Bytes of numbers in them.
    pub bytes: u64,
}

impl ColumnFile {
    /// Number of columns in the file.
    pub fn finished(&self) -> u64 {
        let column = self.height.saturating_mul(u64::from(self.number_bytes));
        self.bytes.checked_div(column).unwrap_or(0)
    }
}

/// Reads the bytes of a file of finished columns; `None` for another file, or one that ends inside the header.
pub(crate) fn column_file(bytes: &[u8]) -> Option<ColumnFile> {
    let mut header = ByteReader::<u64>::new(bytes.strip_prefix(MAGIC.as_slice())?);
    let mut file = ColumnFile {
        version: header.u32().ok()?,
        height: header.u64().ok()?,
        columns: header.u64().ok()?,
        number_bytes: header.u32().ok()?,
        key: header.value().ok()?,
        records: 0,
        bytes: 0,
    };
    let mut end = HEADER_BYTES as usize;
    while let Some((_, length)) = next_record(bytes, end) {
        file.records += 1;
        file.bytes += length;
        end += 32 + length as usize;
    }
    Some(file)
}
