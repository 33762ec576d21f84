//! The program on a machine that fails it: a full disk, a damaged cache, a folder that vanishes. It loses nothing, says one line, and ends with the exit code of the contract.
#![cfg(unix)]

#[path = "../answer/mod.rs"]
mod answer;
mod companions;
mod full_disk;
#[path = "../program/mod.rs"]
mod program;
#[path = "../small/mod.rs"]
mod small;
mod vanishing;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use answer::answer;
use small::folder;

/// What every command gets: one thread, no progress.
const WORDS: [&str; 3] = ["--quiet", "--threads", "1"];

fn program(folder: &Path) -> Command {
    let mut command = program::program(folder);
    command.args(WORDS);
    command
}

/// Runs a command that ends without a fault.
#[track_caller]
fn done(at: &Path, words: &str) {
    let output = program(at).args(words.split(' ')).output();
    let output = output.expect("it starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{words}: {text}");
}

/// Exit code 2 and one line that names the place and a remedy.
#[track_caller]
fn refused(output: &Output, place: &str) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    let [line] = lines[..] else {
        panic!("{} lines: {text}", lines.len());
    };
    assert!(
        line.starts_with("pliant: ") && line.contains(place),
        "{line}"
    );
    assert!(line.contains(") ["), "it has a remedy: {line}");
}

/// Names of the files in a folder and below it, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.path() {
            path if path.is_dir() => found.extend(files(&path)),
            path => found.push(path),
        }
    }
    found.sort();
    found
}

/// Hash of what one method computes, and whether its asset came from the cache.
fn baked(folder: &Path, method: &str) -> (String, bool) {
    let words = ["--json", "run", "small.toml", "--method", method];
    let output = program(folder).args(words).output().expect("it starts");
    let (code, value) = answer(&output);
    assert_eq!(code, 0, "{method}: {value}");
    let run = &value["metrics"];
    let hash = run["surface_hash"].as_str().expect("a hash").to_string();
    (hash, run["from_cache"].as_bool().expect("a flag"))
}

#[test]
fn results_that_standard_output_does_not_take_are_a_failure() {
    // a device that is always full; only Linux has it
    if !Path::new("/dev/full").exists() {
        return;
    }
    let at = &folder();
    let commands: [&[&str]; 4] = [
        &["--json", "run", "small.toml", "--method", "lattice"],
        &["run", "small.toml", "--method", "lattice"],
        &["scenes"],
        &["--json", "scenes"],
    ];
    for words in commands {
        let full = File::options()
            .write(true)
            .open("/dev/full")
            .expect("a device");
        let mut command = program(at);
        let output = command.args(words).stdout(Stdio::from(full)).output();
        refused(&output.expect("it starts"), "standard output");
    }
    let to_device = ["--json=/dev/full", "scenes"];
    let output = program(at).args(to_device).output().expect("it starts");
    refused(&output, "/dev/full");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let at = &folder();
    for words in [&["--json", "scenes"][..], &["scenes"]] {
        let mut command = program(at);
        command
            .args(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*text), (Some(0), ""), "{words:?}");
    }
}

#[test]
fn a_device_is_not_replaced_by_a_recording() {
    let at = &folder();
    // a pipe stands for any device: nothing under its name may be renamed over it
    let pipe = at.join("pipe.plrec");
    if !Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .is_ok_and(|s| s.success())
    {
        return;
    }
    let words = [
        "run",
        "small.toml",
        "--method",
        "lattice",
        "--record",
        "pipe.plrec",
    ];
    let output = program(at).args(words).output().expect("it starts");
    refused(&output, "pipe.plrec");
    let kind = fs::metadata(&pipe).expect("still there").file_type();
    assert!(!kind.is_file(), "the pipe became a file");
}

#[test]
fn damaged_files_of_the_cache_are_baked_again() {
    let at = &folder();
    let mut state = 12345_u64;
    let mut random = move |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % below.max(1)
    };
    for method in ["adaptive", "quasistatic", "lattice"] {
        let cache = at.join("cache");
        let _ = fs::remove_dir_all(&cache);
        let (hash, from_cache) = baked(at, method);
        assert!(!from_cache);
        assert_eq!(baked(at, method), (hash.clone(), true), "{method} is kept");
        let assets = || -> Vec<PathBuf> {
            let mut found = files(&cache);
            found.retain(|path| path.extension().is_some_and(|e| e == "asset"));
            found
        };
        for fault in 0..7 {
            for asset in assets() {
                let mut bytes = fs::read(&asset).expect("an asset");
                fs::remove_file(&asset).expect("removed");
                match fault {
                    // a flipped bit, in two places
                    0..2 => {
                        let k = random(bytes.len());
                        bytes[k] ^= 1 << random(8);
                    }
                    // cut short, to nothing, and longer than it was
                    2 => bytes.truncate(random(bytes.len())),
                    3 => bytes.clear(),
                    4 => bytes.extend_from_slice(b"more"),
                    _ => {}
                }
                match fault {
                    5 => fs::create_dir(&asset).expect("a folder in its place"),
                    6 => std::os::unix::fs::symlink("gone", &asset).expect("a link to nothing"),
                    _ => fs::write(&asset, bytes).expect("written"),
                }
            }
            let (again, from_cache) = baked(at, method);
            assert_eq!(again, hash, "{method} after fault {fault}");
            assert!(!from_cache, "{method} believed fault {fault}");
            if fault == 5 {
                // what is in the way of a file is taken away by hand
                for path in fs::read_dir(&cache).into_iter().flatten().flatten() {
                    let _ = fs::remove_dir_all(path.path());
                }
            }
            assert_eq!(
                baked(at, method).1,
                fault != 5,
                "{method} keeps it after fault {fault}"
            );
        }
    }
}

#[test]
fn files_of_the_cache_that_cannot_be_read_are_baked_again() {
    use std::os::unix::fs::PermissionsExt;
    let at = &folder();
    let (hash, _) = baked(at, "lattice");
    for path in files(&at.join("cache")) {
        fs::set_permissions(&path, PermissionsExt::from_mode(0o000)).expect("locked");
    }
    assert_eq!(baked(at, "lattice").0, hash);
}

#[test]
fn an_output_folder_that_vanishes_ends_in_a_result_or_in_one_line() {
    let at = &folder();
    let out = at.join("out");
    let words = ["compare", "small.toml", "--out", "out"];
    let mut command = program(at);
    command
        .args(words)
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let child = command.spawn().expect("it starts");
    // taken away as soon as it is there
    while !out.join(".pliant-output").exists() {
        std::thread::yield_now();
    }
    while fs::remove_dir_all(&out).is_err() {
        std::thread::yield_now();
    }
    let output = child.wait_with_output().expect("it ends");
    match output.status.code() {
        Some(0) => assert!(out.join("report.html").is_file()),
        _ => refused(&output, "out"),
    }
    // and the name can be used again
    done(at, "compare small.toml --out out");
}
