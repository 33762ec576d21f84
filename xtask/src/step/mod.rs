//! Runs commands one after the other and reports each.

pub mod files;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The result of a command: nothing, or a sentence about the failure.
pub type Outcome = Result<(), String>;

/// An error that lists what is wrong, if anything is.
pub fn fail_if_any(what: &str, wrong: &[String]) -> Outcome {
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("{what}:\n  {}", wrong.join("\n  "))),
    }
}

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The target folder of cargo.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The program of the release build.
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

/// Runs a command under a title. An error if it fails or cannot be started.
pub fn step(title: &str, command: &mut Command) -> Outcome {
    println!("\n== {title}: {}", command_line(command));
    let started = Instant::now();
    let status = command
        .status()
        .map_err(|e| format!("{title}: {} cannot be started: {e}", command_line(command)))?;
    if !status.success() {
        return Err(format!(
            "{title} failed ({status}): {}",
            command_line(command)
        ));
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

/// The standard output of a command. If it fails, the error has its standard error.
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

/// The command that runs an example of a crate; arguments for it may follow.
pub fn example(package: &str, name: &str) -> Command {
    cargo(&format!("run --release -p {package} --example {name} --"))
}

/// A new, empty folder below the target folder.
pub fn fresh_folder(name: &str) -> Result<PathBuf, String> {
    let path = target().join("xtask").join(name);
    create_empty(&path)?;
    Ok(path)
}

/// Creates a folder, or empties an existing one.
pub fn create_empty(folder: &Path) -> Outcome {
    let result = match std::fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(e),
        _ => std::fs::create_dir_all(folder),
    };
    result.map_err(|e| format!("{} cannot be made: {e}", folder.display()))
}

fn command_line(command: &Command) -> String {
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
    fn a_command_that_fails_or_is_missing_is_named_in_the_error() {
        assert_eq!(step("version", &mut cargo("--version")), Ok(()));
        let failed = step("nonsense", &mut cargo("no-such-subcommand -x")).expect_err("fails");
        assert!(failed.contains("no-such-subcommand -x"), "{failed}");
        let missing =
            step("absent", &mut Command::new("no-such-program-anywhere")).expect_err("fails");
        assert!(missing.contains("cannot be started"), "{missing}");
    }
}
