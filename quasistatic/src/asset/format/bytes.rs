//! Little-endian arrays with their lengths in front.

use pliant_core::math::Mat3;

use crate::asset::format::AssetFormatError;

/// Appends to a byte vector.
pub(crate) struct Writer(pub Vec<u8>);

impl Writer {
    pub fn u32(&mut self, x: u32) {
        self.0.extend_from_slice(&x.to_le_bytes());
    }

    pub fn u64(&mut self, x: u64) {
        self.0.extend_from_slice(&x.to_le_bytes());
    }

    pub fn u32s(&mut self, values: &[u32]) {
        self.u64(values.len() as u64);
        for x in values {
            self.u32(*x);
        }
    }

    pub fn f64s(&mut self, values: &[f64]) {
        self.u64(values.len() as u64);
        for x in values {
            self.0.extend_from_slice(&x.to_le_bytes());
        }
    }

    pub fn matrices(&mut self, values: &[Mat3]) {
        self.u64(values.len() as u64);
        for x in values.iter().flat_map(|m| m.iter()) {
            self.0.extend_from_slice(&x.to_le_bytes());
        }
    }

    pub fn text(&mut self, text: &str) {
        self.u64(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }
}

/// Takes from a byte slice; every length is checked before memory is taken.
pub(crate) struct Reader<'a> {
    pub bytes: &'a [u8],
    pub offset: usize,
}

impl<'a> Reader<'a> {
    pub fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], AssetFormatError> {
        let offset = self.offset;
        let end = offset.checked_add(count).filter(|&e| e <= self.bytes.len());
        let end = end.ok_or(AssetFormatError::Truncated { what, offset })?;
        self.offset = end;
        Ok(&self.bytes[offset..end])
    }

    /// `count` items of `N` bytes.
    pub fn array<const N: usize>(
        &mut self,
        count: usize,
        what: &'static str,
    ) -> Result<&'a [[u8; N]], AssetFormatError> {
        let offset = self.offset;
        let length = count
            .checked_mul(N)
            .ok_or(AssetFormatError::Truncated { what, offset })?;
        Ok(self.take(length, what)?.as_chunks::<N>().0)
    }

    pub fn u32(&mut self, what: &'static str) -> Result<u32, AssetFormatError> {
        let bytes = self.array::<4>(1, what)?;
        Ok(bytes.first().map_or(0, |b| u32::from_le_bytes(*b)))
    }

    pub fn u64(&mut self, what: &'static str) -> Result<u64, AssetFormatError> {
        let bytes = self.array::<8>(1, what)?;
        Ok(bytes.first().map_or(0, |b| u64::from_le_bytes(*b)))
    }

    fn count(&mut self, what: &'static str) -> Result<usize, AssetFormatError> {
        let offset = self.offset;
        usize::try_from(self.u64(what)?).map_err(|_| AssetFormatError::Truncated { what, offset })
    }

    pub fn u32s(&mut self, what: &'static str) -> Result<Vec<u32>, AssetFormatError> {
        let count = self.count(what)?;
        let values = self.array::<4>(count, what)?;
        Ok(values.iter().map(|b| u32::from_le_bytes(*b)).collect())
    }

    pub fn f64s(&mut self, what: &'static str) -> Result<Vec<f64>, AssetFormatError> {
        let count = self.count(what)?;
        let values = self.array::<8>(count, what)?;
        Ok(values.iter().map(|b| f64::from_le_bytes(*b)).collect())
    }

    pub fn matrices(&mut self, what: &'static str) -> Result<Vec<Mat3>, AssetFormatError> {
        let offset = self.offset;
        let count = self.count(what)?;
        let numbers = count
            .checked_mul(9)
            .ok_or(AssetFormatError::Truncated { what, offset })?;
        let values: Vec<f64> = self
            .array::<8>(numbers, what)?
            .iter()
            .map(|b| f64::from_le_bytes(*b))
            .collect();
        Ok(values
            .chunks_exact(9)
            .map(Mat3::from_column_slice)
            .collect())
    }

    pub fn text(&mut self, what: &'static str) -> Result<String, AssetFormatError> {
        let count = self.count(what)?;
        let bytes = self.take(count, what)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| AssetFormatError::Invalid { what })
    }
}
