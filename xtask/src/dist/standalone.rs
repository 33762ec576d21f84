//! The program without the window, linked statically: for servers, containers and old machines.

use std::path::{Path, PathBuf};

use super::archive;
use super::contents::{self, Entry};
use super::notices::{linked, notices, with_checksums};
use super::packages::{Packages, Product};
use super::symbols::names_an_interpreter;
use crate::step::{cargo, step, target};

/// The archive of the static program; `None` on systems that cannot link one.
pub fn archive(name: &str, profile: &str, flags: &str) -> Result<Option<Vec<u8>>, String> {
    let packages = &linked(Product::Standalone)?;
    if !packages.host.ends_with("-linux-gnu") && !packages.host.ends_with("-linux-musl") {
        println!(
            "\n== left out: the static program (this system links every program with its own libraries)"
        );
        return Ok(None);
    }
    let program = build(packages, profile, flags)?;
    let entries = entries(&program, packages)?;
    archive::tar_gz(name, &entries).map(Some)
}

/// Builds the static program. The flags apply to the target only, not to build scripts.
fn build(packages: &Packages, profile: &str, flags: &str) -> Result<PathBuf, String> {
    let folder = target().join("xtask").join("dist-static");
    let mut command = cargo("build --locked -p pliant-cli --no-default-features --profile");
    command
        .arg(profile)
        .args(["--target", &packages.host, "--target-dir"])
        .arg(&folder)
        .env(
            "RUSTFLAGS",
            format!("{flags} -C target-feature=+crt-static").trim(),
        );
    step("static program", &mut command)?;
    let built = match profile {
        "dev" => "debug",
        other => other,
    };
    Ok(folder.join(&packages.host).join(built).join("pliant"))
}

/// All files of the archive, sorted.
fn entries(program: &Path, packages: &Packages) -> Result<Vec<Entry>, String> {
    let program = Entry::program("bin/pliant", program)?;
    if names_an_interpreter(&program.bytes) {
        return Err("the static program asks for a dynamic linker".into());
    }
    let readme = contents::standalone_readme(packages);
    let mut entries = vec![program, Entry::text("README.md", readme)];
    entries.extend(notices(packages)?);
    Ok(with_checksums(entries))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notices_are_those_of_the_program_without_the_window() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("pliant");
        // no segment at all, so that no interpreter is named
        let mut elf = vec![0; 64];
        elf[..4].copy_from_slice(b"\x7fELF");
        std::fs::write(&program, elf).expect("written");
        let packages = linked(Product::Standalone).expect("permissive");
        let entries = entries(&program, &packages).expect("all files are there");
        let text = |path: &str| {
            let entry = entries.iter().find(|e| e.path == path);
            String::from_utf8_lossy(&entry.expect(path).bytes).into_owned()
        };
        for notice in [
            "THIRD-PARTY.md",
            "THIRD-PARTY-LICENSES.txt",
            "sbom.cdx.json",
        ] {
            let text = text(notice);
            assert!(
                text.contains("nalgebra") && !text.contains("eframe"),
                "{notice}"
            );
        }
        let sums = text("SHA256SUMS");
        assert_eq!(sums.lines().count(), entries.len() - 1);
        assert!(sums.contains("  bin/pliant\n") && sums.contains("  LICENSE-MIT\n"));
    }
}
