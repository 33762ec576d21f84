//! What a file of finished columns holds, without continuing its bake.

use pliant_core::asset::bytes::ByteReader;

use super::records::{HEADER_BYTES, MAGIC, next_record};

/// What a file of finished columns holds.
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
    /// Records that are whole.
    pub records: usize,
    /// Bytes of numbers in them.
    pub bytes: u64,
}

impl ColumnFile {
    /// Columns that are there.
    pub fn finished(&self) -> u64 {
        let column = self.height.saturating_mul(u64::from(self.number_bytes));
        self.bytes.checked_div(column).unwrap_or(0)
    }
}

/// What the bytes of a file of finished columns hold; `None` where they are something else or end inside the header.
pub fn column_file(bytes: &[u8]) -> Option<ColumnFile> {
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
