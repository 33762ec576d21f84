//! Finished columns in one file.

use std::fs::{OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use pliant_quasistatic::BakeError;
use pliant_quasistatic::bake::{ColumnJournal, ColumnLayout};

use super::records::{Records, unwritable};
use crate::threads::lock::lock;

/// Finished columns in one file.
pub struct FileJournal {
    path: PathBuf,
    records: Mutex<Option<Records>>,
}

impl FileJournal {
    /// A journal in this file, which a bake opens.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_path_buf(),
            records: Mutex::new(None),
        }
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
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
        *lock(&self.records) = Some(Records::open(Box::new(file), &self.path, layout)?);
        Ok(true)
    }

    fn load(&self, first: usize, out: &mut [u8]) -> bool {
        let mut records = lock(&self.records);
        records.as_mut().is_some_and(|r| r.load(first, out))
    }

    fn keep(&self, first: usize, columns: &[u8]) -> Result<(), BakeError> {
        match lock(&self.records).as_mut() {
            Some(records) => records.append(&self.path, first, columns),
            None => Ok(()),
        }
    }
}
