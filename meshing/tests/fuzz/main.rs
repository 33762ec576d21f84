//! Fuzz tests of the readers. The test command runs a fixed number of cases; `cargo xtask fuzz` runs this program for a given time.

mod corpus;
mod dense;
mod judge;
mod laws;
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

    fn check(&self, bytes: &[u8]) -> Option<String> {
        judge(self, bytes)
    }
}

#[test]
fn no_reader_breaks_on_damaged_files() {
    // a failure is kept in tests/fuzz/kept once it is fixed
    let folder = env!("CARGO_TARGET_TMPDIR");
    fuzz_all(&READERS, &Plan::from_environment(), folder.as_ref());
}

#[test]
fn every_valid_file_is_read() {
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
fn fixed_failures_stay_fixed() {
    for reader in &READERS {
        for (k, bytes) in reader.kept().iter().enumerate() {
            assert_eq!(judge(reader, bytes), None, "{} {k}", reader.name);
        }
    }
}

#[test]
fn truncated_files_are_handled() {
    for reader in &READERS {
        for bytes in (reader.seeds)() {
            // the files of TetGen are written to disk for each length
            let step = if reader.name == "tetgen" { 17 } else { 1 };
            for length in (0..bytes.len()).step_by(step) {
                let complaint = judge(reader, &bytes[..length]);
                assert_eq!(complaint, None, "{} cut at {length}", reader.name);
            }
        }
    }
}
