//! The readers on damaged files. The test command runs a fixed number of cases; `cargo xtask fuzz` runs this program for as long as it is told to.

mod clock;
mod corpus;
mod dense;
mod judge;
mod memory;
mod mutate;
mod random;
mod readers;

use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use clock::thread_time;
use judge::{LONGEST, judge, shrink};
use random::Random;
use readers::{READERS, Reader};

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

/// What the test command runs for each reader,
const CASES: u64 = 4_000;
/// but never longer than this.
const TEST_TIME: Duration = Duration::from_millis(700);
/// A case that takes this many times what is allowed, by the clock on the wall, is given up.
const HANGS: u32 = 30;

/// How long and from where: from the environment, which `cargo xtask fuzz` sets.
struct Plan {
    reader: Option<String>,
    time: Option<Duration>,
    seed: u64,
}

impl Plan {
    fn from_environment() -> Self {
        let number = |name| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
        Self {
            reader: std::env::var("PLIANT_FUZZ_READER").ok(),
            time: number("PLIANT_FUZZ_SECONDS").map(Duration::from_secs),
            seed: number("PLIANT_FUZZ_SEED").unwrap_or(1),
        }
    }
}

/// One damaged file: the same for the same reader, seed and number.
fn case(files: &[Vec<u8>], reader: &Reader, seed: u64, number: u64) -> Vec<u8> {
    let mut random = Random::new(seed.wrapping_mul(0x1_0000_0001).wrapping_add(number));
    let mut bytes = random.pick(files).cloned().unwrap_or_default();
    mutate::mutate(&mut bytes, files, reader.tokens, &mut random);
    bytes
}

/// Runs cases until the time is over; what went wrong, with the file.
fn run(reader: &Reader, plan: &Plan, tick: &Sender<u64>) -> (u64, Option<(String, Vec<u8>)>) {
    let files = reader.corpus();
    let started = thread_time();
    let time = plan.time.unwrap_or(TEST_TIME);
    let mut number = 0;
    while thread_time() - started < time && (plan.time.is_some() || number < CASES) {
        let bytes = case(&files, reader, plan.seed, number);
        // nobody listens any more once the time is long over
        let _ = tick.send(number);
        if let Some(complaint) = judge(reader, &bytes) {
            return (number, Some((complaint, bytes)));
        }
        number += 1;
    }
    (number, None)
}

/// Keeps a file that a reader failed on.
fn save(reader: &Reader, bytes: &[u8]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fuzz-findings");
    std::fs::create_dir_all(&folder).expect("a folder");
    let sum = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
        (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3)
    });
    let path = folder.join(format!("{}-{sum:016x}", reader.name));
    std::fs::write(&path, bytes).expect("written");
    path
}

/// Fuzzes one reader while another thread watches that it gets on.
fn fuzz(reader: &'static Reader, plan: &Plan) {
    let (tick, ticks) = channel();
    let seed = plan.seed;
    let watch = std::thread::spawn(move || {
        let mut last = 0;
        loop {
            match ticks.recv_timeout(LONGEST * HANGS) {
                Ok(number) => last = number,
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {
                    let bytes = case(&reader.corpus(), reader, seed, last);
                    let path = save(reader, &bytes);
                    eprintln!("the reader {} hangs on {}", reader.name, path.display());
                    std::process::exit(101);
                }
            }
        }
    });
    let (cases, finding) = run(reader, plan, &tick);
    drop(tick);
    watch.join().expect("the watch ends");
    println!("{}: {cases} cases", reader.name);
    if let Some((complaint, bytes)) = finding {
        let short = shrink(reader, &bytes, Instant::now() + Duration::from_secs(20));
        let path = save(reader, &short);
        panic!(
            "the reader {} {complaint} in case {cases} of seed {seed}: see {}; mend it and keep the file in tests/fuzz/kept",
            reader.name,
            path.display()
        );
    }
}

#[test]
fn no_reader_breaks_on_damaged_files() {
    let plan = Plan::from_environment();
    let chosen = READERS
        .iter()
        .filter(|r| plan.reader.as_deref().is_none_or(|name| name == r.name));
    let mut any = false;
    for reader in chosen {
        any = true;
        fuzz(reader, &plan);
    }
    let names: Vec<&str> = READERS.iter().map(|r| r.name).collect();
    assert!(
        any,
        "no reader of that name; there are {}",
        names.join(", ")
    );
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
