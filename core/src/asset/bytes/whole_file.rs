//! Files that are written completely or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Bytes that are collected before they are written.
const BUFFER_BYTES: usize = 1 << 18;

/// A file that is written under a temporary name, and renamed by [`WholeFile::finish`].
///
/// If it is dropped before, the temporary file is removed, and an older file of its name stays as it was.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    temporary: PathBuf,
    out: BufWriter<File>,
    is_complete: bool,
}

impl WholeFile {
    /// Begins the file `path` under its [temporary name](temporary_path). Its folder has to exist. If `path` is a symbolic link to a file, that file is written and the link stays.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn create(path: &Path) -> io::Result<Self> {
        Self::create_as(&target_of(path), temporary_path(path))
    }

    /// The same under a name that the caller chooses, in the same folder.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn create_as(path: &Path, temporary: PathBuf) -> io::Result<Self> {
        let file = File::create(&temporary)?;
        Ok(Self {
            path: path.to_path_buf(),
            temporary,
            out: BufWriter::with_capacity(BUFFER_BYTES, file),
            is_complete: false,
        })
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// Those of the file system; nothing unfinished is left then.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()?;
        fs::rename(&self.temporary, &self.path)?;
        self.is_complete = true;
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if !self.is_complete {
            // the error that ended the writing is the one to report
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Writes the whole file `path`. Its folder has to exist.
///
/// # Errors
/// Those of `write` and of the file system; nothing unfinished is left then, and an older file stays as it was.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut WholeFile) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    write(&mut file)?;
    file.finish()
}

/// The name under which the file `path` is written before it is complete: beside the file, or beside the one that a symbolic link `path` names.
pub fn temporary_path(path: &Path) -> PathBuf {
    let target = target_of(path);
    let mut name = target.file_name().unwrap_or_default().to_os_string();
    name.push(".partial");
    target.with_file_name(name)
}

/// The file that is written for `path`: the one that it names if it is a symbolic link to a file.
fn target_of(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_when_it_is_complete_and_an_error_keeps_the_older_one() {
        let folder = std::env::temp_dir().join(format!("pliant-whole-file-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("a.txt");
        let temporary = folder.join("a.txt.partial");
        for text in ["older", "newer"] {
            write_whole(&path, |out| {
                out.write_all(text.as_bytes())?;
                assert!(temporary.exists());
                Ok(())
            })
            .expect("written");
            assert_eq!(fs::read_to_string(&path).expect("a text"), text);
        }
        let error = write_whole(&path, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("stopped"))
        });
        assert_eq!(error.expect_err("stopped").to_string(), "stopped");
        assert_eq!(fs::read_to_string(&path).expect("a text"), "newer");
        assert!(!temporary.exists());
        // a folder of that name cannot be replaced
        let taken = folder.join("taken");
        fs::create_dir_all(taken.join("inside")).expect("a folder");
        assert!(write_whole(&taken, |_| Ok(())).is_err());
        assert!(!folder.join("taken.partial").exists());
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_another_folder_leaves_nothing_unfinished_in_its_own() {
        let folder =
            std::env::temp_dir().join(format!("pliant-linked-file-{}", std::process::id()));
        let [near, far] = ["near", "far"].map(|name| folder.join(name));
        for folder in [&near, &far] {
            fs::create_dir_all(folder).expect("a folder");
        }
        let (link, file) = (near.join("link.txt"), far.join("file.txt"));
        fs::write(&file, "older").expect("written");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        write_whole(&link, |out| {
            assert!(temporary_path(&link).exists() && temporary_path(&file).exists());
            out.write_all(b"newer")
        })
        .expect("written");
        assert_eq!(fs::read_to_string(&file).expect("a text"), "newer");
        assert!(link.is_symlink());
        for folder in [&near, &far] {
            assert_eq!(fs::read_dir(folder).expect("a folder").count(), 1);
        }
        fs::remove_dir_all(&folder).expect("removed");
    }
}
