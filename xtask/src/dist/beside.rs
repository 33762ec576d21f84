//! What is given away beside the archive, each where this machine can make it: the Python wheel and the page of a browser.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::archive;
use super::contents::Entry;
use crate::packages::web;
use crate::step::{Outcome, root, step, target};
use crate::tools::find;

/// The wheel, built by maturin into a folder of its own. `None` where maturin is missing.
pub fn wheel() -> Result<Option<PathBuf>, String> {
    let Some(maturin) = find("maturin") else {
        println!(
            "\n== left out: the wheel (no `maturin` on the search path: `pip install maturin`)"
        );
        return Ok(None);
    };
    let folder = absolute(&target().join("xtask").join("dist-wheel"))?;
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    match std::fs::remove_dir_all(&folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(failed(e)),
        _ => std::fs::create_dir_all(&folder).map_err(failed)?,
    }
    let mut command = Command::new(maturin);
    command
        .current_dir(root().join("python"))
        .args(["build", "--release", "--locked", "--out"])
        .arg(&folder)
        .env(
            "CARGO_TARGET_DIR",
            absolute(&target().join("python/cargo"))?,
        );
    step("wheel", &mut command)?;
    let files = std::fs::read_dir(&folder).map_err(failed)?;
    let mut files = files.flatten().map(|entry| entry.path());
    let wheel = files.find(|file| file.extension().is_some_and(|e| e == "whl"));
    wheel
        .map(Some)
        .ok_or_else(|| format!("{} has no wheel", folder.display()))
}

/// The page as an archive of the folder that a web server shows. `None` where a tool is missing.
pub fn page(name: &str) -> Result<Option<Vec<u8>>, String> {
    if let Err(reason) = web::is_possible() {
        println!("\n== left out: the page of a browser ({reason})");
        return Ok(None);
    }
    web::run(&[])?;
    let entries = files_of(&target().join("web"))?;
    archive::tar_gz(name, &entries).map(Some)
}

/// Writes an archive or copies a file, and tells its size.
pub fn keep(out: &Path, name: &str, bytes: &[u8]) -> Outcome {
    let file = out.join(name);
    std::fs::write(&file, bytes).map_err(|e| format!("{}: {e}", file.display()))?;
    println!("{}: {:.1} MB", file.display(), bytes.len() as f64 / 1e6);
    Ok(())
}

/// The files of a folder, sorted.
fn files_of(folder: &Path) -> Result<Vec<Entry>, String> {
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_file() {
            entries.push(Entry::file(&name, &entry.path())?);
        }
    }
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(entries)
}

fn absolute(path: &Path) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|e| format!("{} has no path: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

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
