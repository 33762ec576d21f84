//! Large arrays in large pages, where the system has them. With pages of 4 KB, reading more than a few megabytes takes as much time for translating addresses as for
//! reading.
//!
//! ```
//! use pliant_core::large_pages::LargePages;
//!
//! let mut numbers = LargePages::<f32>::zeros(3_000_000);
//! numbers[2_999_999] = 0.5;
//! assert_eq!(numbers.len(), 3_000_000);
//! ```

use std::ops::{Deref, DerefMut};

use bytemuck::{Pod, cast_slice, cast_slice_mut};
use memmap2::MmapMut;

use crate::machine::aligned::Aligned;

/// Bytes of a large page.
const LARGE_PAGE: usize = 2 << 20;

/// An array of numbers that is aligned to cache lines; the size of a number divides that of a line. Arrays that fill whole large pages ask the system for them.
pub struct LargePages<T> {
    memory: Memory<T>,
    len: usize,
}

enum Memory<T> {
    Small(Aligned<T>),
    /// a mapping of the system, which is zero when it is new, and the offset of its first large page
    Mapped(MmapMut, usize),
}

impl<T: Pod> LargePages<T> {
    /// `len` zeros.
    pub fn zeros(len: usize) -> Self {
        let bytes = len.saturating_mul(size_of::<T>());
        let mapped = (bytes >= LARGE_PAGE).then(|| map_large_pages(bytes));
        let memory = mapped
            .flatten()
            .unwrap_or_else(|| Memory::Small(Aligned::zeros(len)));
        Self { memory, len }
    }

    /// A copy of `numbers`.
    pub fn copied(numbers: &[T]) -> Self {
        let mut copy = Self::zeros(numbers.len());
        copy.copy_from_slice(numbers);
        copy
    }

    /// Drops the numbers after the first `len`; keeps their memory.
    pub fn truncate(&mut self, len: usize) {
        self.len = len.min(self.len);
    }
}

/// Maps memory of the system; `None` where it gives none.
fn map_large_pages<T>(bytes: usize) -> Option<Memory<T>> {
    let map = MmapMut::map_anon(bytes.checked_add(LARGE_PAGE)?).ok()?;
    let start = map.as_ptr().addr().wrapping_neg() % LARGE_PAGE;
    // only a hint: other systems, and those without large pages, refuse it
    #[cfg(target_os = "linux")]
    let _ = map.advise_range(memmap2::Advice::HugePage, start, bytes - bytes % LARGE_PAGE);
    Some(Memory::Mapped(map, start))
}

impl<T: Pod> Deref for LargePages<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.memory {
            Memory::Small(numbers) => &numbers[..self.len],
            Memory::Mapped(map, start) => {
                cast_slice(&map[*start..*start + self.len * size_of::<T>()])
            }
        }
    }
}

impl<T: Pod> DerefMut for LargePages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.memory {
            Memory::Small(numbers) => &mut numbers[..self.len],
            Memory::Mapped(map, start) => {
                cast_slice_mut(&mut map[*start..*start + self.len * size_of::<T>()])
            }
        }
    }
}

impl<T: Pod> Clone for LargePages<T> {
    fn clone(&self) -> Self {
        Self::copied(self)
    }
}

impl<T: Pod> Default for LargePages<T> {
    fn default() -> Self {
        Self::zeros(0)
    }
}

impl<T: Pod + PartialEq> PartialEq for LargePages<T> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T> std::fmt::Debug for LargePages<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "LargePages({} numbers)", self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_arrays_are_zero_and_can_be_written_and_copied() {
        for len in [0, 5, LARGE_PAGE / 4 + 3] {
            let mut numbers = LargePages::<f32>::zeros(len);
            assert!(numbers.len() == len && numbers.iter().all(|x| *x == 0.0));
            assert_eq!(matches!(numbers.memory, Memory::Mapped(..)), len > 5);
            for (k, x) in numbers.iter_mut().enumerate() {
                *x = k as f32;
            }
            let copy = numbers.clone();
            assert_eq!(copy, numbers);
            assert!(copy.as_ptr().addr().is_multiple_of(64));
            numbers.truncate(len / 2);
            assert_eq!(numbers[..], copy[..len / 2]);
        }
    }
}
