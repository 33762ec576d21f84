//! Values that always take the same number of bytes.

use nalgebra::SMatrix;

/// A value that always takes the same number of bytes: numbers with the lowest byte first, arrays and vectors entry by entry, matrices column by column.
pub trait FixedSize: Sized {
    /// Bytes of a value, at least one.
    const BYTES: usize;

    /// The value of [`FixedSize::BYTES`] bytes. Where there are fewer, the missing numbers are zero.
    fn from_bytes(bytes: &[u8]) -> Self;

    /// Appends the bytes of the value.
    fn append_to(&self, out: &mut Vec<u8>);
}

/// An integer type in which lengths are stored.
pub trait Length: FixedSize {
    /// The number for a length, which has to fit.
    fn of(count: usize) -> Self;

    /// The length; `usize::MAX` where it does not fit in a `usize`.
    fn count(self) -> usize;
}

macro_rules! lengths {
    ($($number:ty),*) => {$(
        impl Length for $number {
            fn of(count: usize) -> Self {
                count as Self
            }

            fn count(self) -> usize {
                usize::try_from(self).unwrap_or(usize::MAX)
            }
        }
    )*};
}

lengths!(u32, u64);

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl FixedSize for $number {
            const BYTES: usize = size_of::<$number>();

            #[inline]
            fn from_bytes(bytes: &[u8]) -> Self {
                let bytes = bytes.first_chunk::<{ size_of::<$number>() }>();
                bytes.map(|b| Self::from_le_bytes(*b)).unwrap_or_default()
            }

            #[inline]
            fn append_to(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

numbers!(i8, i16, i64, u8, u16, u32, u64, u128, f32, f64);

impl<const R: usize, const C: usize> FixedSize for SMatrix<f64, R, C> {
    const BYTES: usize = R * C * f64::BYTES;

    #[inline]
    fn from_bytes(bytes: &[u8]) -> Self {
        <[[f64; R]; C]>::from_bytes(bytes).into()
    }

    #[inline]
    fn append_to(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|x| x.append_to(out));
    }
}

impl<T: FixedSize, const N: usize> FixedSize for [T; N] {
    const BYTES: usize = N * T::BYTES;

    #[inline]
    fn from_bytes(bytes: &[u8]) -> Self {
        let entry = |k: usize| bytes.get(k * T::BYTES..(k + 1) * T::BYTES);
        std::array::from_fn(|k| T::from_bytes(entry(k).unwrap_or_default()))
    }

    #[inline]
    fn append_to(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|entry| entry.append_to(out));
    }
}
