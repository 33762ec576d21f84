//! The longest file that is read.

use super::error::ReadError;

/// Longest file that is read: vertex numbers and places then fit 32 bits.
const LONGEST: u64 = u32::MAX as u64;

pub(crate) fn refuse_too_large(bytes: u64) -> Result<(), ReadError> {
    if bytes > LONGEST {
        return Err(ReadError::TooLarge {
            bytes,
            limit: LONGEST,
        });
    }
    Ok(())
}
