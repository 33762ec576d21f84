//! Appends numbers, lists and texts.

use std::marker::PhantomData;

use super::fixed_size::{FixedSize, Length};

/// Appends little-endian values to bytes. Lists and texts are preceded by their length, an `L`, in which it has to fit.
#[derive(Debug, Default)]
pub struct ByteWriter<L> {
    bytes: Vec<u8>,
    length: PhantomData<L>,
}

impl<L: Length> ByteWriter<L> {
    /// A writer that appends to `bytes`.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            length: PhantomData,
        }
    }

    /// All bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Bytes without a length.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Zeros up to a length that is a multiple of `multiple` bytes.
    pub fn align(&mut self, multiple: usize) {
        let end = self.bytes.len().next_multiple_of(multiple);
        self.bytes.resize(end, 0);
    }

    /// One value.
    pub fn value<T: FixedSize>(&mut self, value: &T) {
        value.append_to(&mut self.bytes);
    }

    /// A number of four bytes.
    pub fn u32(&mut self, x: u32) {
        self.value(&x);
    }

    /// A number of eight bytes.
    pub fn u64(&mut self, x: u64) {
        self.value(&x);
    }

    /// A number of eight bytes; its bits are kept.
    pub fn f64(&mut self, x: f64) {
        self.value(&x);
    }

    /// A byte that is 0 or 1.
    pub fn flag(&mut self, flag: bool) {
        self.value(&u8::from(flag));
    }

    /// Values without a length.
    pub fn values<T: FixedSize>(&mut self, values: &[T]) {
        self.bytes.reserve(values.len() * T::BYTES);
        values.iter().for_each(|value| self.value(value));
    }

    /// The length of a list.
    pub fn length(&mut self, count: usize) {
        self.value(&L::of(count));
    }

    /// A list: its length, then the values.
    pub fn list<T: FixedSize>(&mut self, values: &[T]) {
        self.length(values.len());
        self.values(values);
    }

    /// A text: its length in bytes, then UTF-8.
    pub fn text(&mut self, text: &str) {
        self.length(text.len());
        self.raw(text.as_bytes());
    }

    /// A list of items of any size: its length, then the items.
    pub fn items<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.length(items.len());
        items.iter().for_each(|item| write(self, item));
    }

    /// A flag, then the item if there is one.
    pub fn option<T>(&mut self, item: Option<&T>, write: impl FnOnce(&mut Self, &T)) {
        self.flag(item.is_some());
        if let Some(item) = item {
            write(self, item);
        }
    }
}
