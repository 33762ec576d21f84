//! Products besides the archive, each built where this machine has the tools: the Python wheel and the web page.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::archive;
use super::contents::Entry;
use super::licences;
use super::notices::{linked, notices, with_checksums};
use super::packages::Product;
use super::sbom;
use crate::packages::web;
use crate::step::files::{absolute, make_folder, read_folder, write};
use crate::step::{Outcome, root, step, target};
use crate::tools::find;

/// Largest allowed size of a wheel, bytes.
const MAX_WHEEL_BYTES: u64 = 15_000_000;
/// Where maturin finds the licences of the packages that the wheel links.
const THIRD_PARTY: &str = "python/LICENSE-THIRD-PARTY.md";

/// The wheel, built by maturin in a separate folder. `None` if maturin is missing.
pub fn wheel(flags: &str) -> Result<Option<PathBuf>, String> {
    let Some(maturin) = find("maturin") else {
        println!(
            "\n== left out: the wheel (no `maturin` on the search path: `pip install maturin`)"
        );
        return Ok(None);
    };
    let folder = absolute(&target().join("xtask").join("dist-wheel"))?;
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    make_folder(&folder)?;
    // remove wheels of other versions, but not what cargo built
    while let Some(file) = wheel_in(&folder)? {
        std::fs::remove_file(file).map_err(failed)?;
    }
    let packages = linked(Product::Wheel)?;
    let sbom = folder.join("sbom.cdx.json");
    write(&sbom, sbom::cyclone_dx(&packages)?)?;
    // next to the licences, which maturin puts into the wheel; the file exists only while the wheel is built
    let list = TemporaryFile::write(
        root().join(THIRD_PARTY),
        &licences::list_with_texts(&packages)?,
    )?;
    let mut command = Command::new(maturin);
    command
        .current_dir(root().join("python"))
        .args(["build", "--release", "--locked", "--out"])
        .arg(&folder)
        .arg("--sbom-include")
        .arg(&sbom)
        .env("RUSTFLAGS", flags)
        .env("CARGO_TARGET_DIR", folder.join("cargo"));
    step("wheel", &mut command)?;
    drop(list);
    let wheel = wheel_in(&folder)?;
    let wheel = wheel.ok_or_else(|| format!("{} has no wheel", folder.display()))?;
    let bytes = std::fs::metadata(&wheel).map_err(failed)?.len();
    check_wheel_size(bytes).map(|()| Some(wheel))
}

/// The first wheel in a folder.
fn wheel_in(folder: &Path) -> Result<Option<PathBuf>, String> {
    let mut names = read_folder(folder)?.into_iter();
    let wheel = names.find(|name| name.ends_with(".whl"));
    Ok(wheel.map(|name| folder.join(name)))
}

/// An error if a wheel is too large.
fn check_wheel_size(bytes: u64) -> Outcome {
    match bytes <= MAX_WHEEL_BYTES {
        true => Ok(()),
        false => Err(format!(
            "the wheel has {:.1} MB, more than {:.0}",
            bytes as f64 / 1e6,
            MAX_WHEEL_BYTES as f64 / 1e6
        )),
    }
}

/// A file that is removed when this value is dropped.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    fn write(file: PathBuf, text: &str) -> Result<Self, String> {
        write(&file, text)?;
        Ok(Self(file))
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        // git ignores it, and the next wheel overwrites it
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The archive of the folder that a web server serves. `None` if a tool is missing.
pub fn page(name: &str, flags: &str) -> Result<Option<Vec<u8>>, String> {
    if let Err(reason) = web::is_possible() {
        println!("\n== left out: the web page ({reason})");
        return Ok(None);
    }
    web::run(&[], flags)?;
    let mut entries = folder_entries(&target().join("page"))?;
    entries.extend(notices(&linked(Product::Page)?)?);
    let entries = with_checksums(entries);
    archive::tar_gz(name, &entries).map(Some)
}

/// Writes a file of the distribution and prints its size.
pub fn write_artifact(out: &Path, name: &str, bytes: &[u8]) -> Outcome {
    let file = out.join(name);
    write(&file, bytes)?;
    println!("{}: {:.1} MB", file.display(), bytes.len() as f64 / 1e6);
    Ok(())
}

/// The files of a folder, sorted.
fn folder_entries(folder: &Path) -> Result<Vec<Entry>, String> {
    let names = read_folder(folder)?.into_iter();
    let files = names.filter(|name| folder.join(name).is_file());
    files
        .map(|name| Entry::file(&name, &folder.join(&name)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_that_is_too_large_is_an_error() {
        assert_eq!(check_wheel_size(MAX_WHEEL_BYTES), Ok(()));
        let wrong = check_wheel_size(MAX_WHEEL_BYTES + 100_000).expect_err("too large");
        assert_eq!(wrong, "the wheel has 15.1 MB, more than 15");
    }

    #[test]
    fn a_temporary_file_is_removed_with_its_value() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("list");
        let kept = TemporaryFile::write(file.clone(), "packages").expect("written");
        assert_eq!(std::fs::read_to_string(&file).expect("read"), "packages");
        drop(kept);
        assert!(!file.exists());
    }

    #[test]
    fn the_wheel_has_our_licences() {
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let read = |file: PathBuf| std::fs::read_to_string(file).expect("a licence");
            let (ours, there) = (root().join(name), root().join("python").join(name));
            assert_eq!(read(ours), read(there), "{name}");
        }
    }

    #[test]
    fn the_files_of_a_folder_are_sorted_and_folders_left_out() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["b.js", "a.html"] {
            std::fs::write(folder.path().join(name), name).expect("written");
        }
        std::fs::create_dir(folder.path().join("inner")).expect("a folder");
        let entries = folder_entries(folder.path()).expect("read");
        let paths: Vec<&str> = entries.iter().map(|e| e.path.as_str()).collect();
        assert_eq!(paths, ["a.html", "b.js"]);
        assert!(folder_entries(&folder.path().join("missing")).is_err());
    }
}
