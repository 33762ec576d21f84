//! What numbers of a file have to be.

use crate::asset::format::bytes::AssetFormatError;

pub(crate) fn corrupt(what: &'static str) -> AssetFormatError {
    AssetFormatError::Corrupt { what }
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
