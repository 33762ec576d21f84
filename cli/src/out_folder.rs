//! Output folders: ours, or not touched.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Marks a folder that this program may write into again.
const MARKER: &str = ".pliant-output";

/// A folder for results.
pub struct OutFolder {
    path: PathBuf,
}

impl OutFolder {
    /// `wanted`, or `pliant-out/NAME`; created, or taken again if this program made it.
    ///
    /// # Errors
    /// `FolderNotOurs` for a folder that holds other files, `Unwritable`.
    pub fn prepare(wanted: Option<&Path>, name: &str) -> Result<Self, Failure> {
        let path = Self::allowed(wanted, name)?;
        fs::create_dir_all(&path)
            .and_then(|()| fs::write(path.join(MARKER), "written by pliant\n"))
            .map_err(|e| Failure::unwritable(&path, &e))?;
        Ok(Self { path })
    }

    /// The folder that [`OutFolder::prepare`] would take, with nothing written yet: for work that may fail or be cancelled first.
    ///
    /// # Errors
    /// `FolderNotOurs` for a folder that holds other files.
    pub fn allowed(wanted: Option<&Path>, name: &str) -> Result<PathBuf, Failure> {
        let path = wanted.map_or_else(
            || Path::new("pliant-out").join(safe_name(name)),
            Path::to_path_buf,
        );
        if path.exists() && !path.is_dir() {
            return Err(Failure::bad_input(
                "FolderNotOurs",
                format!("{} is a file, not a folder", path.display()),
                "choose another folder with --out",
            )
            .at(path.display().to_string()));
        }
        if let Ok(mut entries) = fs::read_dir(&path)
            && entries.next().is_some()
            && !path.join(MARKER).exists()
        {
            return Err(Failure::bad_input(
                "FolderNotOurs",
                format!(
                    "the folder {} holds files that Pliant did not write",
                    path.display()
                ),
                "choose an empty or new folder with --out",
            )
            .at(path.display().to_string()));
        }
        Ok(path)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file under a temporary name and renames it, so that no half-written file is ever found.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, Failure> {
        let path = self.path.join(name);
        let temporary = path.with_extension("part");
        let written = path
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&temporary, bytes))
            .and_then(|()| fs::rename(&temporary, &path));
        match written {
            Ok(()) => Ok(path),
            Err(e) => {
                let _ = fs::remove_file(&temporary);
                Err(Failure::unwritable(&path, &e))
            }
        }
    }

    /// Removes a folder of ours inside this one, with what an earlier run left in it.
    pub fn clear(&self, name: &str) {
        let _ = fs::remove_dir_all(self.path.join(name));
    }
}

/// A name that is a single harmless folder name.
fn safe_name(name: &str) -> String {
    let clean: String = name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || "-_.".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    if clean.trim_matches('.').is_empty() {
        "scene".into()
    } else {
        clean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_others_are_refused_and_ours_are_taken_again() {
        let root = tempfile::tempdir().expect("temporary folder");
        let ours = root.path().join("a");
        let folder = OutFolder::prepare(Some(&ours), "x").expect("new");
        folder.write("sub/file.txt", b"1").expect("written");
        assert!(OutFolder::prepare(Some(&ours), "x").is_ok());
        let theirs = root.path().join("b");
        fs::create_dir(&theirs).expect("created");
        fs::write(theirs.join("thesis.doc"), b"x").expect("written");
        let refused = OutFolder::prepare(Some(&theirs), "x")
            .err()
            .expect("refused");
        assert_eq!(refused.code, "FolderNotOurs");
        assert!(OutFolder::prepare(Some(&theirs.join("thesis.doc")), "x").is_err());
        assert_eq!(safe_name("../x y"), ".._x_y");
    }
}
