//! `cargo xtask dist`: binary distributions. `target/dist/` gets a folder and the same as `.tar.gz`: the program, the C library with its header, documents, licences
//! of all linked packages, a software bill of materials, checksums. It also gets a static program without the window, the Python wheel and the page for a browser, each if this machine has
//! the tools, and the checksums of all of them.
//!
//! The same input gives the same bytes: entries are sorted and have no time, owner or path of the machine.

mod archive;
mod contents;
mod documents;
mod licences;
mod notices;
pub mod packages;
mod sbom;
mod standalone;
mod symbols;
mod wheel_and_page;

use std::path::{Path, PathBuf};

use crate::step::files::read_bytes;
use crate::step::{Outcome, cargo, root, step, target};
use contents::Entry;
use notices::{linked, notices, sha256, with_checksums};
use packages::{Packages, Product};

/// The cargo profile of distributed files.
pub const PROFILE: &str = "dist";

/// Builds with a profile of cargo, collects and packs.
pub fn run(profile: &str) -> Outcome {
    let built = build(profile)?;
    let packages = linked(Product::Archive)?;
    let name = format!("pliant-{}-{}", packages.version, packages.host);
    let entries = entries(&built, &packages)?;
    let out = target().join("dist");
    contents::write(&out.join(&name), &entries)?;
    let mut files = vec![(format!("{name}.tar.gz"), archive::tar_gz(&name, &entries)?)];
    let mut add = |name: String, bytes: Option<Vec<u8>>| files.extend(bytes.map(|b| (name, b)));
    let name = format!("{name}-static");
    let flags = remapped_paths();
    let program = standalone::archive(&name, profile, &flags)?;
    add(format!("{name}.tar.gz"), program);
    let name = format!("pliant-{}-web", packages.version);
    add(
        format!("{name}.tar.gz"),
        wheel_and_page::page(&name, &flags)?,
    );
    if let Some(wheel) = wheel_and_page::wheel(&flags)? {
        let name = wheel.file_name().unwrap_or_default().to_string_lossy();
        add(name.into_owned(), Some(read_bytes(&wheel)?));
    }
    println!();
    let mut sums = String::new();
    for (name, bytes) in &files {
        wheel_and_page::write_artifact(&out, name, bytes)?;
        sums.push_str(&format!("{}  {name}\n", sha256(bytes)));
    }
    wheel_and_page::write_artifact(&out, "SHA256SUMS", sums.as_bytes())?;
    print!("{sums}");
    Ok(())
}

/// Builds, and returns the folder of the build. A profile other than `dist` is for inspecting the archive: it reuses earlier builds, which contain paths of this machine.
fn build(profile: &str) -> Result<PathBuf, String> {
    let mut command = cargo("build --locked -p pliant-cli -p pliant-ffi --profile");
    command.arg(profile);
    if profile != PROFILE {
        step("build", &mut command)?;
        return Ok(target().join(profile));
    }
    let folder = target().join("xtask").join("dist");
    command.arg("--target-dir").arg(&folder);
    step("build", command.env("RUSTFLAGS", remapped_paths()))?;
    Ok(folder.join(PROFILE))
}

/// Compiler flags that replace the folders of this machine. Otherwise panic messages would contain them.
fn remapped_paths() -> String {
    let mut flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    for (from, to) in remapped_folders() {
        flags.push_str(&format!(" --remap-path-prefix={}={to}", from.display()));
    }
    flags.trim().to_string()
}

/// Folders of this machine and their replacements. If several match, the last one applies.
fn remapped_folders() -> Vec<(PathBuf, &'static str)> {
    let mut folders = Vec::new();
    if let Some(home) = std::env::var_os("CARGO_HOME") {
        folders.push((PathBuf::from(home), "cargo"));
    } else if let Some(home) = std::env::home_dir() {
        folders.push((home.join(".cargo"), "cargo"));
    }
    if let Ok(root) = root().canonicalize() {
        folders.push((root, "pliant"));
    }
    folders
}

/// All files of the archive, sorted.
fn entries(built: &Path, packages: &Packages) -> Result<Vec<Entry>, String> {
    use std::env::consts::{DLL_PREFIX, DLL_SUFFIX, EXE_SUFFIX};
    let (program, library) = (
        format!("pliant{EXE_SUFFIX}"),
        format!("{DLL_PREFIX}pliant_ffi{DLL_SUFFIX}"),
    );
    let static_library = if cfg!(windows) {
        "pliant_ffi.lib"
    } else {
        "libpliant_ffi.a"
    };
    let root = root();
    let mut entries = vec![
        Entry::program(&format!("bin/{program}"), &built.join(&program))?,
        Entry::program(&format!("lib/{library}"), &built.join(&library))?,
        Entry::file(
            &format!("lib/{static_library}"),
            &built.join(static_library),
        )?,
        Entry::file("include/pliant.h", &root.join("ffi/include/pliant.h"))?,
        Entry::file("examples/poke.c", &root.join("ffi/examples/poke.c"))?,
    ];
    entries.extend(documents::documents()?);
    let glibc_versions = entries
        .iter()
        .take(2)
        .map(|e| symbols::newest_glibc(&e.bytes));
    let glibc = glibc_versions.flatten().max();
    entries.push(Entry::text(
        "README.md",
        contents::readme(packages, glibc, &library),
    ));
    entries.extend(notices(packages)?);
    documents::check(&entries)?;
    Ok(with_checksums(entries))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn everything_is_packed_twice_to_the_same_bytes() {
        use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
        let folder = tempfile::tempdir().expect("a folder");
        let library = format!("{DLL_PREFIX}pliant_ffi{DLL_SUFFIX}");
        for name in ["pliant", &library, "libpliant_ffi.a"] {
            let bytes = format!("\x7fELF stands for {name}\0GLIBC_2.34\0");
            std::fs::write(folder.path().join(name), bytes).expect("written");
        }
        let packages = packages::read(Product::Archive).expect("cargo metadata");
        let packed = || {
            let entries = entries(folder.path(), &packages).expect("all files are there");
            (
                archive::tar_gz("pliant", &entries).expect("short paths"),
                entries,
            )
        };
        let (bytes, entries) = packed();
        assert_eq!(bytes, packed().0);
        let text = |path: &str| {
            let entry = entries.iter().find(|e| e.path == path);
            String::from_utf8_lossy(&entry.expect(path).bytes).into_owned()
        };
        assert!(text("README.md").contains("It needs glibc 2.34 or newer."));
        assert!(text("THIRD-PARTY-LICENSES.txt").contains("Permission is hereby granted"));
        let sums = text("SHA256SUMS");
        assert_eq!(
            sums.lines().count(),
            entries.len() - 1,
            "all files but itself"
        );
        assert!(sums.contains("  include/pliant.h\n"));
        assert!(sums.contains("  docs/book/first-ten-minutes.md\n"));
        assert_eq!(documents::check(&entries), Ok(()));
        contents::write(&folder.path().join("out"), &entries).expect("written");
        assert!(folder.path().join("out/bin/pliant").is_file());
    }
}
