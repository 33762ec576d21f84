//! Little-endian numbers, texts and lists.

use pliant_core::math::Vec3;

use crate::error::RecordingError;

/// Appends to a byte vector.
#[derive(Debug, Default)]
pub(crate) struct Writer(pub Vec<u8>);

impl Writer {
    pub fn u32(&mut self, x: u32) {
        self.0.extend_from_slice(&x.to_le_bytes());
    }

    pub fn u64(&mut self, x: u64) {
        self.0.extend_from_slice(&x.to_le_bytes());
    }

    pub fn f64(&mut self, x: f64) {
        self.u64(x.to_bits());
    }

    pub fn flag(&mut self, x: bool) {
        self.0.push(u8::from(x));
    }

    pub fn vector(&mut self, x: &Vec3) {
        x.iter().for_each(|x| self.f64(*x));
    }

    pub fn text(&mut self, text: &str) {
        self.u32(text.len() as u32);
        self.0.extend_from_slice(text.as_bytes());
    }

    pub fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.u32(items.len() as u32);
        items.iter().for_each(|item| write(self, item));
    }

    pub fn option<T>(&mut self, item: Option<&T>, write: impl FnOnce(&mut Self, &T)) {
        self.flag(item.is_some());
        if let Some(item) = item {
            write(self, item);
        }
    }
}

type Read<T> = Result<T, RecordingError>;

/// Takes from the content of a chunk; no length is believed before the bytes are there.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// where the bytes begin in the file
    begin: u64,
    /// what they are, for messages
    what: &'static str,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8], begin: u64, what: &'static str) -> Self {
        Self {
            bytes,
            at: 0,
            begin,
            what,
        }
    }

    /// What is wrong here.
    pub fn invalid(&self, what: &'static str) -> RecordingError {
        let offset = self.begin + self.at as u64;
        RecordingError::Invalid { what, offset }
    }

    pub fn take(&mut self, count: usize) -> Read<&'a [u8]> {
        let end = self.at.checked_add(count);
        let taken = end.and_then(|end| Some((end, self.bytes.get(self.at..end)?)));
        let (end, taken) = taken.ok_or_else(|| self.invalid(self.what))?;
        self.at = end;
        Ok(taken)
    }

    pub fn rest(&mut self) -> &'a [u8] {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at = self.bytes.len();
        rest
    }

    fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub fn u32(&mut self) -> Read<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Read<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn u128(&mut self) -> Read<u128> {
        self.array().map(u128::from_le_bytes)
    }

    pub fn f64(&mut self) -> Read<f64> {
        self.u64().map(f64::from_bits)
    }

    pub fn flag(&mut self) -> Read<bool> {
        match self.array::<1>()? {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(self.invalid("flag")),
        }
    }

    pub fn vector(&mut self) -> Read<Vec3> {
        Ok(Vec3::new(self.f64()?, self.f64()?, self.f64()?))
    }

    pub fn text(&mut self) -> Read<String> {
        let length = self.u32()? as usize;
        let bytes = self.take(length)?;
        let text = std::str::from_utf8(bytes).map_err(|_| self.invalid("text"))?;
        Ok(text.to_string())
    }

    /// A list that says how long it is. Memory is taken as items are read, so that a wrong length costs none.
    pub fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let count = self.u32()?;
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(read(self)?);
        }
        Ok(items)
    }

    /// A list of a known length.
    pub fn items<T>(
        &mut self,
        count: usize,
        mut read: impl FnMut(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        (0..count).map(|_| read(self)).collect()
    }

    pub fn option<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<Option<T>> {
        self.flag()?.then(|| read(self)).transpose()
    }

    /// Nothing may be left.
    pub fn finish(self) -> Read<()> {
        match self.at == self.bytes.len() {
            true => Ok(()),
            false => Err(self.invalid(self.what)),
        }
    }
}
