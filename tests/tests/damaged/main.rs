//! Readers of bytes that the program itself wrote, on damaged bytes: assets, levels, compressed matrices, unfinished bakes, reference runs, arrays, traces and packets. The test command runs a fixed
//! number of cases; `cargo xtask fuzz` runs this program for as long as it is told to.

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
    /// As `cargo xtask fuzz` calls it.
    pub name: &'static str,
    /// Good files, made by code.
    pub files: fn() -> Vec<Vec<u8>>,
    /// Makes checksums right again.
    pub seal: fn(&mut Vec<u8>),
    /// Reads and uses bytes; a sentence if a rule was broken.
    pub judge: fn(&Limits, &[u8]) -> Option<String>,
    /// Words of a format that is text.
    pub tokens: &'static [&'static [u8]],
}

/// All of them.
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
fn every_good_file_is_read_and_every_cut_ends_well() {
    for reader in &READERS {
        for (k, bytes) in (reader.files)().iter().enumerate() {
            assert_eq!(reader.check(bytes), None, "{} {k}", reader.name);
            let mut sealed = bytes.clone();
            reader.fix_checksums(&mut sealed);
            assert!(sealed == *bytes, "{} {k}: another checksum", reader.name);
            let step = bytes.len() / 150 + 1;
            for length in (0..bytes.len()).step_by(step) {
                let cut = reader.check(&bytes[..length]);
                assert_eq!(cut, None, "{} {k} cut at {length}", reader.name);
            }
        }
    }
}
