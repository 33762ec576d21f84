//! Packed numbers of binary formats.

use crate::io::error::{Place, ReadError};

/// Number types of PLY, VTK and glTF.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Scalar {
    /// Bytes of one number.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// The number in the first [`Scalar::size`] bytes of `raw` (missing bytes count as zero). Whole numbers beyond 2⁵³ are rounded.
    pub fn decode(self, raw: &[u8], big_endian: bool) -> f64 {
        let size = self.size();
        // as a little-endian number of eight bytes, the unused ones zero
        let mut word = [0_u8; 8];
        for (k, &byte) in raw.iter().take(size).enumerate() {
            word[if big_endian { size - 1 - k } else { k }] = byte;
        }
        let bits = u64::from_le_bytes(word);
        match self {
            Self::I8 => f64::from(bits as u8 as i8),
            Self::U8 => f64::from(bits as u8),
            Self::I16 => f64::from(bits as u16 as i16),
            Self::U16 => f64::from(bits as u16),
            Self::I32 => f64::from(bits as u32 as i32),
            Self::U32 => f64::from(bits as u32),
            Self::I64 => bits as i64 as f64,
            Self::U64 => bits as f64,
            Self::F32 => f64::from(f32::from_bits(bits as u32)),
            Self::F64 => f64::from_bits(bits),
        }
    }
}

/// A number that must be whole, as an index or a count.
pub(crate) fn whole(value: f64) -> Option<i64> {
    (value.fract() == 0.0 && value.abs() < 1e15).then_some(value as i64)
}

/// The same, which must stand at `place`.
pub(crate) fn whole_at(value: f64, place: Place) -> Result<i64, ReadError> {
    whole(value).ok_or_else(|| {
        let what = format!("{value} where a whole number is expected");
        ReadError::syntax(place, what)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_byte_orders_give_the_same_number() {
        let mut raw = (-1234.5_f64).to_le_bytes();
        assert_eq!(Scalar::F64.decode(&raw, false), -1234.5);
        raw.reverse();
        assert_eq!(Scalar::F64.decode(&raw, true), -1234.5);
        assert_eq!(Scalar::I16.decode(&[0xff, 0xfe, 9], true), -2.0);
        assert_eq!(Scalar::U16.decode(&[0xff, 0xfe, 9], false), 65_279.0);
        assert_eq!(whole(2.5), None);
        assert_eq!(whole(f64::NAN), None);
        assert_eq!(whole(-3.0), Some(-3));
    }
}
