//! Running one command after the other, and saying so.

pub mod files;
pub mod words;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// How a loop ends: nothing, or a sentence about what failed.
pub type Outcome = Result<(), String>;

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Where cargo puts what it builds.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The program as a release build leaves it.
pub fn program() -> PathBuf {
    target()
        .join("release")
        .join(format!("pliant{}", std::env::consts::EXE_SUFFIX))
}

/// Cargo with these arguments (split at spaces), in the root of the workspace.
pub fn cargo(arguments: &str) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).args(arguments.split(' '));
    command
}

/// Runs a command under a title; an error when it fails or cannot be started.
pub fn step(title: &str, command: &mut Command) -> Outcome {
    println!("\n== {title}: {}", line(command));
    let started = Instant::now();
    let status = command
        .status()
        .map_err(|e| format!("{title}: {} cannot be started: {e}", line(command)))?;
    if !status.success() {
        return Err(format!("{title} failed ({status}): {}", line(command)));
    }
    println!(
        "== {title}: passed in {:.0} s",
        started.elapsed().as_secs_f64()
    );
    Ok(())
}

/// An error unless the file exists and is not empty.
pub fn expect_file(title: &str, path: &Path) -> Outcome {
    match std::fs::metadata(path) {
        Ok(data) if data.len() > 0 => Ok(()),
        _ => Err(format!("{title}: {} was not written", path.display())),
    }
}

/// What a command prints; an error has what it says of its failure.
pub fn output(title: &str, command: &mut Command) -> Result<Vec<u8>, String> {
    let output = command.output().map_err(|e| format!("{title}: {e}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(format!(
            "{title}: {}",
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// The command that runs an example of a crate; words for it may follow.
pub fn example(package: &str, name: &str) -> Command {
    cargo(&format!("run --release -p {package} --example {name} --"))
}

/// A new, empty folder below the target folder.
pub fn fresh_folder(name: &str) -> Result<PathBuf, String> {
    let path = target().join("xtask").join(name);
    empty(&path)?;
    Ok(path)
}

/// Makes a folder, or removes all that is in it.
pub fn empty(folder: &Path) -> Outcome {
    let made = match std::fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(e),
        _ => std::fs::create_dir_all(folder),
    };
    made.map_err(|e| format!("{} cannot be made: {e}", folder.display()))
}

fn line(command: &Command) -> String {
    let mut text = Path::new(command.get_program())
        .file_name()
        .unwrap_or(command.get_program())
        .to_string_lossy()
        .into_owned();
    for word in command.get_args() {
        text.push(' ');
        text.push_str(&word.to_string_lossy());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_fails_or_is_missing_is_told_by_its_line() {
        assert_eq!(step("version", &mut cargo("--version")), Ok(()));
        let failed = step("nonsense", &mut cargo("no-such-subcommand -x")).expect_err("fails");
        assert!(failed.contains("no-such-subcommand -x"), "{failed}");
        let missing =
            step("absent", &mut Command::new("no-such-program-anywhere")).expect_err("fails");
        assert!(missing.contains("cannot be started"), "{missing}");
    }
}
