//! Finished columns on disk while a bake runs, so that a bake that was stopped goes on where it was.
//!
//! One file beside the asset to come: a header of 8 bytes `PLNTPART`, version (u32), numbers a column (u64), number of columns (u64), bytes a number
//! (u32) and the key of everything that the bake depends on (u128); then records of the first column (u64), the length in bytes (u64), the numbers and a
//! checksum (u128), in the order in which they were finished; little endian, numbers as the machine has them. A record that a crash or a full disk
//! cut off is dropped when the file is opened. Columns are the same bits whoever computes them, so a resumed bake gives the bits of an
//! uninterrupted one, and several processes that each have a file of their own leave the same columns between them.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pliant_core::asset::KeyHasher;
use pliant_quasistatic::BakeError;
use pliant_quasistatic::bake::{ColumnJournal, ColumnLayout};

const MAGIC: &[u8; 8] = b"PLNTPART";
const VERSION: u32 = 1;
const HEADER_BYTES: u64 = 48;

fn header(layout: &ColumnLayout) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&(layout.height as u64).to_le_bytes());
    out.extend_from_slice(&(layout.columns as u64).to_le_bytes());
    out.extend_from_slice(&(layout.bytes as u32).to_le_bytes());
    out.extend_from_slice(&layout.key.0.to_le_bytes());
    out
}

/// Where the records go: a file, or what a test puts in its place.
trait Store: Read + Write + Seek + Send {
    /// Forgets everything from `length` on.
    fn cut(&mut self, length: u64) -> std::io::Result<()>;
}

impl Store for File {
    fn cut(&mut self, length: u64) -> std::io::Result<()> {
        self.set_len(length)
    }
}

/// Finished columns in one file.
pub struct FileJournal {
    path: PathBuf,
    records: Mutex<Option<Records>>,
}

impl FileJournal {
    /// Will keep columns in this file, once a bake opens it.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_path_buf(),
            records: Mutex::new(None),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Records>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ColumnJournal for FileJournal {
    /// Opens the file, or begins it. `false` while another process bakes with it.
    fn open(&self, layout: &ColumnLayout) -> Result<bool, BakeError> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&self.path)
            .map_err(|e| unwritable(&self.path, &e))?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Ok(false);
        }
        *self.lock() = Some(Records::on(Box::new(file), &self.path, layout)?);
        Ok(true)
    }

    fn load(&self, first: usize, out: &mut [u8]) -> bool {
        self.lock()
            .as_mut()
            .is_some_and(|records| records.load(first, out))
    }

    fn keep(&self, first: usize, columns: &[u8]) -> Result<(), BakeError> {
        match self.lock().as_mut() {
            Some(records) => records.keep(&self.path, first, columns),
            None => Ok(()),
        }
    }
}

/// Files of several processes: columns are found in any of them, and what none has is not kept.
pub struct MergedJournals(Vec<FileJournal>);

impl MergedJournals {
    /// Will read these files, which have to be there.
    pub fn new(paths: &[PathBuf]) -> Self {
        Self(paths.iter().map(|path| FileJournal::new(path)).collect())
    }
}

impl ColumnJournal for MergedJournals {
    fn open(&self, layout: &ColumnLayout) -> Result<bool, BakeError> {
        for journal in &self.0 {
            let busy = || std::io::Error::from(std::io::ErrorKind::ResourceBusy);
            // of another body or another version: it would be emptied
            let mut begin = Vec::new();
            let read = File::open(&journal.path)
                .and_then(|file| file.take(HEADER_BYTES).read_to_end(&mut begin));
            read.map_err(|e| unwritable(&journal.path, &e))?;
            if begin != header(layout) {
                return Err(BakeError::JournalForeign {
                    path: journal.path.clone(),
                });
            }
            if !journal.open(layout)? {
                return Err(unwritable(&journal.path, &busy()));
            }
        }
        Ok(true)
    }

    fn load(&self, first: usize, out: &mut [u8]) -> bool {
        self.0.iter().any(|journal| journal.load(first, out))
    }

    fn keep(&self, _: usize, _: &[u8]) -> Result<(), BakeError> {
        Ok(())
    }
}

/// An open file of finished columns.
struct Records {
    store: Box<dyn Store>,
    /// first column to place and length of its numbers
    records: BTreeMap<u64, (u64, u64)>,
    end: u64,
}

impl Records {
    fn on(
        mut store: Box<dyn Store>,
        path: &Path,
        layout: &ColumnLayout,
    ) -> Result<Self, BakeError> {
        let failed = |e: std::io::Error| unwritable(path, &e);
        let mut bytes = Vec::new();
        store.seek(SeekFrom::Start(0)).map_err(failed)?;
        store.read_to_end(&mut bytes).map_err(failed)?;
        if !bytes.is_empty() && !bytes.starts_with(&MAGIC[..bytes.len().min(8)]) {
            return Err(BakeError::JournalForeign {
                path: path.to_path_buf(),
            });
        }
        let header = header(layout);
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
            store,
            records,
            end: end as u64,
        })
    }

    fn load(&mut self, first: usize, out: &mut [u8]) -> bool {
        let Some(&(at, length)) = self.records.get(&(first as u64)) else {
            return false;
        };
        length == out.len() as u64
            && self.store.seek(SeekFrom::Start(at)).is_ok()
            && self.store.read_exact(out).is_ok()
    }

    fn keep(&mut self, path: &Path, first: usize, columns: &[u8]) -> Result<(), BakeError> {
        let length = columns.len() as u64;
        let written = self
            .store
            .seek(SeekFrom::Start(self.end))
            .and_then(|_| self.store.write_all(&(first as u64).to_le_bytes()))
            .and_then(|()| self.store.write_all(&length.to_le_bytes()))
            .and_then(|()| self.store.write_all(columns))
            .and_then(|()| self.store.write_all(&checksum(columns).to_le_bytes()));
        if let Err(error) = written {
            // a cut that fails too is mended by the next open, which drops what has no checksum
            let _ = self.store.cut(self.end);
            return Err(unwritable(path, &error));
        }
        self.records.insert(first as u64, (self.end + 16, length));
        self.end += 32 + length;
        Ok(())
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
mod tests;
