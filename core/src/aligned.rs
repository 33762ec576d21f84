//! Numbers that begin on a cache line: a wide vector that lies across two lines costs both. Many of them lie in large pages where the system has them: with
//! pages of 4 KB, reading more than a few megabytes is as much a matter of finding pages as of reading them.
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
use memmap2::MmapMut;

/// Bytes of a cache line.
const LINE: usize = 64;
/// Bytes of a large page.
const LARGE_PAGE: usize = 2 << 20;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([u8; LINE]);

/// Numbers in whole cache lines, of a type whose size divides a line.
pub struct Aligned<T> {
    memory: Memory,
    numbers: PhantomData<T>,
}

enum Memory {
    Lines(Vec<Line>),
    Pages(Pages),
}

/// Memory from the system, zero when it is new; the part that fills whole large pages asks for them.
struct Pages {
    map: MmapMut,
    /// where the first large page begins, bytes
    start: usize,
    /// bytes in use
    bytes: usize,
}

impl Pages {
    fn zeros(lines: usize) -> Option<Self> {
        let bytes = lines.checked_mul(LINE)?;
        let map = MmapMut::map_anon(bytes.checked_add(LARGE_PAGE)?).ok()?;
        let start = map.as_ptr().addr().wrapping_neg() % LARGE_PAGE;
        // asked for, not needed: another system, or one without large pages, says no
        #[cfg(target_os = "linux")]
        let _ = map.advise_range(memmap2::Advice::HugePage, start, bytes - bytes % LARGE_PAGE);
        Some(Self { map, start, bytes })
    }
}

impl Memory {
    fn zeros(lines: usize) -> Self {
        if lines >= LARGE_PAGE / LINE
            && let Some(pages) = Pages::zeros(lines)
        {
            return Self::Pages(pages);
        }
        Self::Lines(vec![Line::zeroed(); lines])
    }

    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Lines(lines) => cast_slice(lines),
            Self::Pages(pages) => &pages.map[pages.start..pages.start + pages.bytes],
        }
    }

    #[inline(always)]
    fn bytes_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Lines(lines) => cast_slice_mut(lines),
            Self::Pages(pages) => &mut pages.map[pages.start..pages.start + pages.bytes],
        }
    }
}

impl<T: Pod> Aligned<T> {
    const A_LINE: usize = LINE / size_of::<T>();

    /// At least `count` zeros, rounded up to whole lines.
    pub fn zeros(count: usize) -> Self {
        Self {
            memory: Memory::zeros(count.div_ceil(Self::A_LINE)),
            numbers: PhantomData,
        }
    }

    /// At least `count` zeros, in the same memory where it is large enough.
    pub fn clear_to(&mut self, count: usize) {
        let lines = count.div_ceil(Self::A_LINE);
        match &mut self.memory {
            Memory::Lines(memory) if memory.capacity() >= lines || lines < LARGE_PAGE / LINE => {
                memory.clear();
                memory.resize(lines, Line::zeroed());
            }
            Memory::Pages(pages) if pages.map.len() - pages.start >= lines * LINE => {
                pages.bytes = lines * LINE;
                pages.map[pages.start..pages.start + pages.bytes].fill(0);
            }
            memory => *memory = Memory::zeros(lines),
        }
    }

    /// At least `count` numbers, new ones zero.
    pub fn grow_to(&mut self, count: usize) {
        let lines = count.div_ceil(Self::A_LINE);
        let old = self.memory.bytes().len();
        if lines * LINE <= old {
            return;
        }
        match &mut self.memory {
            Memory::Lines(memory) if lines < LARGE_PAGE / LINE => {
                memory.resize(lines, Line::zeroed());
            }
            memory => {
                let mut larger = Memory::zeros(lines);
                larger.bytes_mut()[..old].copy_from_slice(memory.bytes());
                *memory = larger;
            }
        }
    }
}

impl<T> Default for Aligned<T> {
    fn default() -> Self {
        Self {
            memory: Memory::Lines(Vec::new()),
            numbers: PhantomData,
        }
    }
}

impl<T> Clone for Aligned<T> {
    fn clone(&self) -> Self {
        let bytes = self.memory.bytes();
        let mut memory = Memory::zeros(bytes.len() / LINE);
        memory.bytes_mut().copy_from_slice(bytes);
        Self {
            memory,
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
        cast_slice(self.memory.bytes())
    }
}

impl<T: Pod> DerefMut for Aligned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        cast_slice_mut(self.memory.bytes_mut())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lie_on_lines_and_are_zero_where_they_are_new() {
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
            assert!(list.as_ptr().addr().is_multiple_of(LINE));
        }
    }

    #[test]
    fn many_numbers_grow_shrink_and_are_copied_as_few_are() {
        let many = LARGE_PAGE / 4 + 1000;
        let mut numbers = Aligned::<f32>::zeros(10);
        numbers.fill(3.0);
        numbers.grow_to(many);
        assert!(matches!(numbers.memory, Memory::Pages(_)));
        assert!(numbers[..16].iter().all(|x| *x == 3.0));
        assert!(numbers[16..].iter().all(|x| *x == 0.0));
        numbers[many - 1] = 1.0;
        numbers.grow_to(2 * many);
        assert_eq!(
            (numbers[0], numbers[many - 1], numbers[many]),
            (3.0, 1.0, 0.0)
        );
        assert!(numbers.as_ptr().addr().is_multiple_of(LINE));
        assert_eq!(numbers.clone(), numbers);
        let place = numbers.as_ptr();
        numbers.clear_to(many);
        assert_eq!(
            (numbers.len(), numbers.as_ptr()),
            (many.next_multiple_of(16), place)
        );
        assert!(numbers.iter().all(|x| *x == 0.0));
        numbers.clear_to(3);
        assert_eq!(numbers[..], [0.0; 16]);
    }
}
