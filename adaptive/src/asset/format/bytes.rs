//! Bytes of a hierarchy: the length precedes each list as a `u32`.

use pliant_core::asset::bytes::{ByteReader, ByteWriter, BytesError};

pub(crate) type Writer = ByteWriter<u32>;
pub(crate) type Reader<'a> = ByteReader<'a, u32>;

/// Bytes that are not an asset of this crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the hierarchy has a wrong {what}\n  remedy: bake the body again")]
pub struct AssetFormatError {
    /// The first part that is wrong.
    pub what: &'static str,
}

impl From<BytesError> for AssetFormatError {
    fn from(error: BytesError) -> Self {
        corrupt(match error {
            BytesError::WrongLength { .. } => "length",
            BytesError::NotText { .. } => "name",
        })
    }
}

pub(crate) fn corrupt(what: &'static str) -> AssetFormatError {
    AssetFormatError { what }
}

pub(crate) fn positive(value: f64, what: &'static str) -> Result<f64, AssetFormatError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(corrupt(what))
    }
}

pub(crate) fn below(
    values: &[u32],
    limit: usize,
    what: &'static str,
) -> Result<(), AssetFormatError> {
    if values.iter().all(|&v| (v as usize) < limit) {
        Ok(())
    } else {
        Err(corrupt(what))
    }
}
