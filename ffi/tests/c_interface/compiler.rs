//! The C compiler of the machine, where there is one, and the library that its programs call.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles and links a program in C with the header and the library, without any warning; `false` and a line about `what` where that cannot be done.
#[track_caller]
pub fn compile(what: &str, source: &Path, program: &Path) -> bool {
    let Some(mut cc) = compiler() else {
        return skip(what, "no C compiler: neither $CC nor `cc` answers");
    };
    if cfg!(windows) {
        return skip(what, "its command line is that of Unix compilers");
    }
    let library = library().expect("the shared library, which is built with this test");
    let beside = library.parent().expect("a folder");
    cc.args(["-std=c99", "-Wall", "-Wextra", "-pedantic-errors", "-I"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include"))
        .arg(source)
        .arg("-o")
        .arg(program)
        .arg(&library)
        .arg(format!("-Wl,-rpath,{}", beside.display()));
    let output = cc.output().expect("the compiler answered before");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{what}: {words}");
    assert!(!words.contains("warning"), "{what}: {words}");
    true
}

/// The compiler that the environment names, with its arguments, or `cc`; `None` where it does not answer.
fn compiler() -> Option<Command> {
    let named = std::env::var("CC").ok().filter(|cc| !cc.trim().is_empty());
    let named = named.unwrap_or_else(|| "cc".into());
    let command = || {
        let mut words = named.split_whitespace();
        let mut command = Command::new(words.next()?);
        command.args(words);
        Some(command)
    };
    let answer = command()?.arg("--version").output();
    answer.is_ok_and(|o| o.status.success()).then(command)?
}

/// The shared library that belongs to this test: beside it, or one folder up.
fn library() -> Option<PathBuf> {
    let name = format!(
        "{}pliant_ffi{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    let test = std::env::current_exe().ok()?;
    let beside = test.parent()?;
    let folders = [Some(beside), beside.parent()];
    folders
        .into_iter()
        .flatten()
        .map(|folder| folder.join(&name))
        .find(|file| file.is_file())
}

/// Says that something was not tested, also where the output of tests is kept back.
fn skip(what: &str, why: &str) -> bool {
    let line = format!("left out: {what} ({why})\n");
    // nobody has to read it
    let _ = std::io::stderr().write_all(line.as_bytes());
    false
}
