//! Files of the distribution.

use std::path::Path;

use super::packages::Packages;
use crate::step::files::{self, make_folder, make_runnable, read_bytes};
use crate::step::{Outcome, create_empty};

/// A file of the distribution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Path inside the archive, with slashes.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Whether it has the permission to be executed.
    pub is_executable: bool,
}

impl Entry {
    /// A file of the repository or of the build.
    pub fn file(path: &str, from: &Path) -> Result<Self, String> {
        Ok(Self {
            path: path.into(),
            bytes: read_bytes(from)?,
            is_executable: false,
        })
    }

    /// A program or shared library of the build.
    pub fn program(path: &str, from: &Path) -> Result<Self, String> {
        Ok(Self {
            is_executable: true,
            ..Self::file(path, from)?
        })
    }

    /// A generated text.
    pub fn text(path: &str, text: String) -> Self {
        Self {
            path: path.into(),
            bytes: text.into_bytes(),
            is_executable: false,
        }
    }
}

/// Writes the files to a folder, which is emptied first.
pub fn write(folder: &Path, entries: &[Entry]) -> Outcome {
    create_empty(folder)?;
    for entry in entries {
        let file = folder.join(&entry.path);
        make_folder(&file.with_file_name(""))?;
        files::write(&file, &entry.bytes)?;
        if entry.is_executable {
            make_runnable(&file)?;
        }
    }
    Ok(())
}

/// The README of the archive with the static program.
pub fn standalone_readme(packages: &Packages) -> String {
    format!(
        "# Pliant {version}, without the window\n\n\
         One program that needs no library of the system. It runs on every Linux for this processor, also in an empty container.\n\n\
         ```sh\n\
         bin/pliant some-mesh.stl  # three methods on your mesh; a report with pictures and curves\n\
         bin/pliant doctor         # what this machine supports\n\
         bin/pliant --help         # all commands\n\
         ```\n\n\
         Built for {host}. `THIRD-PARTY.md` names the packages that are linked, `THIRD-PARTY-LICENSES.txt` has their licences, `sbom.cdx.json` is the same list in machine-readable form (CycloneDX). \
         The C library of the system (glibc, LGPL 2.1) is linked too; the sources of this version and `cargo xtask dist` link the program with another one. \
         `sha256sum -c SHA256SUMS` checks all files.\n\n\
         Licence: MIT or Apache-2.0, as you prefer.\n",
        version = packages.version,
        host = packages.host,
    )
}

/// The README of the archive.
pub fn readme(packages: &Packages, glibc: Option<(u32, u32)>, library: &str) -> String {
    let needs = match glibc {
        Some((major, minor)) => format!("It needs glibc {major}.{minor} or newer. "),
        None => String::new(),
    };
    format!(
        "# Pliant {version}\n\n\
         Three methods deform your mesh in real time, side by side, with the same tools.\n\n\
         ```sh\n\
         bin/pliant                # the window; without a display: a report with pictures and curves\n\
         bin/pliant some-mesh.stl  # your own mesh\n\
         bin/pliant doctor         # what this machine supports\n\
         ```\n\n\
         Built for {host}. {needs}The window needs OpenGL 3.3, `libxkbcommon` and the X11 or Wayland client libraries; where something is missing, the program says so and writes the \
         report instead.\n\n\
         | file | is |\n|---|---|\n\
         | `bin/pliant` | the program; `docs/cli.md` and `docs/scenes.md` describe it |\n\
         | `docs/` | the manual: [the first ten minutes](docs/book/first-ten-minutes.md), [all chapters](docs/SUMMARY.md) |\n\
         | `lib/{library}`, `lib/libpliant_ffi.a`, `include/pliant.h` | the library for C and everything that calls C; `C.md` and `examples/poke.c` show how |\n\
         | `THIRD-PARTY.md`, `THIRD-PARTY-LICENSES.txt` | packages that are linked, with their licences |\n\
         | `sbom.cdx.json` | the same list in machine-readable form (CycloneDX) |\n\
         | `SHA256SUMS` | `sha256sum -c SHA256SUMS` checks all files |\n\n\
         Licence: MIT or Apache-2.0, as you prefer. `SECURITY.md` says how to report a vulnerability, `docs/versions.md` what stays the same between versions.\n",
        version = packages.version,
        host = packages.host,
    )
}
