//! Output folders. Folders of other programs are not touched.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pliant_core::asset::bytes;

use crate::failure::Failure;

/// File that marks a folder of this program, which may be written into again.
const MARKER: &str = ".pliant-output";

/// Files of a result that is not complete yet.
static UNFINISHED_FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Folders that this run has created.
static CREATED_FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// One of these lists.
fn list(paths: &'static Mutex<Vec<PathBuf>>) -> MutexGuard<'static, Vec<PathBuf>> {
    paths.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Folder of results without `--out`.
const DEFAULT_FOLDER: &str = "pliant-out";

/// Removes the files of a result that is not complete, and its folder if nothing else is in it.
pub fn remove_unfinished() {
    remove_unfinished_files();
    let made = std::mem::take(&mut *list(&CREATED_FOLDERS));
    made.iter().for_each(|folder| remove_if_empty(folder));
}

/// Removes a folder of this program that has no file but the marker.
fn remove_if_empty(folder: &Path) {
    let is_empty = fs::read_dir(folder).is_ok_and(|mut all| {
        all.all(|entry| entry.is_ok_and(|e| e.file_name().to_str() == Some(MARKER)))
    });
    if is_empty && fs::remove_file(folder.join(MARKER)).is_ok() {
        let _ = fs::remove_dir(folder);
        // the folder around it, if this was all that it held
        if folder.parent() == Some(Path::new(DEFAULT_FOLDER)) {
            let _ = fs::remove_dir(DEFAULT_FOLDER);
        }
    }
}

/// Removes unfinished files, and folders of this program that have no other files.
fn remove_unfinished_files() {
    let files = std::mem::take(&mut *list(&UNFINISHED_FILES));
    for file in &files {
        // most of them do not exist yet
        let _ = fs::remove_file(bytes::temporary_path(file));
        let _ = fs::remove_file(file);
    }
    // folders inside of a folder of this program
    let inner = files.iter().filter_map(|f| f.parent());
    let is_ours = |f: &&Path| f.parent().is_some_and(|above| above.join(MARKER).exists());
    let mut outer = files.first().and_then(|f| f.parent());
    for folder in inner.filter(is_ours) {
        // fails if the folder is not empty
        let _ = fs::remove_dir(folder);
        outer = folder.parent();
    }
    if let Some(folder) = outer {
        remove_if_empty(folder);
    }
}

/// A guard of files that are being written. Dropped before [`Unfinished::complete`], it removes them.
pub struct Unfinished;

impl Unfinished {
    /// A single file, outside of a folder of this program.
    pub fn file(path: &Path) -> Self {
        list(&UNFINISHED_FILES).push(path.to_path_buf());
        Self
    }

    /// All files are complete.
    pub fn complete(self) {
        list(&UNFINISHED_FILES).clear();
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        remove_unfinished_files();
    }
}

/// A folder for results. A new folder that stays empty is removed on drop, or when the program is interrupted.
pub struct OutFolder {
    path: PathBuf,
    is_new: bool,
}

impl Drop for OutFolder {
    fn drop(&mut self) {
        if self.is_new {
            remove_if_empty(&self.path);
            list(&CREATED_FOLDERS).retain(|folder| *folder != self.path);
        }
    }
}

impl OutFolder {
    /// `requested`, or `pliant-out/NAME`; created, or reused if this program has created it.
    ///
    /// # Errors
    /// `FolderNotOurs` for a folder that holds other files, `Unwritable`.
    pub fn prepare(requested: Option<&Path>, name: &str) -> Result<Self, Failure> {
        let path = Self::allowed(requested, name)?;
        let is_new = !path.exists();
        let folder = Self { path, is_new };
        folder.mark()?;
        if is_new {
            list(&CREATED_FOLDERS).push(folder.path.clone());
        }
        Ok(folder)
    }

    /// Creates it and writes the marker.
    fn mark(&self) -> Result<(), Failure> {
        fs::create_dir_all(&self.path)
            .and_then(|()| fs::write(self.path.join(MARKER), "written by pliant\n"))
            .map_err(|e| Failure::unwritable(&self.path, &e))
    }

    /// The folder that [`OutFolder::prepare`] would use, without writing anything: for work that may fail or be cancelled first.
    ///
    /// # Errors
    /// `FolderNotOurs` for a folder that holds other files.
    pub fn allowed(requested: Option<&Path>, name: &str) -> Result<PathBuf, Failure> {
        let path = requested.map_or_else(
            || Path::new(DEFAULT_FOLDER).join(safe_name(name)),
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

    /// Registers the files that will be written here: all of them or, after a cancellation or an error, none.
    pub fn begin(&self, names: impl IntoIterator<Item = String>) -> Unfinished {
        list(&UNFINISHED_FILES).extend(names.into_iter().map(|name| self.path.join(name)));
        Unfinished
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file under a temporary name and renames it, so that no half-written file is ever found.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, Failure> {
        // the folder may have been removed meanwhile
        if !self.path.join(MARKER).exists() {
            self.mark()?;
        }
        let path = self.path.join(name);
        write_whole(&path, bytes)?;
        Ok(path)
    }

    /// Removes numbered files of an earlier run, from the `first` number on to the first that does not exist.
    pub fn remove_from(&self, first: usize, name: impl Fn(usize) -> String) {
        for number in first.. {
            if fs::remove_file(self.path.join(name(number))).is_err() {
                break;
            }
        }
    }

    /// Removes a folder inside this one, with the files of an earlier run.
    pub fn clear(&self, name: &str) {
        let _ = fs::remove_dir_all(self.path.join(name));
    }
}

/// Writes a file under a temporary name and renames it, so that no half-written file is ever found. Creates its folder. What a link names is replaced, and the link stays. Pipes and devices are
/// written to directly.
///
/// # Errors
/// `Unwritable`. Nothing unfinished is left then, and an older file stays as it was.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<(), Failure> {
    // standard output may be a file, and renaming would replace its name
    let is_device = path.starts_with("/dev") || path.starts_with("/proc");
    if is_device || fs::metadata(path).is_ok_and(|at| !at.is_file() && !at.is_dir()) {
        return fs::write(path, content).map_err(|e| Failure::unwritable(path, &e));
    }
    path.parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| bytes::write_whole(path, |out| out.write_all(content)))
        .map_err(|e| Failure::unwritable(path, &e))
}

/// A name that is safe as a single folder name.
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
    fn foreign_folders_are_refused_and_own_ones_are_reused() {
        let root = tempfile::tempdir().expect("temporary folder");
        let ours = root.path().join("a");
        let folder = OutFolder::prepare(Some(&ours), "x").expect("new");
        folder.write("sub/file.txt", b"1").expect("written");
        fs::remove_dir_all(&ours).expect("removed");
        folder.write("sub/file.txt", b"1").expect("written again");
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

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_files_of_similar_names_too() {
        let root = tempfile::tempdir().expect("temporary folder");
        let at = |name: &str| root.path().join(name);
        fs::write(at("real.csv"), b"old").expect("written");
        fs::write(at("table.part"), b"precious").expect("written");
        std::os::unix::fs::symlink(at("real.csv"), at("table.csv")).expect("a link");
        write_whole(&at("table.csv"), b"new").expect("written");
        let is_link = fs::symlink_metadata(at("table.csv")).expect("there");
        assert!(is_link.is_symlink());
        assert_eq!(fs::read(at("real.csv")).expect("read"), b"new");
        assert_eq!(fs::read(at("table.part")).expect("read"), b"precious");
        assert_eq!(fs::read_dir(root.path()).expect("a folder").count(), 3);
        write_whole(&at("new/folder/x.json"), b"1").expect("written");
    }

    #[test]
    fn a_new_folder_without_a_result_is_removed() {
        let root = tempfile::tempdir().expect("temporary folder");
        let path = root.path().join("a");
        drop(OutFolder::prepare(Some(&path), "x").expect("new"));
        assert!(!path.exists());
        let folder = OutFolder::prepare(Some(&path), "x").expect("new");
        folder.write("report.json", b"1").expect("written");
        drop(folder);
        assert!(path.join("report.json").exists());
        // an existing folder stays, even if it is empty
        let theirs = root.path().join("b");
        fs::create_dir(&theirs).expect("created");
        drop(OutFolder::prepare(Some(&theirs), "x").expect("empty"));
        assert!(theirs.exists());
    }

    #[test]
    fn a_result_is_complete_or_absent() {
        let root = tempfile::tempdir().expect("temporary folder");
        let path = root.path().join("a");
        let names = || ["x.txt", "y.txt"].map(String::from);
        for is_complete in [false, true] {
            assert!(!OutFolder::allowed(Some(&path), "a").expect("free").exists());
            let folder = OutFolder::prepare(Some(&path), "a").expect("new");
            let unfinished = folder.begin(names());
            folder.write("x.txt", b"1").expect("written");
            fs::write(path.join("y.txt.partial"), b"half").expect("written");
            if is_complete {
                fs::remove_file(path.join("y.txt.partial")).expect("removed");
                unfinished.complete();
            } else {
                drop(unfinished);
            }
            assert_eq!(path.join("x.txt").exists(), is_complete);
            assert_eq!(path.exists(), is_complete);
        }
    }
}
