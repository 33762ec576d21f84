//! Finished columns on disk while a bake runs, so that a bake that was stopped goes on where it was.
//!
//! One file beside the asset to come: a header of 8 bytes `PLNTPART`, version (u32), numbers a column (u64), number of columns (u64), bytes a number
//! (u32) and the key of everything that the bake depends on (u128); then records of the first column (u64), the length in bytes (u64), the numbers and a
//! checksum (u128), in the order in which they were finished; little endian, numbers as the machine has them. A record that a crash or a full disk
//! cut off is dropped when the file is opened. Columns are the same bits whoever computes them, so a resumed bake gives the bits of an
//! uninterrupted one.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pliant_core::asset::{AssetKey, KeyHasher};

use crate::error::BakeError;

const MAGIC: &[u8; 8] = b"PLNTPART";
const VERSION: u32 = 1;

/// What a file of columns has to fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Numbers of a column.
    pub height: usize,
    /// Number of columns.
    pub columns: usize,
    /// Bytes of a number.
    pub bytes: usize,
    /// Everything else that the columns depend on.
    pub key: AssetKey,
}

impl Layout {
    fn header(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&(self.height as u64).to_le_bytes());
        out.extend_from_slice(&(self.columns as u64).to_le_bytes());
        out.extend_from_slice(&(self.bytes as u32).to_le_bytes());
        out.extend_from_slice(&self.key.0.to_le_bytes());
        out
    }
}

/// Where the records go: a file, or what a test puts in its place.
pub(crate) trait Store: Read + Write + Seek + Send {
    /// Forgets everything from `length` on.
    fn cut(&mut self, length: u64) -> std::io::Result<()>;
}

impl Store for File {
    fn cut(&mut self, length: u64) -> std::io::Result<()> {
        self.set_len(length)
    }
}

/// An open file of finished columns.
pub(crate) struct Journal {
    path: PathBuf,
    inner: Mutex<Inner>,
}

struct Inner {
    store: Box<dyn Store>,
    /// first column to place and length of its numbers
    records: BTreeMap<u64, (u64, u64)>,
    end: u64,
}

