//! Runs the cases of one reader, while a watchdog thread detects hangs.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use crate::mutate::mutate;
use crate::plan::Plan;
use crate::random::Random;

/// Cases of a target in the test command.
const CASES: u64 = 4_000;
/// Wall time after which a case counts as hanging: far more than any limit, also on a busy machine.
const HANG_TIMEOUT: Duration = Duration::from_secs(120);
/// Longest time for shrinking a file that a reader fails on.
const SHRINKING_TIME: Duration = Duration::from_secs(20);

/// A reader under test.
pub trait Target: Sync {
    /// Its name for `cargo xtask fuzz`.
    fn name(&self) -> &str;

    /// The corpus: valid files, and findings of earlier runs.
    fn files(&self) -> Vec<Vec<u8>>;

    /// The dictionary of a text format.
    fn tokens(&self) -> &[&[u8]] {
        &[]
    }

    /// Corrects checksums, so that damage is not only found by them; done for half of the cases.
    fn fix_checksums(&self, _bytes: &mut Vec<u8>) {}

    /// Reads bytes. A sentence if the reader broke a rule.
    fn check(&self, bytes: &[u8]) -> Option<String>;
}

/// One damaged file, always the same for the same target, seed and number.
fn case(target: &dyn Target, files: &[Vec<u8>], seed: u64, number: u64) -> Vec<u8> {
    let mut random = Random::new(seed.wrapping_mul(0x1_0000_0001).wrapping_add(number));
    let mut bytes = random.pick(files).cloned().unwrap_or_default();
    mutate(&mut bytes, files, target.tokens(), &mut random);
    if random.below(2) == 0 {
        target.fix_checksums(&mut bytes);
    }
    bytes
}

/// Fuzzes one reader for the time of `plan`. A file that it fails on is shrunk and saved below `folder`.
///
/// # Panics
/// If the reader breaks a rule; the message names the file. The process ends if the reader hangs.
pub fn fuzz(target: &dyn Target, plan: &Plan, folder: &Path) {
    let files = target.files();
    let (progress, watchdog) = channel();
    let finding = std::thread::scope(|scope| {
        let files = &files;
        scope.spawn(move || {
            let mut last = 0;
            loop {
                match watchdog.recv_timeout(HANG_TIMEOUT) {
                    Ok(number) => last = number,
                    Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => {
                        let bytes = case(target, files, plan.seed(), last);
                        let path = save(target, &bytes, folder);
                        eprintln!("the reader {} hangs on {}", target.name(), path.display());
                        std::process::exit(101);
                    }
                }
            }
        });
        run(target, files, plan, progress)
    });
    if let Some((number, complaint, bytes)) = finding {
        let path = save(target, &shrink(target, bytes), folder);
        panic!(
            "the reader {} {complaint} in case {number} of seed {}: see {}",
            target.name(),
            plan.seed(),
            path.display()
        );
    }
}

/// Fuzzes those of `targets` that `plan` includes, one after the other.
///
/// # Panics
/// As [`fuzz`], and if none has the name that was asked for.
pub fn fuzz_all(targets: &[impl Target], plan: &Plan, folder: &Path) {
    let mut chosen = targets
        .iter()
        .filter(|t| plan.includes(t.name()))
        .peekable();
    let names: Vec<&str> = targets.iter().map(Target::name).collect();
    assert!(
        chosen.peek().is_some(),
        "no reader of that name; there are {}",
        names.join(", ")
    );
    chosen.for_each(|target| fuzz(target, plan, folder));
}

/// Runs cases until the time is over. Returns the first failure: number of the case, broken rule, and file.
fn run(
    target: &dyn Target,
    files: &[Vec<u8>],
    plan: &Plan,
    progress: Sender<u64>,
) -> Option<(u64, String, Vec<u8>)> {
    let mut done = 0;
    for number in plan.cases(CASES) {
        let bytes = case(target, files, plan.seed(), number);
        // the watchdog listens until the sender is dropped
        let _ = progress.send(number);
        if let Some(complaint) = target.check(&bytes) {
            return Some((number, complaint, bytes));
        }
        done += 1;
    }
    println!("{}: {done} cases", target.name());
    None
}

/// Saves a file that a reader failed on; its name has a hash of its content (FNV-1a).
fn save(target: &dyn Target, bytes: &[u8], folder: &Path) -> PathBuf {
    let folder = folder.join("fuzz-findings");
    std::fs::create_dir_all(&folder).expect("a folder");
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
        (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3)
    });
    let path = folder.join(format!("{}-{hash:016x}", target.name()));
    std::fs::write(&path, bytes).expect("written");
    path
}

/// Shrinks a file that the reader fails on: removes pieces as long as it still fails.
fn shrink(target: &dyn Target, bytes: Vec<u8>) -> Vec<u8> {
    let until = Instant::now() + SHRINKING_TIME;
    let mut best = bytes;
    let mut piece = best.len() / 2;
    while piece > 0 {
        let mut at = 0;
        while at < best.len() {
            if Instant::now() > until {
                return best;
            }
            let mut shorter = best.clone();
            shorter.drain(at..(at + piece).min(best.len()));
            if target.check(&shorter).is_some() {
                best = shorter;
            } else {
                at += piece;
            }
        }
        piece /= 2;
    }
    best
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    /// A reader that fails on bytes without their first word, where `fails` is set.
    struct Words {
        fails: bool,
    }

    impl Target for Words {
        fn name(&self) -> &str {
            "words"
        }

        fn files(&self) -> Vec<Vec<u8>> {
            vec![b"word and some more\n".repeat(9)]
        }

        fn fix_checksums(&self, bytes: &mut Vec<u8>) {
            bytes.extend(b"sealed");
        }

        fn check(&self, bytes: &[u8]) -> Option<String> {
            let is_sound = !self.fails || bytes.starts_with(b"word");
            (!is_sound).then(|| "lost its word".to_string())
        }
    }

    #[test]
    fn a_finding_is_short_and_named_and_a_sound_reader_passes() {
        let folder = std::env::temp_dir().join(format!("pliant-fuzzing-{}", std::process::id()));
        let plan = Plan::from_environment();
        fuzz(&Words { fails: false }, &plan, &folder);
        assert!(!folder.exists());
        let failed = catch_unwind(|| fuzz(&Words { fails: true }, &plan, &folder));
        let message = failed.expect_err("a finding");
        let message = message.downcast_ref::<String>().expect("a sentence");
        assert!(
            message.contains("the reader words lost its word"),
            "{message}"
        );
        let kept = std::fs::read_dir(folder.join("fuzz-findings")).expect("a folder");
        for file in kept.flatten() {
            assert_eq!(std::fs::read(file.path()).expect("a file"), b"");
        }
        std::fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn cases_are_repeatable_and_half_of_them_have_correct_checksums() {
        let target = Words { fails: false };
        let files = target.files();
        let all: Vec<_> = (0..200).map(|k| case(&target, &files, 3, k)).collect();
        let again = (0..200).map(|k| case(&target, &files, 3, k));
        assert!(again.eq(all.iter().cloned()));
        assert!(
            all.iter()
                .any(|bytes| *bytes != case(&target, &files, 4, 0))
        );
        let sealed = all.iter().filter(|b| b.ends_with(b"sealed")).count();
        assert!((60..140).contains(&sealed), "{sealed}");
    }
}
