//! Records of finished columns in a file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use pliant_core::asset::KeyHasher;
use pliant_quasistatic::BakeError;
use pliant_quasistatic::bake::ColumnLayout;

pub(super) const MAGIC: &[u8; 8] = b"PLNTPART";

const VERSION: u32 = 1;

/// Length of a header.
pub(super) const HEADER_BYTES: u64 = 48;

/// An open file of finished columns.
pub(super) struct Records {
    store: Box<dyn Storage>,
    /// first column to place and length of its numbers
    pub(super) records: BTreeMap<u64, (u64, u64)>,
    end: u64,
}

impl Records {
    /// Reads the records of a file, drops an incomplete one, and empties a file of another bake.
    pub(super) fn open(
        mut store: Box<dyn Storage>,
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
            while let Some((first, length)) = next_record(&bytes, end) {
                records.insert(first, (end as u64 + 16, length));
                end += 32 + length as usize;
            }
            store.truncate(end as u64).map_err(failed)?;
        } else {
            store.truncate(0).map_err(failed)?;
            store.seek(SeekFrom::Start(0)).map_err(failed)?;
            store.write_all(&header).map_err(failed)?;
        }
        Ok(Self {
            store,
            records,
            end: end as u64,
        })
    }

    /// Reads the columns from `first` on; whether they are there.
    pub(super) fn load(&mut self, first: usize, out: &mut [u8]) -> bool {
        let Some(&(offset, length)) = self.records.get(&(first as u64)) else {
            return false;
        };
        length == out.len() as u64
            && self.store.seek(SeekFrom::Start(offset)).is_ok()
            && self.store.read_exact(out).is_ok()
    }

    /// Appends columns.
    pub(super) fn append(
        &mut self,
        path: &Path,
        first: usize,
        columns: &[u8],
    ) -> Result<(), BakeError> {
        let length = columns.len() as u64;
        let written = self
            .store
            .seek(SeekFrom::Start(self.end))
            .and_then(|_| self.store.write_all(&(first as u64).to_le_bytes()))
            .and_then(|()| self.store.write_all(&length.to_le_bytes()))
            .and_then(|()| self.store.write_all(columns))
            .and_then(|()| self.store.write_all(&checksum(columns).to_le_bytes()));
        if let Err(error) = written {
            // if this fails too, the next open drops what has no checksum
            let _ = self.store.truncate(self.end);
            return Err(unwritable(path, &error));
        }
        self.records.insert(first as u64, (self.end + 16, length));
        self.end += 32 + length;
        Ok(())
    }
}

/// Storage of the records: a file, or a replacement in a test.
pub(super) trait Storage: Read + Write + Seek + Send {
    /// Removes everything after the first `length` bytes.
    fn truncate(&mut self, length: u64) -> std::io::Result<()>;
}

impl Storage for File {
    fn truncate(&mut self, length: u64) -> std::io::Result<()> {
        self.set_len(length)
    }
}

/// First column and length of the record at `at`, if it is complete and undamaged.
pub(super) fn next_record(bytes: &[u8], at: usize) -> Option<(u64, u64)> {
    let (first, rest) = bytes.get(at..)?.split_first_chunk::<8>()?;
    let (length, rest) = rest.split_first_chunk::<8>()?;
    let length = u64::from_le_bytes(*length);
    let (columns, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    let (sum, _) = rest.split_first_chunk::<16>()?;
    (checksum(columns) == u128::from_le_bytes(*sum)).then(|| (u64::from_le_bytes(*first), length))
}

fn checksum(bytes: &[u8]) -> u128 {
    let mut hasher = KeyHasher::new("columns", VERSION);
    hasher.bytes("numbers", bytes);
    hasher.finish().0
}

/// The first bytes of a file of this bake.
pub(super) fn header(layout: &ColumnLayout) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&(layout.height as u64).to_le_bytes());
    out.extend_from_slice(&(layout.columns as u64).to_le_bytes());
    out.extend_from_slice(&(layout.bytes as u32).to_le_bytes());
    out.extend_from_slice(&layout.key.0.to_le_bytes());
    out
}

/// The error of a file that cannot be written.
pub(super) fn unwritable(path: &Path, error: &std::io::Error) -> BakeError {
    BakeError::JournalUnwritable {
        path: path.to_path_buf(),
        reason: error.to_string(),
    }
}
