//! Ctrl-C in the middle of a command: the program ends with the code of the contract, leaves no half-written file, and the next run of the same command finishes as if nothing had been.
#![cfg(unix)]

mod program;
mod small;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use small::folder;

/// Moments at which a command is interrupted, as shares of the time that it takes.
const MOMENTS: [f64; 4] = [0.125, 0.375, 0.625, 0.875];
/// Moments for one that took less time than when it was measured.
const EARLIER: [f64; 2] = [0.06, 0.03];
/// Moments of a command that is as good as over when it has begun, or that goes through what another one goes through.
const TWO: [f64; 2] = [0.3, 0.7];
/// The program ends on its own half a second after the signal. On a busy machine it takes longer, and a program that goes on working takes for ever.
const SOON: Duration = Duration::from_secs(60);

fn program(folder: &Path, words: &str) -> Command {
    let mut command = program::program(folder);
    command.args(["--quiet", "--threads", "2"]);
    command.args(words.split(' '));
    command
}

#[track_caller]
fn done(folder: &Path, words: &str) {
    let output = program(folder, words).output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{words}: {text}");
}

/// Sends Ctrl-C after `wait`, and what became of the program.
fn interrupted(folder: &Path, words: &str, wait: Duration) -> Output {
    let mut command = program(folder, words);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child: Child = command.spawn().expect("it starts");
    std::thread::sleep(wait);
    // a program that has ended is not there to be signalled
    let _ = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .stderr(Stdio::null())
        .status()
        .expect("a system with signals");
    let sent = Instant::now();
    while child.try_wait().expect("it is a child").is_none() {
        assert!(sent.elapsed() < SOON, "{words} goes on after Ctrl-C");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("it has ended")
}

/// Files below a folder with their contents, by the path inside.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(&at).into_iter().flatten().flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => open.push(path),
                false => {
                    let inside = path.strip_prefix(folder).expect("inside").to_path_buf();
                    found.insert(inside, fs::read(&path).expect("a file"));
                }
            }
        }
    }
    found
}

/// What a command leaves that is not in the cache. Contents count where no time is in them.
fn results(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let same = ["pgf", "vtu", "obj", "vtp", "usda", "bin", "csv"];
    let mut found = files(folder);
    found.retain(|path, _| !path.starts_with("cache"));
    for (path, bytes) in &mut found {
        let end = path.extension().unwrap_or_default().to_string_lossy();
        // the clock decides which ticks a servo loop has
        let timed = (path.file_name()).is_some_and(|n| n == "timings.csv" || n == "trace.csv");
        if timed || !same.contains(&&*end) {
            bytes.clear();
        }
    }
    found
}

/// Names that only files have that are still being written.
fn is_half_written(path: &Path) -> bool {
    let name = path.to_string_lossy();
    [".part", ".partial", ".tmp"]
        .iter()
        .any(|end| name.contains(end))
}

/// Interrupts a command at several moments, at one of which at least it is still at work.
fn survives_interrupts(command: &str, prepare: &dyn Fn(&Path)) {
    let stopped = interrupts(command, prepare, &MOMENTS, &EARLIER);
    assert!(stopped > 0, "{command} was never stopped");
}

/// Interrupts a command twice; it may be over before.
fn survives_two_interrupts(command: &str, prepare: &dyn Fn(&Path)) {
    interrupts(command, prepare, &TWO, &[]);
}

/// Interrupts a command at these moments, and at the others if that did not stop it; then it is run to its end, and leaves what it leaves in a folder of its own. How often it was stopped.
fn interrupts(words: &str, prepare: &dyn Fn(&Path), moments: &[f64], others: &[f64]) -> usize {
    let whole = &folder();
    prepare(whole);
    let began = Instant::now();
    done(whole, words);
    let takes = began.elapsed();
    let wanted = results(whole);

    let at = &folder();
    prepare(at);
    let before = results(at);
    let mut stopped = 0;
    for (k, moment) in moments.iter().chain(others).enumerate() {
        if k >= moments.len() && stopped > 0 {
            break;
        }
        let output = interrupted(at, words, takes.mul_f64(*moment));
        let text = String::from_utf8_lossy(&output.stderr);
        let left = results(at);
        match (output.status.code(), output.status.signal()) {
            // it was faster than the signal
            (Some(0), _) => {
                assert!(left.keys().eq(wanted.keys()), "{words}: {left:?}");
                continue;
            }
            // the signal came before the program had a word in it
            (None, Some(2)) => {}
            (Some(130), _) => {
                stopped += 1;
                assert!(text.lines().count() <= 1, "{words}: {text}");
            }
            other => panic!("{words} ended with {other:?}: {text}"),
        }
        let halves = files(at).into_keys().filter(|path| is_half_written(path));
        let halves: Vec<PathBuf> = halves.collect();
        assert!(halves.is_empty(), "{words} at {moment} left {halves:?}");
        for (path, bytes) in &left {
            // what is under its own name is whole
            let known = wanted.get(path).or(before.get(path));
            let is_journal = path.extension().is_some_and(|e| e == "columns");
            assert!(
                is_journal || known == Some(bytes),
                "{words} at {moment} left {}",
                path.display()
            );
        }
    }
    done(at, words);
    let found = results(at);
    assert!(found.keys().eq(wanted.keys()), "{words}");
    for (path, bytes) in found {
        let same = wanted.get(&path) == Some(&bytes);
        assert!(same, "{words}: {} is another one", path.display());
    }
    stopped
}

