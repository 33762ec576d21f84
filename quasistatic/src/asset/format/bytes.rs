//! Bytes of the asset: lists have their length in front as a `u64`.

use pliant_core::asset::bytes::{ByteReader, ByteWriter, BytesError};

use super::error::AssetFormatError;

pub(crate) type Writer = ByteWriter<u64>;
pub(crate) type Reader<'a> = ByteReader<'a, u64>;

/// Says what was being read.
pub(crate) trait Inside<T> {
    fn inside(self, what: &'static str) -> Result<T, AssetFormatError>;
}

impl<T> Inside<T> for Result<T, BytesError> {
    fn inside(self, what: &'static str) -> Result<T, AssetFormatError> {
        self.map_err(|error| match error {
            BytesError::WrongLength { at: offset } => AssetFormatError::Truncated { what, offset },
            BytesError::NotText { .. } => AssetFormatError::Invalid { what },
        })
    }
}