impl Journal {
    /// Opens the file, or begins it; columns of another bake are dropped. `None` while another process bakes with it.
    ///
    /// # Errors
    /// [`BakeError::JournalForeign`] for a file that is something else, [`BakeError::JournalUnwritable`] where nothing can be written.
    pub fn open(path: &Path, layout: &Layout) -> Result<Option<Self>, BakeError> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(|e| unwritable(path, &e))?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Ok(None);
        }
        Self::on(Box::new(file), path, layout).map(Some)
    }

    pub fn on(mut store: Box<dyn Store>, path: &Path, layout: &Layout) -> Result<Self, BakeError> {
        let failed = |e: std::io::Error| unwritable(path, &e);
        let mut bytes = Vec::new();
        store.seek(SeekFrom::Start(0)).map_err(failed)?;
        store.read_to_end(&mut bytes).map_err(failed)?;
        if !bytes.is_empty() && !bytes.starts_with(&MAGIC[..bytes.len().min(8)]) {
            return Err(BakeError::JournalForeign {
                path: path.to_path_buf(),
            });
        }
        let header = layout.header();
        let mut records = BTreeMap::new();
        let mut end = header.len();
        if bytes.starts_with(&header) {
            while let Some((first, length)) = record(&bytes, end) {
                records.insert(first, (end as u64 + 16, length));
                end += 32 + length as usize;
            }
            store.cut(end as u64).map_err(failed)?;
        } else {
            store.cut(0).map_err(failed)?;
            store.seek(SeekFrom::Start(0)).map_err(failed)?;
            store.write_all(&header).map_err(failed)?;
        }
        Ok(Self {
            path: path.to_path_buf(),
            inner: Mutex::new(Inner {
                store,
                records,
                end: end as u64,
            }),
        })
    }

    /// Reads the columns from `first` on into `out`; false when they are not there.
    pub fn load(&self, first: usize, out: &mut [u8]) -> bool {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(&(at, length)) = inner.records.get(&(first as u64)) else {
            return false;
        };
        length == out.len() as u64
            && inner.store.seek(SeekFrom::Start(at)).is_ok()
            && inner.store.read_exact(out).is_ok()
    }

    /// Adds columns from `first` on.
    ///
    /// # Errors
    /// [`BakeError::JournalUnwritable`]; what was there before stays whole.
    pub fn keep(&self, first: usize, columns: &[u8]) -> Result<(), BakeError> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let inner = &mut *inner;
        let length = columns.len() as u64;
        let written = inner
            .store
            .seek(SeekFrom::Start(inner.end))
            .and_then(|_| inner.store.write_all(&(first as u64).to_le_bytes()))
            .and_then(|()| inner.store.write_all(&length.to_le_bytes()))
            .and_then(|()| inner.store.write_all(columns))
            .and_then(|()| inner.store.write_all(&checksum(columns).to_le_bytes()));
        if let Err(error) = written {
            // a cut that fails too is mended by the next open, which drops what has no checksum
            let _ = inner.store.cut(inner.end);
            return Err(unwritable(&self.path, &error));
        }
        inner.records.insert(first as u64, (inner.end + 16, length));
        inner.end += 32 + length;
        Ok(())
    }

    /// Number of records.
    #[cfg(test)]
    pub fn records(&self) -> usize {
        self.inner.lock().map_or(0, |inner| inner.records.len())
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> BakeError {
    BakeError::JournalUnwritable {
        path: path.to_path_buf(),
        reason: error.to_string(),
    }
}

fn checksum(bytes: &[u8]) -> u128 {
    let mut hasher = KeyHasher::new("columns", VERSION);
    hasher.bytes("numbers", bytes);
    hasher.finish().0
}

/// First column and length of the record at `at`, if all of it is there and whole.
fn record(bytes: &[u8], at: usize) -> Option<(u64, u64)> {
    let (first, rest) = bytes.get(at..)?.split_first_chunk::<8>()?;
    let (length, rest) = rest.split_first_chunk::<8>()?;
    let length = u64::from_le_bytes(*length);
    let (columns, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    let (sum, _) = rest.split_first_chunk::<16>()?;
    (checksum(columns) == u128::from_le_bytes(*sum)).then(|| (u64::from_le_bytes(*first), length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;
    use std::sync::Arc;

    const HEADER: usize = 48;

    /// A disk of `room` bytes.
    #[derive(Clone)]
    struct Disk {
        bytes: Arc<Mutex<Cursor<Vec<u8>>>>,
        room: usize,
    }

    impl Disk {
        fn lock(&self) -> std::sync::MutexGuard<'_, Cursor<Vec<u8>>> {
            self.bytes.lock().expect("no panic")
        }
    }

    impl Read for Disk {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            self.lock().read(out)
        }
    }

    impl Seek for Disk {
        fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
            self.lock().seek(to)
        }
    }

    impl Write for Disk {
        fn write(&mut self, from: &[u8]) -> std::io::Result<usize> {
            let mut bytes = self.lock();
            let free = self.room.saturating_sub(bytes.position() as usize);
            if free == 0 {
                return Err(std::io::ErrorKind::StorageFull.into());
            }
            bytes.write(&from[..from.len().min(free)])
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    impl Store for Disk {
        fn cut(&mut self, length: u64) -> std::io::Result<()> {
            self.lock().get_mut().truncate(length as usize);
            Ok(())
        }
    }

    fn layout(key: u128) -> Layout {
        Layout {
            height: 6,
            columns: 9,
            bytes: 4,
            key: AssetKey(key),
        }
    }

    #[test]
    fn records_come_back_and_a_full_disk_keeps_those_that_fitted() {
        let disk = Disk {
            bytes: Arc::default(),
            room: HEADER + 2 * (32 + 24) + 20,
        };
        let open = |disk: &Disk, key| {
            Journal::on(Box::new(disk.clone()), Path::new("x.part"), &layout(key)).expect("opens")
        };
        assert_eq!(layout(1).header().len(), HEADER);
        let journal = open(&disk, 1);
        journal.keep(0, &[1; 24]).expect("room");
        journal.keep(6, &[2; 24]).expect("room");
        let full = journal.keep(3, &[3; 24]).expect_err("no room");
        assert_eq!(full.code(), "JournalUnwritable");
        assert!(full.to_string().contains("\n  remedy: "), "{full}");
        drop(journal);
        let journal = open(&disk, 1);
        assert_eq!(journal.records(), 2);
        let mut out = [0; 24];
        assert!(journal.load(6, &mut out) && out == [2; 24]);
        assert!(!journal.load(3, &mut out));
        // damage ends the file, another key empties it
        let damaged = HEADER + 16 + 56;
        disk.lock().get_mut()[damaged] ^= 1;
        assert_eq!(open(&disk, 1).records(), 1);
        assert_eq!(open(&disk, 2).records(), 0);
        disk.lock().get_mut()[0] = b'x';
        let foreign = Journal::on(Box::new(disk.clone()), Path::new("x.part"), &layout(2));
        assert_eq!(foreign.err().map(|e| e.code()), Some("JournalForeign"));
    }
}
