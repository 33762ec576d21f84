//! Bytes of the asset: lists have their length in front as a `u64`.

use pliant_core::asset::bytes::{ByteReader, ByteWriter, BytesError};

use super::error::AssetFormatError;

pub(crate) type Writer = ByteWriter<u64>;
pub(crate) type Reader<'a> = ByteReader<'a, u64>;

/// Adds what was being read to an error.
pub(crate) trait ErrorContext<T> {
    fn context(self, what: &'static str) -> Result<T, AssetFormatError>;
}

impl<T> ErrorContext<T> for Result<T, BytesError> {
    fn context(self, what: &'static str) -> Result<T, AssetFormatError> {
        self.map_err(|error| match error {
            BytesError::WrongLength { at: offset } => AssetFormatError::Truncated { what, offset },
            BytesError::NotText { .. } => AssetFormatError::Invalid { what },
        })
    }
}
