//! Bytes of a hierarchy: the length precedes each list as a `u32`.

use pliant_core::asset::bytes::{ByteReader, ByteWriter, BytesError};

pub(crate) type Writer = ByteWriter<u32>;
pub(crate) type Reader<'a> = ByteReader<'a, u32>;

/// Bytes that are not an asset of this crate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AssetFormatError {
    /// The first bytes are not those of an adaptive hierarchy.
    #[error("these bytes are no adaptive hierarchy\n  remedy: bake the body again")]
    WrongMagic,
    /// Written by another version.
    #[error(
        "the hierarchy has format version {found}, this program reads {expected}\n  remedy: bake the body again"
    )]
    WrongVersion {
        /// Version in the bytes.
        found: u32,
        /// Version this program reads.
        expected: u32,
    },
    /// The bytes are too short or too long.
    #[error(
        "the hierarchy is cut off or has bytes left over at byte {at}\n  remedy: bake the body again"
    )]
    WrongLength {
        /// Where reading stopped.
        at: usize,
    },
    /// A value that cannot belong to a hierarchy.
    #[error("the hierarchy holds an impossible {what}\n  remedy: bake the body again")]
    Corrupt {
        /// Which part.
        what: &'static str,
    },
}

pliant_core::error_code!(AssetFormatError);

impl From<BytesError> for AssetFormatError {
    fn from(error: BytesError) -> Self {
        match error {
            BytesError::WrongLength { at } => Self::WrongLength { at },
            BytesError::NotText { .. } => Self::Corrupt { what: "name" },
        }
    }
}

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