fn nothing(_: &Path) {}

/// A longer scene with shorter edges (m): commands on the small one are over before they can be stopped.
fn finer(at: &Path, edge: f64) {
    let scene = small::SCENE
        .replace("edge = 0.05 }", &format!("edge = {edge} }}"))
        .replace("duration = 0.2", "duration = 8.0");
    fs::write(at.join("finer.toml"), scene).expect("written");
}

#[test]
fn compare_with_a_reference() {
    let words = "compare small.toml --no-pictures --reference --out out";
    let stopped = interrupts(words, &nothing, &TWO, &EARLIER);
    assert!(stopped > 0, "never stopped");
}

#[test]
fn green_functions() {
    let words = "gf finer.toml --out finer.pgf";
    survives_interrupts(words, &|at| finer(at, 0.02));
}

#[test]
fn meshing() {
    let words = "mesh kidney --nodes 60,200 --out out";
    survives_interrupts(words, &nothing);
}

#[test]
fn a_run_that_is_recorded() {
    let words = "run small.toml --method lattice --frames 200 --record run.plrec";
    survives_interrupts(words, &nothing);
}

#[test]
fn export() {
    let words = "export run.plrec --to vtk,gltf,usd,obj,csv --out out";
    let record = |at: &Path| {
        finer(at, 0.01);
        let words = "run finer.toml --method lattice --frames 480 --record run.plrec";
        done(at, words);
    };
    survives_interrupts(words, &record);
}

#[test]
fn hierarchical_matrices() {
    let words = "gf finer.toml --hierarchical 0.01 --out finer.pgf";
    survives_two_interrupts(words, &|at| finer(at, 0.02));
}

#[test]
fn wavelets() {
    let sphere = |at: &Path| {
        let body = "procedural = \"sphere\", longest = 0.2, edge = 0.02";
        let columns = "quasistatic = { boundary = 60, elements = \"linear\" }\n";
        let scene = small::SCENE
            .replace(
                "procedural = \"box\", size = [0.2, 0.1, 0.2], edge = 0.05",
                body,
            )
            .replace("lowest = 0.01", "lowest = 0.2");
        fs::write(at.join("sphere.toml"), scene + columns).expect("written");
    };
    let words = "gf sphere.toml --wavelet linear --out sphere.pgf";
    survives_two_interrupts(words, &sphere);
}

#[test]
fn other_supports() {
    let words = "rebase finer.pgf --hold lid=box:-1,0.049,-1,1,1,1 --out held.pgf";
    let bake = |at: &Path| {
        finer(at, 0.02);
        let words = "gf finer.toml --out finer.pgf";
        done(at, words);
    };
    survives_two_interrupts(words, &bake);
}

#[test]
fn filling_the_cache() {
    survives_two_interrupts("bake small.toml", &nothing);
}

#[test]
fn remeshing() {
    survives_two_interrupts("remesh kidney --levels 1 --out out", &nothing);
}

#[test]
fn cells() {
    survives_two_interrupts("voxelise kidney --out cells.vtu", &nothing);
}

#[test]
fn swinging() {
    let words = "oscillate --model green --nodes 27 --duration 1 --out out";
    survives_two_interrupts(words, &nothing);
}

#[test]
fn force_feedback() {
    let words = "servo small.toml --seconds 0.5 --trace trace.csv";
    survives_two_interrupts(words, &nothing);
}

#[test]
fn replay() {
    let record = |at: &Path| {
        let words = "run small.toml --method quasistatic --frames 300 --record run.plrec";
        done(at, words);
    };
    survives_two_interrupts("replay run.plrec", &record);
}
