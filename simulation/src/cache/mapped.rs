//! Files of the cache that are mapped into memory and read page by page.

#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::ops::Range;

use memmap2::Mmap;
use pliant_quasistatic::greens::table::SharedBytes;

/// A part of a file, mapped for reading. Costs no memory but what the system keeps of the file anyway.
#[derive(Debug)]
pub struct MappedFile {
    map: Mmap,
    part: Range<usize>,
}

impl MappedFile {
    /// Maps a whole file of the cache.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(file: &File) -> io::Result<Self> {
        // SAFETY: nobody writes to the file or shortens it while it is mapped. A file of the cache is written under another name and renamed when it is complete.
        // It is replaced by renaming and removed by unlinking, which both leave a mapping as it is. A file whose checksum is wrong is only removed.
        let map = unsafe { Mmap::map(file)? };
        let part = 0..map.len();
        Ok(Self { map, part })
    }

    /// The same without the `first` bytes at its start and the `last` at its end.
    #[must_use]
    pub fn trimmed(mut self, first: usize, last: usize) -> Self {
        let end = self.part.end.saturating_sub(last).max(self.part.start);
        let start = self.part.start.saturating_add(first).min(end);
        self.part = start..end;
        self
    }
}

impl SharedBytes for MappedFile {
    fn bytes(&self) -> &[u8] {
        self.map.get(self.part.clone()).unwrap_or_default()
    }
}
