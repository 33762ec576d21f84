//! Memory of the columns: large pages where the system has them, or shared bytes, such as a file mapped into memory.
//!
//! A sum reads columns that lie scattered over hundreds of megabytes. With pages of 4 KB much of the time goes into address translation: large pages of
//! 2 MB make it a fifth to a quarter faster. After that prefetching, more streams or longer blocks make no difference.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use pliant_core::large_pages::LargePages;
use pulp::bytemuck::{Pod, cast_slice, try_cast_slice};

/// Bytes that stay where they are and never change: a file mapped into memory, or a vector.
pub trait SharedBytes: Send + Sync {
    /// The bytes; the same at each call.
    fn bytes(&self) -> &[u8];
}

impl SharedBytes for Vec<u8> {
    fn bytes(&self) -> &[u8] {
        self
    }
}

/// Many numbers, read as a slice.
pub struct Table<T> {
    memory: Memory<T>,
    len: usize,
}

enum Memory<T> {
    Own(LargePages<T>),
    /// From byte `.1` on, aligned, which is checked at construction.
    Shared(Arc<dyn SharedBytes>, usize),
}

impl<T: Pod> Table<T> {
    /// Zeros.
    pub(crate) fn zeroed(len: usize) -> Self {
        Self {
            memory: Memory::Own(LargePages::zeros(len)),
            len,
        }
    }

    /// A copy of the numbers in own memory.
    pub(crate) fn copied(numbers: &[T]) -> Self {
        let mut table = Self::zeroed(numbers.len());
        table.copy_from_slice(numbers);
        table
    }

    /// Drops the numbers behind the first `len`, and keeps their memory.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = len.min(self.len);
    }

    /// `len` numbers as this machine writes them, from byte `offset` on; nothing is copied. `None` where they do not fit or are not aligned.
    pub(crate) fn shared(bytes: &Arc<dyn SharedBytes>, offset: usize, len: usize) -> Option<Self> {
        let end = offset.checked_add(len.checked_mul(size_of::<T>())?)?;
        let part = bytes.bytes().get(offset..end)?;
        (try_cast_slice::<u8, T>(part).ok()?.len() == len).then(|| Self {
            memory: Memory::Shared(Arc::clone(bytes), offset),
            len,
        })
    }
}

impl<T: Pod> Deref for Table<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.memory {
            Memory::Own(numbers) => &numbers[..self.len],
            Memory::Shared(bytes, offset) => {
                let end = offset + self.len * size_of::<T>();
                cast_slice(&bytes.bytes()[*offset..end])
            }
        }
    }
}

impl<T: Pod> DerefMut for Table<T> {
    /// Shared bytes are copied first.
    fn deref_mut(&mut self) -> &mut [T] {
        if matches!(self.memory, Memory::Shared(..)) {
            *self = Self::copied(self);
        }
        match &mut self.memory {
            Memory::Own(numbers) => &mut numbers[..self.len],
            Memory::Shared(..) => &mut [],
        }
    }
}

impl<T: Pod> Clone for Table<T> {
    fn clone(&self) -> Self {
        match &self.memory {
            Memory::Shared(bytes, offset) => Self {
                memory: Memory::Shared(Arc::clone(bytes), *offset),
                len: self.len,
            },
            Memory::Own(_) => Self::copied(self),
        }
    }
}

impl<T: Pod + PartialEq> PartialEq for Table<T> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T> fmt::Debug for Table<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.memory {
            Memory::Own(_) => "own",
            Memory::Shared(..) => "shared",
        };
        write!(f, "Table({} numbers, {kind})", self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_large_and_shared_tables_hold_the_same_numbers() {
        for len in [0, 5, (4 << 20) + 3] {
            let numbers: Vec<f32> = (0..len).map(|k| k as f32 * 0.5).collect();
            let mut table = Table::copied(&numbers);
            assert_eq!(table[..], numbers[..]);
            assert!(Table::<f32>::zeroed(len).iter().all(|x| *x == 0.0));
            let mut bytes = vec![7_u8; 8];
            bytes.extend_from_slice(cast_slice(&numbers));
            let kept = bytes.clone();
            let bytes: Arc<dyn SharedBytes> = Arc::new(bytes);
            let mut shared = Table::<f32>::shared(&bytes, 8, len).expect("aligned");
            assert_eq!(shared, table);
            // written to, it is a copy
            if let (Some(a), Some(b)) = (shared.last_mut(), table.last_mut()) {
                (*a, *b) = (-1.0, -1.0);
            }
            assert_eq!(shared, table.clone());
            assert_eq!(bytes.bytes(), kept);
            assert!(Table::<f32>::shared(&bytes, 8, len + 1).is_none());
            assert!(len == 0 || Table::<f32>::shared(&bytes, 7, len).is_none());
        }
    }
}
