//! Files and folders; errors name them.

use std::path::{Component, Path, PathBuf};

use super::{Outcome, root};

/// A path inside the workspace.
pub fn short(path: &Path) -> String {
    let inside = path.strip_prefix(root()).unwrap_or(path);
    inside.display().to_string()
}

/// A path without `.` and without `..` behind a name.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// The path of a folder from the root of the file system, also where it is not there yet.
pub fn absolute(path: &Path) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|e| told(path, e))
}

/// Names in a folder, sorted.
pub fn read_folder(folder: &Path) -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| told(folder, e))?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|e| told(folder, e))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// All files of Rust below a folder.
pub fn rust_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for entry in read_folder(folder)? {
        let path = folder.join(entry);
        if path.is_dir() {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    Ok(files)
}

/// The text of a file.
pub fn read_text(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| told(path, e))
}

/// The bytes of a file.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|e| told(path, e))
}

/// Writes a file.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Outcome {
    std::fs::write(path, bytes).map_err(|e| told(path, e))
}

/// Lets everybody run a file, where the system asks.
pub fn make_runnable(path: &Path) -> Outcome {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let may_run = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(path, may_run).map_err(|e| told(path, e))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// Makes a folder and those above it.
pub fn make_folder(path: &Path) -> Outcome {
    std::fs::create_dir_all(path).map_err(|e| told(path, e))
}

/// A file of Rust, parsed.
pub fn parse_rust(path: &Path) -> Result<syn::File, String> {
    syn::parse_file(&read_text(path)?).map_err(|e| format!("{}: {e}", path.display()))
}

fn told(path: &Path, error: std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
