//! Little-endian arrays for the asset file: a writer that cannot fail and a reader that believes nothing.

use pliant_core::diagnostics::variant_name;
use pliant_core::math::Vec3;

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
    /// The bytes end too early or go on too long.
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

impl AssetFormatError {
    /// The variant's name, the error code of the JSON output.
    pub fn code(&self) -> String {
        variant_name(self)
    }
}

/// Appends numbers and arrays.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    pub(crate) bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn f64(&mut self, value: f64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.u32(text.len() as u32);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn indices(&mut self, values: &[u32]) {
        self.u32(values.len() as u32);
        for &v in values {
            self.u32(v);
        }
    }

    pub(crate) fn numbers(&mut self, values: &[f64]) {
        self.u32(values.len() as u32);
        for &v in values {
            self.f64(v);
        }
    }

    pub(crate) fn positions(&mut self, values: &[Vec3]) {
        self.u32(values.len() as u32);
        for v in values {
            for c in v.iter() {
                self.f64(*c);
            }
        }
    }

    pub(crate) fn tuples<const N: usize>(&mut self, values: &[[u32; N]]) {
        self.u32(values.len() as u32);
        for v in values.iter().flatten() {
            self.u32(*v);
        }
    }
}

/// Takes numbers and arrays off the front; lengths are checked against the bytes that are left before anything is allocated.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], AssetFormatError> {
        let wrong = AssetFormatError::WrongLength { at: self.at };
        let end = self.at.checked_add(count).ok_or(wrong.clone())?;
        let piece = self.bytes.get(self.at..end).ok_or(wrong)?;
        self.at = end;
        Ok(piece)
    }

    /// Ends reading; nothing may be left.
    pub(crate) fn finish(self) -> Result<(), AssetFormatError> {
        if self.at == self.bytes.len() {
            Ok(())
        } else {
            Err(AssetFormatError::WrongLength { at: self.at })
        }
    }

    pub(crate) fn u32(&mut self) -> Result<u32, AssetFormatError> {
        let mut raw = [0; 4];
        raw.copy_from_slice(self.take(4)?);
        Ok(u32::from_le_bytes(raw))
    }

    pub(crate) fn f64(&mut self) -> Result<f64, AssetFormatError> {
        let mut raw = [0; 8];
        raw.copy_from_slice(self.take(8)?);
        Ok(f64::from_le_bytes(raw))
    }

    /// A number of items of `size` bytes each that the bytes left can hold.
    fn length(&mut self, size: usize) -> Result<usize, AssetFormatError> {
        let at = self.at;
        let count = self.u32()? as usize;
        if count.saturating_mul(size) > self.bytes.len() - self.at {
            return Err(AssetFormatError::WrongLength { at });
        }
        Ok(count)
    }

    /// A number of composite items, each at least `size` bytes long.
    pub(crate) fn count(&mut self, size: usize) -> Result<usize, AssetFormatError> {
        self.length(size)
    }

    pub(crate) fn text(&mut self) -> Result<String, AssetFormatError> {
        let count = self.length(1)?;
        let raw = self.take(count)?.to_vec();
        String::from_utf8(raw).map_err(|_| AssetFormatError::Corrupt { what: "name" })
    }

    pub(crate) fn indices(&mut self) -> Result<Vec<u32>, AssetFormatError> {
        let count = self.length(4)?;
        (0..count).map(|_| self.u32()).collect()
    }

    pub(crate) fn numbers(&mut self) -> Result<Vec<f64>, AssetFormatError> {
        let count = self.length(8)?;
        (0..count).map(|_| self.f64()).collect()
    }

    pub(crate) fn positions(&mut self) -> Result<Vec<Vec3>, AssetFormatError> {
        let count = self.length(24)?;
        (0..count)
            .map(|_| Ok(Vec3::new(self.f64()?, self.f64()?, self.f64()?)))
            .collect()
    }

    pub(crate) fn tuples<const N: usize>(&mut self) -> Result<Vec<[u32; N]>, AssetFormatError> {
        let count = self.length(4 * N)?;
        let mut all = Vec::with_capacity(count);
        for _ in 0..count {
            let mut tuple = [0; N];
            for value in &mut tuple {
                *value = self.u32()?;
            }
            all.push(tuple);
        }
        Ok(all)
    }
}
