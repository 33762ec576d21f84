//! `cargo xtask web`: builds the viewer as a static page in `target/page`. (`target/web` is the folder of cargo.)

use std::path::{Path, PathBuf};
use std::process::Command;

use super::browser;
use crate::robustness::compiler::Compiler;
use crate::step::files::{read_bytes, read_folder, read_text, write};
use crate::step::{Outcome, cargo, expect_file, root, step, target};
use crate::tools::find;

/// Target triple of the page.
pub const TARGET: &str = "wasm32-unknown-unknown";
/// Vector instructions, which every browser with WebGL 2 has had since 2023.
const FLAGS: &str = "-C target-feature=+simd128";

/// Builds the page. `arguments` go to cargo; `flags` are additional compiler flags.
pub fn run(arguments: &[String], flags: &str) -> Outcome {
    let bindgen = bindgen()?;
    let mut build = cargo("build --profile web --package pliant-web --target");
    build
        .arg(TARGET)
        .args(StandardLibrary::find()?.arguments())
        .args(arguments)
        .env("RUSTFLAGS", format!("{FLAGS} {flags}").trim());
    step("program of the page", &mut build)?;
    let program = target().join(TARGET).join("web/pliant_web.wasm");
    let folder = target().join("page");
    let mut glue = Command::new(bindgen);
    let words = "--target web --no-typescript --out-name pliant --out-dir";
    glue.args(words.split(' ')).args([&folder, &program]);
    step("glue of the page", &mut glue)?;
    let module = folder.join("pliant_bg.wasm");
    if let Some(optimizer) = find("wasm-opt") {
        let mut optimize = Command::new(optimizer);
        optimize
            .args(["-O3", "--all-features", "-o"])
            .args([&module, &module]);
        step("optimised program", &mut optimize)?;
    }
    let page = root().join("web/page/index.html");
    write(&folder.join("index.html"), read_bytes(&page)?)?;
    expect_file("page", &module)?;
    browser::check(&folder)?;
    println!(
        "\n{}: {:.1} MB; any web server shows it, for example `python3 -m http.server --directory {}`",
        folder.display(),
        megabytes(&folder)?,
        folder.display()
    );
    Ok(())
}

/// An error says what is missing for building the page.
pub fn is_possible() -> Outcome {
    bindgen()?;
    StandardLibrary::find().map(|_| ())
}

/// Where the standard library of the page comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StandardLibrary {
    /// It is installed with the compiler.
    Installed,
    /// Only its sources are installed, as with the compilers of some distributions. Cargo builds it.
    Built,
}

impl StandardLibrary {
    /// The one of the installed compiler. An error says how to get it.
    fn find() -> Result<Self, String> {
        let host_libraries = Compiler::query()?.libraries;
        let unstable = std::env::var_os("RUSTC_BOOTSTRAP").is_some();
        Self::locate(&host_libraries, unstable)
    }

    /// `host_libraries` is the folder of the libraries for this machine. Sources suffice if `unstable` options are allowed.
    fn locate(host_libraries: &Path, unstable: bool) -> Result<Self, String> {
        let sources = host_libraries.with_file_name("src/rust/library/std");
        if host_libraries.with_file_name(TARGET).is_dir() {
            Ok(Self::Installed)
        } else if unstable && sources.is_dir() {
            Ok(Self::Built)
        } else {
            Err(format!(
                "no standard library for {TARGET}: `rustup target add {TARGET}`, or the sources of the library and RUSTC_BOOTSTRAP=1"
            ))
        }
    }

    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Installed => &[],
            Self::Built => &["-Zbuild-std=std,panic_abort"],
        }
    }
}

/// The path of wasm-bindgen. It has to have the version that the program is linked with.
fn bindgen() -> Result<PathBuf, String> {
    let version = locked_version("wasm-bindgen")?;
    let install = format!("cargo install wasm-bindgen-cli --version {version}");
    let program = find("wasm-bindgen")
        .ok_or_else(|| format!("no `wasm-bindgen` on the search path: `{install}`"))?;
    let output = Command::new(&program).arg("--version").output();
    let output = output.map_err(|e| format!("{} cannot be started: {e}", program.display()))?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    match printed.split_whitespace().nth(1) == Some(&version) {
        true => Ok(program),
        false => Err(format!(
            "{} is not version {version}: `{install}`",
            printed.trim()
        )),
    }
}

/// Version of a package in `Cargo.lock`.
fn locked_version(package: &str) -> Result<String, String> {
    let text = read_text(&root().join("Cargo.lock"))?;
    version_in(&text, package).ok_or_else(|| format!("Cargo.lock has no {package}"))
}

fn version_in(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name).skip(1);
    let version = lines.next()?.strip_prefix("version = \"")?;
    version.strip_suffix('"').map(str::to_string)
}

fn megabytes(folder: &Path) -> Result<f64, String> {
    let files = read_folder(folder)?.into_iter();
    let sizes = files.filter_map(|name| std::fs::metadata(folder.join(name)).ok());
    Ok(sizes.map(|data| data.len()).sum::<u64>() as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_package_itself() {
        let lock = "[[package]]\nname = \"glue-macro\"\nversion = \"0.3.0\"\n\n[[package]]\nname = \"glue\"\nversion = \"0.2.9\"\n";
        assert_eq!(version_in(lock, "glue").as_deref(), Some("0.2.9"));
        assert_eq!(version_in(lock, "glu"), None);
    }

    #[test]
    fn the_standard_library_is_installed_or_built_where_that_is_allowed() {
        let folder = tempfile::tempdir().expect("a folder");
        let host_libraries = folder.path().join("x86_64-unknown-linux-gnu");
        let make =
            |path: &str| std::fs::create_dir_all(folder.path().join(path)).expect("a folder");
        make("src/rust/library/std");
        let refusal = StandardLibrary::locate(&host_libraries, false).expect_err("no library");
        assert!(refusal.contains("rustup target add"), "{refusal}");
        assert_eq!(
            StandardLibrary::locate(&host_libraries, true),
            Ok(StandardLibrary::Built)
        );
        make(TARGET);
        assert_eq!(
            StandardLibrary::locate(&host_libraries, true),
            Ok(StandardLibrary::Installed)
        );
    }
}
