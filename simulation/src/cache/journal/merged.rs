//! Finished columns in the files of several processes.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use pliant_quasistatic::BakeError;
use pliant_quasistatic::bake::{ColumnJournal, ColumnLayout};

use super::file::FileJournal;
use super::records::{HEADER_BYTES, header, unwritable};

/// Files of several processes. Columns are read from any of them; new columns are not stored.
pub struct MergedJournals(Vec<FileJournal>);

impl MergedJournals {
    /// Journals that read these files, which have to exist.
    pub fn new(paths: &[PathBuf]) -> Self {
        Self(paths.iter().map(|path| FileJournal::new(path)).collect())
    }
}

impl ColumnJournal for MergedJournals {
    fn open(&self, layout: &ColumnLayout) -> Result<bool, BakeError> {
        for journal in &self.0 {
            let busy = || std::io::Error::from(std::io::ErrorKind::ResourceBusy);
            // opening would empty a file of another body or version
            let mut found_header = Vec::new();
            let read = File::open(journal.path())
                .and_then(|file| file.take(HEADER_BYTES).read_to_end(&mut found_header));
            read.map_err(|e| unwritable(journal.path(), &e))?;
            if found_header != header(layout) {
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
