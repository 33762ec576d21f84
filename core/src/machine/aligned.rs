//! Arrays of numbers that are aligned to cache lines: loading a wide vector across two lines costs both.
//!
//! ```
//! use pliant_core::aligned::Aligned;
//!
//! let mut numbers = Aligned::<f64>::zeros(10);
//! numbers[3] = 1.5;
//! assert_eq!(numbers.len(), 16); // whole lines of 64 bytes
//! assert_eq!(numbers.as_ptr().addr() % 64, 0);
//! ```

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bytemuck::{Pod, Zeroable, cast_slice, cast_slice_mut};

/// Bytes of a cache line.
const LINE_BYTES: usize = 64;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([u8; LINE_BYTES]);

/// An array of numbers in whole cache lines; the size of a number divides that of a line.
#[derive(Clone)]
pub struct Aligned<T> {
    lines: Vec<Line>,
    numbers: PhantomData<T>,
}

impl<T: Pod> Aligned<T> {
    const NUMBERS_PER_LINE: usize = LINE_BYTES / size_of::<T>();

    /// At least `count` zeros, rounded up to whole lines.
    pub fn zeros(count: usize) -> Self {
        Self {
            lines: vec![Line::zeroed(); count.div_ceil(Self::NUMBERS_PER_LINE)],
            numbers: PhantomData,
        }
    }

    /// Becomes at least `count` zeros. Reuses memory.
    pub fn clear_to(&mut self, count: usize) {
        self.lines.clear();
        self.grow_to(count);
    }

    /// Grows to at least `count` numbers; new ones are zero.
    pub fn grow_to(&mut self, count: usize) {
        let lines = count.div_ceil(Self::NUMBERS_PER_LINE).max(self.lines.len());
        self.lines.resize(lines, Line::zeroed());
    }
}

impl<T> Default for Aligned<T> {
    fn default() -> Self {
        Self {
            lines: Vec::new(),
            numbers: PhantomData,
        }
    }
}

impl<T: Pod + PartialEq> PartialEq for Aligned<T> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T: Pod + fmt::Debug> fmt::Debug for Aligned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self[..].fmt(f)
    }
}

impl<T: Pod> Deref for Aligned<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        cast_slice(&self.lines)
    }
}

impl<T: Pod> DerefMut for Aligned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        cast_slice_mut(&mut self.lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_aligned_to_lines_and_new_ones_are_zero() {
        let mut numbers = Aligned::<f32>::zeros(17);
        assert_eq!(numbers[..], [0.0; 32]);
        numbers.fill(2.0);
        let copy = numbers.clone();
        numbers.grow_to(5);
        assert_eq!(numbers, copy);
        numbers.grow_to(40);
        assert_eq!((numbers[31], numbers[32], numbers.len()), (2.0, 0.0, 48));
        numbers.clear_to(1);
        assert_eq!(numbers[..], [0.0; 16]);
        for list in [&numbers, &copy, &Aligned::default()] {
            assert!(list.as_ptr().addr().is_multiple_of(LINE_BYTES));
        }
    }
}
