//! `cargo xtask coverage`: the line coverage of the libraries by their tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::compiler::{Compiler, LlvmTools, programs};
use super::lines::{self, Lines};
use crate::step::files::{absolute, make_folder, make_runnable, read_folder, write};
use crate::step::{Outcome, cargo, create_empty, fail_if_any, output, root, step, target};
use crate::tools::find;

/// Folders of the measured crates, and the smallest allowed line coverage, percent.
const CRATES: [(&str, Option<f64>); 6] = [
    ("core", Some(85.0)),
    ("contact", None),
    ("adaptive", Some(85.0)),
    ("quasistatic", Some(85.0)),
    ("lattice", Some(85.0)),
    ("meshing", Some(85.0)),
];
/// Cargo arguments for their tests and those across crates.
const TESTS: &str = "--release --locked --tests -p pliant-core -p pliant-contact -p pliant-adaptive -p pliant-quasistatic -p pliant-lattice -p pliant-meshing -p pliant-tests";
/// A test that takes longer is ended and counts no line. Such tests repeat for minutes what others do once, and counters make them several times slower.
const TEST_LIMIT: &str = "[profile.coverage]
fail-fast = false
slow-timeout = { period = \"40s\", terminate-after = 1, on-timeout = \"pass\" }
";
/// Number of listed files, those with the most uncovered lines.
const MAX_LISTED_FILES: usize = 20;
/// Compiles the crates of the workspace with line counters. Build scripts, which have no `--target`, get none, and neither do dependencies: their small functions, such as those of
/// vectors, would no longer be inlined, which makes tests many times slower. Counters stay in registers during a loop.
const WRAPPER: &str = "#!/bin/sh
case \" $* \" in
*\" --target \"*) exec \"$@\" -Cinstrument-coverage -Cllvm-args=-do-counter-promotion ;;
*) exec \"$@\" ;;
esac
";

/// Runs the tests with counters, merges the profiles and prints the coverage. With `--report` it prints that of the last run.
pub fn run(report_only: bool) -> Outcome {
    let compiler = Compiler::query()?;
    let tools = LlvmTools::find(&compiler)?;
    let folder = absolute(&target().join("coverage"))?;
    let profiles = folder.join("profiles");
    make_folder(&folder)?;
    write(&wrapper(&folder), WRAPPER)?;
    make_runnable(&wrapper(&folder))?;
    if !report_only {
        create_empty(&profiles)?;
        if find("cargo-nextest").is_none() {
            return Err("coverage runs tests by `cargo nextest`; `cargo install cargo-nextest --locked` brings it".into());
        }
        let limit = folder.join("nextest.toml");
        write(&limit, TEST_LIMIT)?;
        let mut tests = instrumented(&compiler, &folder, "nextest run");
        tests
            .args(["--profile", "coverage", "--config-file"])
            .arg(limit)
            // a process has its own counters, threads share them
            .env("RAYON_NUM_THREADS", "1");
        step("tests with counters", &mut tests)?;
    }
    let mut build = instrumented(&compiler, &folder, "test");
    build.args(["--no-run", "--message-format", "json"]);
    let programs = programs(build)?;
    let merged = folder.join("merged.profdata");
    merge(&tools, &profiles, &merged)?;
    let report = export(&tools, &merged, &programs)?;
    let files = lines::by_file(&report, &CRATES.map(|(name, _)| sources(name)))?;
    print!("\n{}", table(&files));
    check_thresholds(&files)
}

/// A cargo command for the tests with counters, with a separate target folder.
fn instrumented(compiler: &Compiler, folder: &Path, arguments: &str) -> Command {
    let mut command = cargo(&format!("{arguments} {TESTS}"));
    command
        .args(["--target", &compiler.host, "--target-dir"])
        .arg(folder)
        .env("RUSTC_WORKSPACE_WRAPPER", wrapper(folder))
        // two files per program, into which its runs are merged
        .env("LLVM_PROFILE_FILE", folder.join("profiles/%2m.profraw"));
    command
}

/// The path of [`WRAPPER`].
fn wrapper(folder: &Path) -> PathBuf {
    folder.join("rustc-with-counters")
}

