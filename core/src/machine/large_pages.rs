//! Many numbers in large pages, where the system has them: with pages of 4 KB, reading more than a few megabytes is as much a matter of finding pages as of
//! reading them.
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

/// Numbers of a type whose size divides a cache line, on whose first line they begin. What fills whole large pages asks for them.
pub struct LargePages<T> {
    memory: Memory<T>,
    len: usize,
}

enum Memory<T> {
    Few(Aligned<T>),
    /// memory from the system, zero when it is new, and where in it the first large page begins
    Many(MmapMut, usize),
}

impl<T: Pod> LargePages<T> {
    /// So many zeros.
    pub fn zeros(len: usize) -> Self {
        let bytes = len.saturating_mul(size_of::<T>());
        let many = (bytes >= LARGE_PAGE).then(|| many(bytes));
        let memory = many
            .flatten()
            .unwrap_or_else(|| Memory::Few(Aligned::zeros(len)));
        Self { memory, len }
    }

    /// The same numbers in memory of their own.
    pub fn copied(numbers: &[T]) -> Self {
        let mut copy = Self::zeros(numbers.len());
        copy.copy_from_slice(numbers);
        copy
    }

    /// Forgets the numbers behind the first `len`, and keeps their memory.
    pub fn truncate(&mut self, len: usize) {
        self.len = len.min(self.len);
    }
}

fn many<T>(bytes: usize) -> Option<Memory<T>> {
    let map = MmapMut::map_anon(bytes.checked_add(LARGE_PAGE)?).ok()?;
    let start = map.as_ptr().addr().wrapping_neg() % LARGE_PAGE;
    // asked for, not needed: another system, or one without large pages, says no
    #[cfg(target_os = "linux")]
    let _ = map.advise_range(memmap2::Advice::HugePage, start, bytes - bytes % LARGE_PAGE);
    Some(Memory::Many(map, start))
}

impl<T: Pod> Deref for LargePages<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.memory {
            Memory::Few(numbers) => &numbers[..self.len],
            Memory::Many(map, start) => {
                cast_slice(&map[*start..*start + self.len * size_of::<T>()])
            }
        }
    }
}

impl<T: Pod> DerefMut for LargePages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.memory {
            Memory::Few(numbers) => &mut numbers[..self.len],
            Memory::Many(map, start) => {
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
    fn few_and_many_numbers_are_zero_kept_and_copied() {
        for len in [0, 5, LARGE_PAGE / 4 + 3] {
            let mut numbers = LargePages::<f32>::zeros(len);
            assert!(numbers.len() == len && numbers.iter().all(|x| *x == 0.0));
            assert_eq!(matches!(numbers.memory, Memory::Many(..)), len > 5);
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
