//! What is given away beside the archive, each where this machine can make it: the Python wheel and the page of a browser.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::archive;
use super::bill;
use super::contents::Entry;
use super::licences;
use super::packages::Product;
use super::papers::{linked, papers, with_sums};
use crate::packages::web;
use crate::step::files::{absolute, make_folder, read_folder, write};
use crate::step::{Outcome, root, step, target};
use crate::tools::find;

/// Largest size of a wheel, bytes.
const LARGEST_WHEEL: u64 = 15_000_000;
/// Where maturin finds the licences of what the wheel links.
const THIRD_PARTY: &str = "python/LICENSE-THIRD-PARTY.md";

/// The wheel, built by maturin into a folder of its own. `None` where maturin is missing.
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
    // wheels of other versions; what cargo built is kept
    while let Some(file) = wheel_in(&folder)? {
        std::fs::remove_file(file).map_err(failed)?;
    }
    let packages = linked(Product::Wheel)?;
    let bill = folder.join("sbom.cdx.json");
    write(&bill, bill::cyclone_dx(&packages)?)?;
    // beside the licences, which maturin puts into the wheel; it is there only while the wheel is built
    let list = Kept::write(root().join(THIRD_PARTY), &licences::whole(&packages)?)?;
    let mut command = Command::new(maturin);
    command
        .current_dir(root().join("python"))
        .args(["build", "--release", "--locked", "--out"])
        .arg(&folder)
        .arg("--sbom-include")
        .arg(&bill)
        .env("RUSTFLAGS", flags)
        .env("CARGO_TARGET_DIR", folder.join("cargo"));
    step("wheel", &mut command)?;
    drop(list);
    let wheel = wheel_in(&folder)?;
    let wheel = wheel.ok_or_else(|| format!("{} has no wheel", folder.display()))?;
    let bytes = std::fs::metadata(&wheel).map_err(failed)?.len();
    fits(bytes).map(|()| Some(wheel))
}

/// A wheel in a folder.
fn wheel_in(folder: &Path) -> Result<Option<PathBuf>, String> {
    let mut names = read_folder(folder)?.into_iter();
    let wheel = names.find(|name| name.ends_with(".whl"));
    Ok(wheel.map(|name| folder.join(name)))
}

/// An error where a wheel is larger than it may be.
fn fits(bytes: u64) -> Outcome {
    match bytes <= LARGEST_WHEEL {
        true => Ok(()),
        false => Err(format!(
            "the wheel has {:.1} MB, more than {:.0}",
            bytes as f64 / 1e6,
            LARGEST_WHEEL as f64 / 1e6
        )),
    }
}

/// A file that goes with this value.
struct Kept(PathBuf);

impl Kept {
    fn write(file: PathBuf, text: &str) -> Result<Self, String> {
        write(&file, text)?;
        Ok(Self(file))
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // git ignores it, and the next wheel overwrites it
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The page as an archive of the folder that a web server shows. `None` where a tool is missing.
pub fn page(name: &str, flags: &str) -> Result<Option<Vec<u8>>, String> {
    if let Err(reason) = web::is_possible() {
        println!("\n== left out: the page of a browser ({reason})");
        return Ok(None);
    }
    web::run(&[], flags)?;
    let mut entries = files_of(&target().join("page"))?;
    entries.extend(papers(&linked(Product::Page)?)?);
    let entries = with_sums(entries);
    archive::tar_gz(name, &entries).map(Some)
}

/// Writes an archive or copies a file, and tells its size.
pub fn keep(out: &Path, name: &str, bytes: &[u8]) -> Outcome {
    let file = out.join(name);
    write(&file, bytes)?;
    println!("{}: {:.1} MB", file.display(), bytes.len() as f64 / 1e6);
    Ok(())
}

/// The files of a folder, sorted.
fn files_of(folder: &Path) -> Result<Vec<Entry>, String> {
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
        assert_eq!(fits(LARGEST_WHEEL), Ok(()));
        let wrong = fits(LARGEST_WHEEL + 100_000).expect_err("too large");
        assert_eq!(wrong, "the wheel has 15.1 MB, more than 15");
    }

    #[test]
    fn a_kept_file_goes_with_its_value() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("list");
        let kept = Kept::write(file.clone(), "packages").expect("written");
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
        let entries = files_of(folder.path()).expect("read");
        let paths: Vec<&str> = entries.iter().map(|e| e.path.as_str()).collect();
        assert_eq!(paths, ["a.html", "b.js"]);
        assert!(files_of(&folder.path().join("missing")).is_err());
    }
}
