//! Finished columns in the files of several processes.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use pliant_quasistatic::BakeError;
use pliant_quasistatic::bake::{ColumnJournal, ColumnLayout};

use super::file::FileJournal;
use super::records::{HEADER_BYTES, header, unwritable};

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
            let read = File::open(journal.path())
                .and_then(|file| file.take(HEADER_BYTES).read_to_end(&mut begin));
            read.map_err(|e| unwritable(journal.path(), &e))?;
            if begin != header(layout) {
                return Err(BakeError::JournalForeign {
                    path: journal.path().to_path_buf(),
                });
            }
            if !journal.open(layout)? {
                return Err(unwritable(journal.path(), &busy()));
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
