//! The readers on damaged files. The test command runs a fixed number of cases; `cargo xtask fuzz` runs this program for as long as it is told to.

mod corpus;
mod dense;
mod judge;
mod readers;

use judge::judge;
use pliant_fuzzing::{Counting, Plan, Target, fuzz_all};
use readers::{READERS, Reader};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

impl Target for Reader {
    fn name(&self) -> &str {
        self.name
    }

    fn files(&self) -> Vec<Vec<u8>> {
        self.corpus()
    }

    fn tokens(&self) -> &[&[u8]] {
        self.tokens
    }

    fn judge(&self, bytes: &[u8]) -> Option<String> {
        judge(self, bytes)
    }
}

#[test]
fn no_reader_breaks_on_damaged_files() {
    // what a reader fails on is kept in tests/fuzz/kept once it is mended
    let folder = env!("CARGO_TARGET_TMPDIR");
    fuzz_all(&READERS, &Plan::from_environment(), folder.as_ref());
}

#[test]
fn every_good_file_is_read() {
    for reader in &READERS {
        for (k, bytes) in (reader.seeds)().iter().enumerate() {
            let file = reader.read(bytes, &Default::default());
            let file = file.unwrap_or_else(|e| panic!("{} {k}: {e}", reader.name));
            assert!(file.surface.triangles.len() >= 2, "{} {k}", reader.name);
            assert_eq!(judge(reader, bytes), None, "{} {k}", reader.name);
        }
    }
}

#[test]
fn what_once_went_wrong_stays_mended() {
    for reader in &READERS {
        for (k, bytes) in reader.kept().iter().enumerate() {
            assert_eq!(judge(reader, bytes), None, "{} {k}", reader.name);
        }
    }
}

#[test]
fn every_cut_ends_well() {
    for reader in &READERS {
        for bytes in (reader.seeds)() {
            // TetGen's files are written for each cut
            let step = if reader.name == "tetgen" { 17 } else { 1 };
            for length in (0..bytes.len()).step_by(step) {
                assert_eq!(
                    judge(reader, &bytes[..length]),
                    None,
                    "{} cut at {length}",
                    reader.name
                );
            }
        }
    }
}
