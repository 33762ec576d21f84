//! `cargo xtask sanitize`: runs unsafe code under AddressSanitizer: the C interface, memory-mapped files, counting allocators, calls into the graphics driver.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::compiler::{Compiler, programs};
use crate::step::files::{absolute, read_bytes, read_folder};
use crate::step::{Outcome, cargo, expect_file, fresh_folder, step, target};
use crate::tools::{find_for, on_virtual_display};

/// Tests that run unsafe code: title, arguments of cargo, arguments of the test program. The C example and the programs of the documents are left out: the C compiler, which links them, has its own sanitizer.
const TESTS: [(&str, &str, &str); 5] = [
    (
        "C interface",
        "-p pliant-ffi --lib --tests",
        "--skip the_example_in_c --skip documents::",
    ),
    ("mapped files", "-p pliant-simulation --lib", "cache::"),
    (
        "counting allocators",
        "-p pliant-adaptive -p pliant-lattice --test allocation",
        "",
    ),
    (
        "cancelled bakes",
        "-p pliant-simulation --test cancelled_bakes",
        "",
    ),
    (
        "readers of damaged meshes",
        "-p pliant-meshing --test fuzz",
        "no_reader_breaks",
    ),
];

/// Builds and runs the tests with the sanitizer. It stops at the first access that is out of bounds or to freed memory. `--no-window` leaves out the window, which needs a virtual display.
pub fn run(no_window: bool) -> Outcome {
    let build = Build::new()?;
    for (title, packages, arguments) in TESTS {
        let built = build.cargo(&format!("test {packages} --no-run --message-format json"));
        for program in programs(built)? {
            expect_sanitizer(&program)?;
        }
        let mut tests = build.cargo(&format!("test {packages} --"));
        tests.args(arguments.split_whitespace());
        step(title, &mut tests)?;
    }
    if no_window {
        println!("\n== left out: the window (--no-window)");
        return Ok(());
    }
    match find_for("the window", "xvfb-run") {
        Some(_) => window(&build),
        None => Ok(()),
    }
}

/// Draws the window for some seconds with a software renderer. Drivers keep memory until the end, so leaks do not count here.
fn window(build: &Build) -> Outcome {
    let title = "window with the sanitizer";
    step(title, &mut build.cargo("build -p pliant-cli"))?;
    let program = build.folder.join("release/pliant");
    expect_sanitizer(&program)?;
    let folder = fresh_folder("sanitize")?;
    let picture = folder.join("window.png");
    let arguments = "poke --play --exit-after 20 --size 1280x800";
    let mut command = on_virtual_display(&program, arguments, &picture);
    command
        .current_dir(&folder)
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .env("LIBGL_ALWAYS_SOFTWARE", "1");
    step(title, &mut command)?;
    expect_file(title, &picture)
}

/// The build with the sanitizer.
struct Build {
    folder: PathBuf,
}

impl Build {
    fn new() -> Result<Self, String> {
        let compiler = Compiler::query()?;
        if !has_runtime(&compiler.libraries.join("lib")) {
            let host = &compiler.host;
            return Err(format!(
                "this toolchain has no AddressSanitizer for {host}: those for Linux on x86-64 and AArch64 have"
            ));
        }
        let folder = absolute(&target().join("sanitize"))?;
        Ok(Self { folder })
    }

    /// Cargo with these arguments; the first is its command. The sanitizer and compiler flags for single crates are unstable; `RUSTC_BOOTSTRAP` enables them in a stable compiler. Dependencies
    /// are built without the sanitizer: their allocations are tracked, their accesses are not checked. Few optimisations shorten the build.
    fn cargo(&self, arguments: &str) -> Command {
        let (word, rest) = arguments.split_once(' ').unwrap_or((arguments, ""));
        let mut command = cargo("-Zprofile-rustflags");
        command
            .args([
                "--config",
                "profile.release.rustflags=['-Zsanitizer=address']",
            ])
            .args(["--config", "profile.release.package.'*'.rustflags=[]"])
            .args([word, "--release", "--locked", "--target-dir"])
            .arg(&self.folder)
            .args(rest.split_whitespace())
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
            .env("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only");
        command
    }
}

/// Whether a folder of libraries has the runtime of the sanitizer, for example `librustc-stable_rt.asan.a`.
fn has_runtime(folder: &Path) -> bool {
    let mut names = read_folder(folder).into_iter().flatten();
    names.any(|name| name.starts_with("librustc") && name.contains("_rt.asan."))
}

/// An error if a program was built without the sanitizer: it would pass without any check.
fn expect_sanitizer(program: &Path) -> Outcome {
    match is_sanitized(&read_bytes(program)?) {
        true => Ok(()),
        false => Err(format!(
            "{} was built without the sanitizer",
            program.display()
        )),
    }
}

fn is_sanitized(bytes: &[u8]) -> bool {
    const NAME: &[u8] = b"AddressSanitizer: ";
    bytes.windows(NAME.len()).any(|w| w == NAME)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::files::{rust_files, workspace_path};

    #[test]
    fn programs_without_the_sanitizer_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("program");
        std::fs::write(&file, "\x7fELF ERROR: AddressSanitizer: %s\0").expect("written");
        assert_eq!(expect_sanitizer(&file), Ok(()));
        std::fs::write(&file, "\x7fELF and nothing else").expect("written");
        assert!(expect_sanitizer(&file).is_err_and(|e| e.contains("without the sanitizer")));
        assert!(expect_sanitizer(&folder.path().join("missing")).is_err());
    }

    #[test]
    fn a_runtime_is_recognised_by_its_name() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("librustc-stable_rt.tsan.a"), "").expect("written");
        assert!(!has_runtime(folder.path()));
        std::fs::write(folder.path().join("librustc-stable_rt.asan.a"), "").expect("written");
        assert!(has_runtime(folder.path()));
        assert!(!has_runtime(&folder.path().join("missing")));
    }

    #[test]
    fn every_file_with_unsafe_code_is_run() {
        // reached by the tests above and the window; a new file has to be added to one of them
        const REACHED: [&str; 6] = [
            "ffi/src/border/",
            "ffi/tests/c_interface/",
            "simulation/src/cache/mapped.rs",
            "fuzzing/src/memory.rs",
            "viewer/src/gl/",
            "viewer/src/skin_check/picture.rs",
        ];
        let root = crate::step::root();
        let mut folders = read_folder(&root).expect("a folder");
        folders.retain(|name| {
            let is_searched = !name.starts_with('.') && name != "target" && name != "xtask";
            is_searched && root.join(name).is_dir()
        });
        let files = folders.iter().map(|name| rust_files(&root.join(name)));
        let mut found = 0;
        for path in files.flat_map(|files| files.expect("a folder")) {
            let name = workspace_path(&path);
            let text = std::fs::read_to_string(&path).expect("a source");
            let is_unsafe = text.contains("unsafe {") || text.contains("unsafe impl");
            if is_unsafe && !text.contains("//! # unsafe {") {
                assert!(
                    REACHED.iter().any(|known| name.starts_with(known)),
                    "{name}"
                );
                found += 1;
            }
        }
        assert!(found > 10, "{found}");
    }
}
