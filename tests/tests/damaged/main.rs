//! Damaged bytes for the readers of the program's own formats: assets, levels, compressed matrices, unfinished bakes, reference runs, arrays, traces and packets. The test command runs a fixed
//! number of cases; `cargo xtask fuzz` runs this program for a given time.

mod arrays;
mod assets;
mod bodies;
mod packets;
mod unfinished;

use pliant_fuzzing::{Counting, Limits, Plan, Target, fuzz_all};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A reader under test.
pub struct Reader {
    /// Name for `cargo xtask fuzz`.
    pub name: &'static str,
    /// Valid files, made by code.
    pub files: fn() -> Vec<Vec<u8>>,
    /// Corrects checksums.
    pub seal: fn(&mut Vec<u8>),
    /// Reads and uses bytes. Returns a sentence if a rule was broken.
    pub judge: fn(&Limits, &[u8]) -> Option<String>,
    /// Tokens of the format.
    pub tokens: &'static [&'static [u8]],
}

/// All readers under test.
const READERS: [Reader; 12] = [
    assets::ADAPTIVE,
    assets::QUASISTATIC,
    assets::LATTICE,
    assets::CACHE,
    arrays::LEVELS,
    arrays::HIERARCHICAL,
    arrays::NPY,
    arrays::ATTRIBUTE,
    arrays::TRACE,
    unfinished::COLUMNS,
    unfinished::REFERENCE,
    packets::UDP,
];

impl Target for Reader {
    fn name(&self) -> &str {
        self.name
    }

    fn files(&self) -> Vec<Vec<u8>> {
        (self.files)()
    }

    fn tokens(&self) -> &[&[u8]] {
        self.tokens
    }

    fn fix_checksums(&self, bytes: &mut Vec<u8>) {
        (self.seal)(bytes);
    }

    fn check(&self, bytes: &[u8]) -> Option<String> {
        (self.judge)(&Limits::default(), bytes)
    }
}

#[test]
fn no_reader_breaks_on_damaged_bytes() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    fuzz_all(&READERS, &Plan::from_environment(), folder.as_ref());
}

#[test]
fn every_valid_file_is_read_and_every_truncated_file_obeys_the_rules() {
    for reader in &READERS {
        for (k, bytes) in (reader.files)().iter().enumerate() {
            assert_eq!(reader.check(bytes), None, "{} {k}", reader.name);
            let mut sealed = bytes.clone();
            reader.fix_checksums(&mut sealed);
            assert!(sealed == *bytes, "{} {k}: another checksum", reader.name);
            let step = bytes.len() / 150 + 1;
            for length in (0..bytes.len()).step_by(step) {
                let complaint = reader.check(&bytes[..length]);
                assert_eq!(complaint, None, "{} {k} cut at {length}", reader.name);
            }
        }
    }
}
