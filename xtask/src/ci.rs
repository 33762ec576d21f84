//! Everything that must pass before a change is merged, the quick failures first.

use std::process::Command;

use crate::step::{Outcome, cargo, expect_file, fresh_folder, program, root, step, target};
use crate::structure;
use crate::tools;

/// The README's test command.
const TESTS: &str = "test --release --workspace";
/// The crates whose arithmetic is also tested with overflow checks and debug assertions.
const NUMERIC: &str = "test -p pliant-core -p pliant-contact -p pliant-adaptive -p pliant-quasistatic -p pliant-lattice";

/// What to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Also the groups that need a tool of this machine, where it is found.
    pub tools: bool,
    /// Also what compiles the dependencies a second time.
    pub full: bool,
}

impl Options {
    /// From the words after `ci`.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let mut options = Self {
            tools: true,
            full: false,
        };
        for word in words {
            match word.as_str() {
                "--no-tools" => options.tools = false,
                "--full" => options.full = true,
                other => {
                    return Err(format!(
                        "`cargo xtask ci` has no option `{other}`; it has --no-tools and --full"
                    ));
                }
            }
        }
        Ok(options)
    }
}

/// Runs all steps; stops at the first that fails. Everything but the full extras shares one release profile, so that each
/// dependency is compiled once and checked once.
pub fn run(options: &Options) -> Outcome {
    step("format", &mut cargo("fmt --all --check"))?;
    println!("\n== structure");
    structure::run()?;
    step(
        "lints",
        &mut cargo("clippy --workspace --all-targets --release -- -D warnings"),
    )?;
    step(
        "lints without the window",
        &mut cargo("clippy --release -p pliant-cli --no-default-features -- -D warnings"),
    )?;
    step(
        "documents",
        cargo("doc --workspace --no-deps --release").env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    // tests and program in one go: the features of the dependencies are then those of the test command
    step(
        "build",
        &mut cargo("build --release --workspace --bins --tests"),
    )?;
    without_display()?;
    examples()?;
    if options.tools {
        tools::run()?;
    } else {
        println!("\n== left out: groups that need a tool of this machine (--no-tools)");
    }
    if options.full {
        step("numeric crates with overflow checks", &mut cargo(NUMERIC))?;
        step(
            "program without the window",
            &mut cargo(
                "build --release -p pliant-cli --no-default-features --target-dir target/no-window",
            ),
        )?;
    } else {
        println!("\n== left out: tests in the dev profile, build without the window (--full)");
    }
    step("tests", &mut cargo(TESTS))
}

/// The program without a display must end well and leave its report.
fn without_display() -> Outcome {
    let title = "no display";
    let folder = fresh_folder("no-display")?;
    let mut pliant = Command::new(program());
    pliant.current_dir(&folder).args(["--quiet", "--no-cache"]);
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        pliant.env_remove(name);
    }
    if cfg!(any(target_os = "windows", target_os = "macos")) {
        println!("\n== left out: {title} (this system always has one)");
        return Ok(());
    }
    step(title, &mut pliant)?;
    expect_file(title, &folder.join("pliant-out/welcome/report.html"))
}

/// Every example of the library `pliant`, in an empty folder: a fresh clone has nothing else.
fn examples() -> Outcome {
    step(
        "examples",
        &mut cargo("build --release -p pliant --examples"),
    )?;
    for name in example_names()? {
        let title = format!("example {name}");
        let folder = fresh_folder(&format!("example-{name}"))?;
        let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        let program = target().join("release/examples").join(file);
        step(&title, Command::new(program).current_dir(&folder))?;
    }
    Ok(())
}

/// Names of the examples of the library, a file or a folder each, in order.
fn example_names() -> Result<Vec<String>, String> {
    let folder = root().join("pliant/examples");
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if let Some(name) = path.file_stem() {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort_unstable();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_names_every_example_and_the_manual_says_what_it_is() {
        let readme = std::fs::read_to_string(root().join("README.md")).expect("a file");
        let chapter = std::fs::read_to_string(root().join("docs/book/extending.md"));
        let chapter = chapter.expect("a chapter");
        for name in example_names().expect("examples") {
            assert!(readme.contains(&format!("`{name}`")), "{name}");
            assert!(chapter.contains(&format!("| `{name}` |")), "{name}");
        }
    }

    #[test]
    fn options_are_known_or_refused() {
        let read = |words: &[&str]| {
            Options::read(&words.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        assert_eq!(
            read(&[]),
            Ok(Options {
                tools: true,
                full: false
            })
        );
        assert_eq!(
            read(&["--full", "--no-tools"]),
            Ok(Options {
                tools: false,
                full: true
            })
        );
        assert!(read(&["--fast"]).is_err_and(|e| e.contains("--fast")));
    }
}
