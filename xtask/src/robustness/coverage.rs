//! `cargo xtask coverage`: how many lines of the libraries their tests run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::compiler::{Compiler, LlvmTools, programs};
use super::lines::{self, Lines};
use crate::step::arguments::flags;
use crate::step::files::{absolute, make_folder, make_runnable, read_folder, write};
use crate::step::{Outcome, cargo, create_empty, output, root, step, target};
use crate::tools::find;

/// Folders of the crates that are looked at, and the least part of their lines that tests have to run, in percent.
const CRATES: [(&str, Option<f64>); 6] = [
    ("core", Some(85.0)),
    ("contact", None),
    ("adaptive", Some(85.0)),
    ("quasistatic", Some(85.0)),
    ("lattice", Some(85.0)),
    ("meshing", Some(85.0)),
];
/// Their tests, and those across crates.
const TESTS: &str = "--release --locked --tests -p pliant-core -p pliant-contact -p pliant-adaptive -p pliant-quasistatic -p pliant-lattice -p pliant-meshing -p pliant-tests";
/// A test that takes longer is ended and counts no line: what others do once, it repeats for minutes, and counters make it several times slower.
const TEST_LIMIT: &str = "[profile.coverage]
fail-fast = false
slow-timeout = { period = \"40s\", terminate-after = 1, on-timeout = \"pass\" }
";
/// Files that are named in the end, those with the most lines that nothing runs.
const NAMED: usize = 20;
/// Starts the compiler of our crates with counters of lines. Programs of the build, for which no target is named, have none, and neither has what others wrote: small functions of theirs, such as those of
/// vectors, would not be inlined any more, which makes tests many times slower. Counters are kept in registers through a loop.
const WRAPPER: &str = "#!/bin/sh
case \" $* \" in
*\" --target \"*) exec \"$@\" -Cinstrument-coverage -Cllvm-args=-do-counter-promotion ;;
*) exec \"$@\" ;;
esac
";

/// Runs the tests with counters, merges what they counted, and prints it; with `--report` prints the last run once more.
pub fn run(arguments: &[String]) -> Outcome {
    let [report_only] = flags("coverage", arguments, ["--report"])?;
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
            // processes share no counters, threads do
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
    judge(&files)
}

/// A command of cargo for the tests with counters, in a target folder of its own.
fn instrumented(compiler: &Compiler, folder: &Path, arguments: &str) -> Command {
    let mut command = cargo(&format!("{arguments} {TESTS}"));
    command
        .args(["--target", &compiler.host, "--target-dir"])
        .arg(folder)
        .env("RUSTC_WORKSPACE_WRAPPER", wrapper(folder))
        // two files a program, to which its runs add
        .env("LLVM_PROFILE_FILE", folder.join("profiles/%2m.profraw"));
    command
}

/// Where [`WRAPPER`] is.
fn wrapper(folder: &Path) -> PathBuf {
    folder.join("rustc-with-counters")
}

/// One profile of all that were written.
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

/// The counts of all lines as text in the format of lcov.
fn export(tools: &LlvmTools, merged: &Path, programs: &[PathBuf]) -> Result<String, String> {
    let mut command = Command::new(&tools.cov);
    command
        .args([
            "export",
            "--format=lcov",
            "--skip-functions",
            "--skip-branches",
        ])
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

/// Lines of one crate.
fn lines_of(files: &BTreeMap<PathBuf, Lines>, krate: &str) -> Lines {
    let folder = sources(krate);
    let mut sum = Lines::default();
    let files = files.iter().filter(|(path, _)| path.starts_with(&folder));
    files.for_each(|(_, lines)| sum.add(*lines));
    sum
}

/// Crates, then the files with the most lines that nothing runs.
fn table(files: &BTreeMap<PathBuf, Lines>) -> String {
    let head = |name: &str| format!("{name:<64} {:>7} {:>7} {:>8}\n", "lines", "run", "percent");
    let row = |name: &str, lines: Lines| {
        let (all, run, percent) = (lines.all, lines.run, lines.percent());
        format!("{name:<64} {all:>7} {run:>7} {percent:>8.1}\n")
    };
    let mut text = head("crate");
    for (krate, _) in CRATES {
        text += &row(krate, lines_of(files, krate));
    }
    text += &format!("\n{}", head("files with the most lines left out"));
    let mut worst: Vec<(&PathBuf, &Lines)> = files.iter().collect();
    worst.sort_by_key(|(path, lines)| (std::cmp::Reverse(lines.all - lines.run), *path));
    let root = workspace();
    for (path, lines) in worst.into_iter().take(NAMED) {
        let name = path.strip_prefix(&root).unwrap_or(path);
        text += &row(&name.display().to_string(), *lines);
    }
    text
}

/// An error names the crates whose tests run too few lines.
fn judge(files: &BTreeMap<PathBuf, Lines>) -> Outcome {
    let mut short = Vec::new();
    for (krate, least) in CRATES {
        let lines = lines_of(files, krate);
        if lines.all == 0 {
            return Err(format!(
                "no line of `{krate}` was counted: its profiles belong to other sources"
            ));
        }
        if let Some(least) = least
            && lines.percent() < least
        {
            short.push(format!(
                "{krate} {:.1} % (at least {least} %)",
                lines.percent()
            ));
        }
    }
    match short.is_empty() {
        true => Ok(()),
        false => Err(format!("tests run too few lines: {}", short.join(", "))),
    }
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
        assert_eq!(judge(&all_at(850)), Ok(()));
        let mut files = all_at(900);
        let lattice = files.get_mut(&sources("lattice").join("lib.rs"));
        lattice.expect("a file").run = 849;
        let wrong = judge(&files).expect_err("too few");
        assert!(
            wrong.contains("lattice 84.9 %") && !wrong.contains("core"),
            "{wrong}"
        );
        let told = table(&files);
        let worst = told.lines().nth(CRATES.len() + 3).expect("a file");
        assert!(worst.starts_with("lattice/src/lib.rs"), "{told}");
        // profiles of another folder count no line of these
        assert!(judge(&BTreeMap::new()).is_err());
    }
}
