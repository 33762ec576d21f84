//! All checks that must pass before a change is merged, the quick ones first.

use std::process::Command;

use crate::step::files::read_folder;
use crate::step::{Outcome, cargo, expect_file, fresh_folder, program, root, step, target};
use crate::structure;
use crate::tools;

/// The README's test command.
const TESTS: &str = "test --release --workspace";
/// The crates whose arithmetic is also tested with overflow checks and debug assertions.
const NUMERIC: &str = "test -p pliant-core -p pliant-contact -p pliant-adaptive -p pliant-quasistatic -p pliant-lattice";

/// Runs all steps and stops at the first failure. All steps but those of `--full` share the release profile, so that each
/// dependency is compiled once and checked once.
///
/// `--no-tools` leaves out the groups that need a tool of this machine. `--full` adds the steps that compile the dependencies a second time.
pub fn run(no_tools: bool, full: bool) -> Outcome {
    step("format", &mut cargo("fmt --all --check"))?;
    println!("\n== structure");
    structure::run()?;
    step(
        "lints",
        &mut cargo("clippy --workspace --all-targets --release -- -D warnings"),
    )?;
    step(
        "documents",
        cargo("doc --workspace --no-deps --release").env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    // tests, programs and examples in the build of the test command: with other packages dependencies have other features and are compiled again
    step("build", cargo(TESTS).arg("--no-run"))?;
    without_display()?;
    examples()?;
    if no_tools {
        println!("\n== left out: groups that need a tool of this machine (--no-tools)");
    } else {
        tools::run()?;
    }
    if full {
        step("numeric crates with overflow checks", &mut cargo(NUMERIC))?;
        step(
            "lints without the window",
            &mut cargo("clippy --release -p pliant-cli --no-default-features -- -D warnings"),
        )?;
        step(
            "program without the window",
            &mut cargo(
                "build --release -p pliant-cli --no-default-features --target-dir target/no-window",
            ),
        )?;
    } else {
        println!(
            "\n== left out: tests in the dev profile, lints and build without the window (--full)"
        );
    }
    step("tests", &mut cargo(TESTS))
}

/// Without a display the program must succeed and write its report.
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

/// Runs every example of the library `pliant` in an empty folder, as in a fresh clone.
fn examples() -> Outcome {
    for name in example_names()? {
        let title = format!("example {name}");
        let folder = fresh_folder(&format!("example-{name}"))?;
        let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        let program = target().join("release/examples").join(file);
        step(&title, Command::new(program).current_dir(&folder))?;
    }
    Ok(())
}

/// Names of the examples of the library, sorted. Each is a file or a folder.
fn example_names() -> Result<Vec<String>, String> {
    let mut names = read_folder(&root().join("pliant/examples"))?;
    for name in &mut names {
        name.truncate(name.trim_end_matches(".rs").len());
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_names_every_example_and_the_manual_describes_it() {
        let readme = std::fs::read_to_string(root().join("README.md")).expect("a file");
        let chapter = std::fs::read_to_string(root().join("docs/book/extending.md"));
        let chapter = chapter.expect("a chapter");
        for name in example_names().expect("examples") {
            assert!(readme.contains(&format!("`{name}`")), "{name}");
            assert!(chapter.contains(&format!("| `{name}` |")), "{name}");
        }
    }
}
