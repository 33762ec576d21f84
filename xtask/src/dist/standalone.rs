//! The program without the window, linked so that it needs no library of the system: for servers, containers and old machines.

use std::path::{Path, PathBuf};

use super::archive;
use super::contents::{self, Entry};
use super::licences;
use super::packages::Packages;
use super::symbols::names_an_interpreter;
use crate::step::{cargo, step, target};

/// The archive of the static program; `None` on systems where one cannot be linked.
pub fn archive(
    name: &str,
    packages: &Packages,
    profile: &str,
    flags: &str,
) -> Result<Option<Vec<u8>>, String> {
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

/// The flags are for the target alone: programs that run while it is built stay as they are.
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

fn entries(program: &Path, packages: &Packages) -> Result<Vec<Entry>, String> {
    let root = crate::step::root();
    let program = Entry::program("bin/pliant", program)?;
    if names_an_interpreter(&program.bytes) {
        return Err("the static program asks for a dynamic linker".into());
    }
    let mut entries = vec![
        program,
        Entry::text("README.md", contents::standalone_readme(packages)),
        Entry::text("THIRD-PARTY.md", licences::list(packages)),
        Entry::text("THIRD-PARTY-LICENSES.txt", licences::texts(packages)?),
    ];
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        entries.push(Entry::file(name, &root.join(name))?);
    }
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(entries)
}
