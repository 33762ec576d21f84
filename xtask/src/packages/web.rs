//! `cargo xtask web`: the viewer as a static page, below `target/page`: `target/web` is where cargo builds it.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::browser;
use crate::robustness::compiler::Compiler;
use crate::step::files::{read_bytes, read_folder, read_text, write};
use crate::step::{Outcome, cargo, expect_file, root, step, target};
use crate::tools::find;

/// What the page is built for.
pub const TARGET: &str = "wasm32-unknown-unknown";
/// Vector instructions, which every browser with WebGL 2 has had since 2023.
const FLAGS: &str = "-C target-feature=+simd128";

/// Builds the page. What stands behind `web` goes to cargo; `flags` are more flags of the compiler.
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
    glue.args([
        "--target",
        "web",
        "--no-typescript",
        "--out-name",
        "pliant",
        "--out-dir",
    ])
    .args([&folder, &program]);
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

/// An error says what is missing to build the page.
pub fn is_possible() -> Outcome {
    bindgen()?;
    StandardLibrary::find().map(|_| ())
}

/// Where the standard library of the page comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StandardLibrary {
    /// It is installed beside the compiler.
    Installed,
    /// Its sources are, as with the compilers of some distributions; cargo builds it.
    Built,
}

impl StandardLibrary {
    /// What the compiler at hand has. An error says how to get it.
    fn find() -> Result<Self, String> {
        let own = Compiler::ask()?.libraries;
        let unstable = std::env::var_os("RUSTC_BOOTSTRAP").is_some();
        Self::beside(&own, unstable)
    }

    /// `own` is the folder of the libraries for this machine. Sources serve where `unstable` options are allowed.
    fn beside(own: &Path, unstable: bool) -> Result<Self, String> {
        let sources = own.with_file_name("src/rust/library/std");
        if own.with_file_name(TARGET).is_dir() {
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

/// wasm-bindgen of the version that the program is linked with: others refuse it.
fn bindgen() -> Result<PathBuf, String> {
    let wanted = locked_version("wasm-bindgen")?;
    let install = format!("cargo install wasm-bindgen-cli --version {wanted}");
    let found = find("wasm-bindgen")
        .ok_or_else(|| format!("no `wasm-bindgen` on the search path: `{install}`"))?;
    let said = Command::new(&found).arg("--version").output();
    let said = said.map_err(|e| format!("{} cannot be started: {e}", found.display()))?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    match said.split_whitespace().nth(1) == Some(&wanted) {
        true => Ok(found),
        false => Err(format!(
            "{} is not version {wanted}: `{install}`",
            said.trim()
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
        let own = folder.path().join("x86_64-unknown-linux-gnu");
        let make =
            |path: &str| std::fs::create_dir_all(folder.path().join(path)).expect("a folder");
        make("src/rust/library/std");
        let refusal = StandardLibrary::beside(&own, false).expect_err("no library");
        assert!(refusal.contains("rustup target add"), "{refusal}");
        assert_eq!(
            StandardLibrary::beside(&own, true),
            Ok(StandardLibrary::Built)
        );
        make(TARGET);
        assert_eq!(
            StandardLibrary::beside(&own, true),
            Ok(StandardLibrary::Installed)
        );
    }
}
