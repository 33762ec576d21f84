//! `cargo xtask web`: the viewer as a static page, below `target/web`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::robustness::compiler::Compiler;
use crate::step::{Outcome, cargo, expect_file, root, step, target};
use crate::tools::find;

/// What the page is built for.
pub const TARGET: &str = "wasm32-unknown-unknown";
/// Vector instructions, which every browser with WebGL 2 has had since 2023.
const FLAGS: &str = "-C target-feature=+simd128";

/// Builds the page. What stands behind `web` goes to cargo, for example `-Zbuild-std=std,panic_abort` where the standard library of the target is not installed; `flags` are more flags of the compiler.
pub fn run(arguments: &[String], flags: &str) -> Outcome {
    let bindgen = bindgen()?;
    let mut build = cargo("build --profile web --package pliant-web --target");
    build
        .arg(TARGET)
        .args(arguments)
        .env("RUSTFLAGS", format!("{FLAGS} {flags}").trim());
    step("program of the page", &mut build).map_err(|e| {
        format!("{e}; `rustup target add {TARGET}` installs the target where it is missing")
    })?;
    let program = target().join(TARGET).join("web/pliant_web.wasm");
    let folder = target().join("web");
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
    std::fs::copy(&page, folder.join("index.html"))
        .map_err(|e| format!("{} cannot be copied: {e}", page.display()))?;
    expect_file("page", &module)?;
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
    let own = Compiler::ask()?.libraries;
    let library = own.with_file_name(TARGET);
    match library.is_dir() {
        true => Ok(()),
        false => Err(format!(
            "no standard library for {TARGET}: `rustup target add {TARGET}`"
        )),
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
    let file = root().join("Cargo.lock");
    let text = std::fs::read_to_string(&file)
        .map_err(|e| format!("{} cannot be read: {e}", file.display()))?;
    version_in(&text, package).ok_or_else(|| format!("{} has no {package}", file.display()))
}

fn version_in(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name).skip(1);
    let version = lines.next()?.strip_prefix("version = \"")?;
    version.strip_suffix('"').map(str::to_string)
}

fn megabytes(folder: &Path) -> Result<f64, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let sizes = entries.flatten().filter_map(|entry| entry.metadata().ok());
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
}