/// Merges all profiles into one.
fn merge(tools: &LlvmTools, profiles: &Path, merged: &Path) -> Outcome {
    let files = read_folder(profiles)
        .map_err(|e| format!("{e}; `cargo xtask coverage` writes profiles there"))?;
    let files = files.iter().filter(|name| name.ends_with(".profraw"));
    let list: String = files
        .map(|name| format!("{}\n", profiles.join(name).display()))
        .collect();
    if list.is_empty() {
        return Err(format!("{} holds no profile", profiles.display()));
    }
    let names = merged.with_extension("list");
    write(&names, list)?;
    let mut command = Command::new(&tools.profdata);
    command
        .args(["merge", "--sparse", "--input-files"])
        .arg(&names)
        .arg("--output")
        .arg(merged);
    step("merged profiles", &mut command)
}

/// The counts of all lines in the lcov format.
fn export(tools: &LlvmTools, merged: &Path, programs: &[PathBuf]) -> Result<String, String> {
    let mut command = Command::new(&tools.cov);
    let words = "export --format=lcov --skip-functions --skip-branches";
    command
        .args(words.split(' '))
        .arg("--instr-profile")
        .arg(merged);
    for program in programs {
        command.arg("--object").arg(program);
    }
    let printed = output(&tools.cov.display().to_string(), &mut command)?;
    Ok(String::from_utf8_lossy(&printed).into_owned())
}

/// The root of the workspace, as the compiler names it.
fn workspace() -> PathBuf {
    root().canonicalize().unwrap_or_else(|_| root())
}

/// The folder of a crate's sources.
fn sources(krate: &str) -> PathBuf {
    workspace().join(krate).join("src")
}

/// The lines of one crate.
fn lines_of(files: &BTreeMap<PathBuf, Lines>, krate: &str) -> Lines {
    let folder = sources(krate);
    let mut sum = Lines::default();
    let files = files.iter().filter(|(path, _)| path.starts_with(&folder));
    files.for_each(|(_, lines)| sum.add(*lines));
    sum
}

/// A table of the crates, then of the files with the most uncovered lines.
fn table(files: &BTreeMap<PathBuf, Lines>) -> String {
    let header = |name: &str| format!("{name:<64} {:>7} {:>7} {:>8}\n", "lines", "run", "percent");
    let row = |name: &str, lines: Lines| {
        let (all, run, percent) = (lines.all, lines.run, lines.percent());
        format!("{name:<64} {all:>7} {run:>7} {percent:>8.1}\n")
    };
    let mut text = header("crate");
    for (krate, _) in CRATES {
        text += &row(krate, lines_of(files, krate));
    }
    text += &format!("\n{}", header("files with the most lines left out"));
    let mut worst: Vec<(&PathBuf, &Lines)> = files.iter().collect();
    worst.sort_by_key(|(path, lines)| (std::cmp::Reverse(lines.all - lines.run), *path));
    let root = workspace();
    for (path, lines) in worst.into_iter().take(MAX_LISTED_FILES) {
        let name = path.strip_prefix(&root).unwrap_or(path);
        text += &row(&name.display().to_string(), *lines);
    }
    text
}

/// An error names the crates with too little coverage.
fn check_thresholds(files: &BTreeMap<PathBuf, Lines>) -> Outcome {
    let mut failures = Vec::new();
    for (krate, threshold) in CRATES {
        let lines = lines_of(files, krate);
        if lines.all == 0 {
            return Err(format!(
                "no line of `{krate}` was counted: its profiles belong to other sources"
            ));
        }
        if let Some(threshold) = threshold
            && lines.percent() < threshold
        {
            failures.push(format!(
                "{krate} {:.1} % (at least {threshold} %)",
                lines.percent()
            ));
        }
    }
    fail_if_any("tests run too few lines", &failures)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_at(run: usize) -> BTreeMap<PathBuf, Lines> {
        let lines = |run| Lines { all: 1000, run };
        let files = CRATES.map(|(name, _)| (sources(name).join("lib.rs"), lines(run)));
        files.into()
    }

    #[test]
    fn too_few_lines_are_an_error_that_names_the_crate() {
        assert_eq!(check_thresholds(&all_at(850)), Ok(()));
        let mut files = all_at(900);
        let lattice = files.get_mut(&sources("lattice").join("lib.rs"));
        lattice.expect("a file").run = 849;
        let wrong = check_thresholds(&files).expect_err("too few");
        assert!(
            wrong.contains("lattice 84.9 %") && !wrong.contains("core"),
            "{wrong}"
        );
        let text = table(&files);
        let worst = text.lines().nth(CRATES.len() + 3).expect("a file");
        assert!(worst.starts_with("lattice/src/lib.rs"), "{text}");
        // profiles of another folder count no line of these
        assert!(check_thresholds(&BTreeMap::new()).is_err());
    }
}
