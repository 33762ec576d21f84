//! Little-endian serialisation: a writer that cannot fail, and a reader that trusts no byte.
//!
//! Numbers, vectors and matrices have a [fixed size](FixedSize). Lists and texts are preceded by their [`Length`], a `u32` or a `u64`: a parameter of
//! [`ByteWriter`] and [`ByteReader`]. Each format decides what the numbers mean and which of them are valid. A [`WholeFile`] holds all its bytes or does
//! not exist.
//!
//! ```
//! use pliant_core::asset::bytes::{ByteReader, ByteWriter, BytesError};
//! let mut out = ByteWriter::<u32>::default();
//! out.f64(0.5);
//! out.list(&[[0_u32, 1, 2], [2, 1, 3]]);
//! out.text("skin");
//! let bytes = out.into_bytes();
//! let mut input = ByteReader::<u32>::new(&bytes);
//! assert_eq!(input.f64(), Ok(0.5));
//! assert_eq!(input.list::<[u32; 3]>(), Ok(vec![[0, 1, 2], [2, 1, 3]]));
//! assert_eq!(input.text(), Ok("skin".to_string()));
//! assert_eq!(input.u32(), Err(BytesError::WrongLength { at: bytes.len() }));
//! ```

mod base64;
mod fixed_size;
mod reader;
mod whole_file;
mod writer;

pub use base64::base64;
pub use fixed_size::{FixedSize, Length};
pub use reader::{ByteReader, BytesError};
pub use whole_file::{WholeFile, temporary_path, write_whole};
pub use writer::ByteWriter;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, Vec3};

    fn written<L: Length + Default>() -> Vec<u8> {
        let mut out = ByteWriter::<L>::default();
        out.raw(b"word");
        out.align(16);
        out.u32(7);
        out.u64(8);
        out.value(&-9_i64);
        out.list(&[Vec3::new(1.0, 2.0, f64::NAN)]);
        out.list(&[Mat3::from_fn(|row, column| (10 * row + column) as f64)]);
        out.items(&["first", "über"], |out, text| out.text(text));
        out.option(Some(&3.0), |out, x| out.f64(*x));
        out.option(None::<&f64>, |out, x| out.f64(*x));
        out.values(&[[1_u16, 2], [3, 4]]);
        out.into_bytes()
    }

    fn read<L: Length>(bytes: &[u8]) -> Result<(), BytesError> {
        let mut input = ByteReader::<L>::new(bytes);
        assert_eq!(input.take(16)?, b"word\0\0\0\0\0\0\0\0\0\0\0\0");
        assert_eq!((input.u32()?, input.u64()?), (7, 8));
        assert_eq!(input.value::<i64>()?, -9);
        let vectors: Vec<Vec3> = input.list()?;
        assert_eq!((vectors.len(), vectors[0].y), (1, 2.0));
        assert!(vectors[0].z.is_nan());
        let matrices: Vec<Mat3> = input.list()?;
        assert_eq!((matrices.len(), matrices[0][(1, 2)]), (1, 12.0));
        let texts: Vec<String> = input.items(L::BYTES, ByteReader::text)?;
        assert_eq!(texts, ["first", "über"]);
        assert_eq!((input.value::<u8>()?, input.f64()?), (1, 3.0));
        assert_eq!(input.value::<u8>()?, 0);
        assert_eq!(input.values::<[u16; 2]>(2)?, [[1_u16, 2], [3, 4]]);
        input.finish()
    }

    #[test]
    fn values_are_read_back_and_every_truncation_is_noticed() {
        let (short, long) = (written::<u32>(), written::<u64>());
        assert_eq!(long.len(), short.len() + 5 * 4);
        assert_eq!((read::<u32>(&short), read::<u64>(&long)), (Ok(()), Ok(())));
        for end in 0..short.len() {
            let error = read::<u32>(&short[..end]).expect_err("cut");
            assert!(error.at() <= end, "{error} of {end}");
        }
        let longer = [short.as_slice(), b"x"].concat();
        let at = short.len();
        assert_eq!(read::<u32>(&longer), Err(BytesError::WrongLength { at }));
    }

    #[test]
    fn a_length_beyond_the_bytes_allocates_no_memory() {
        for length in [2, 1 << 61, u64::MAX / 24, u64::MAX] {
            let bytes = [length.to_le_bytes(), [0; 8]].concat();
            let input = ByteReader::<u64>::new(&bytes);
            let wrong = BytesError::WrongLength { at: 8 };
            assert_eq!(input.clone().list::<f64>(), Err(wrong));
            assert_eq!(input.clone().list::<Vec3>(), Err(wrong));
            assert_eq!(input.clone().items(8, ByteReader::u64), Err(wrong));
            let count = usize::try_from(length).unwrap_or(usize::MAX);
            let values = input.clone().values::<[u64; 3]>(count);
            assert_eq!(values, Err(BytesError::WrongLength { at: 0 }));
        }
    }

    #[test]
    fn a_text_that_is_not_utf_8_is_refused() {
        let mut input = ByteReader::<u32>::new(b"\x02\0\0\0\xff\xff");
        assert_eq!(input.text(), Err(BytesError::NotText { at: 6 }));
    }
}
