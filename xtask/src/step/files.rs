//! Files and folders. Errors name the path.

use std::path::{Component, Path, PathBuf};

use super::{Outcome, root};

/// A path relative to the workspace.
pub fn workspace_path(path: &Path) -> String {
    let inside = path.strip_prefix(root()).unwrap_or(path);
    inside.display().to_string()
}

/// A path without `.`, and without `..` after a name.
pub fn normalise(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir if normal.file_name().is_some() => {
                normal.pop();
            }
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}

/// The absolute path of a folder, which need not exist.
pub fn absolute(path: &Path) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|e| with_path(path, e))
}

/// Names in a folder, sorted.
pub fn read_folder(folder: &Path) -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| with_path(folder, e))?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|e| with_path(folder, e))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// All Rust files below a folder.
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
    std::fs::read_to_string(path).map_err(|e| with_path(path, e))
}

/// The bytes of a file.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|e| with_path(path, e))
}

/// Writes a file.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Outcome {
    std::fs::write(path, bytes).map_err(|e| with_path(path, e))
}

/// Makes a file executable for everybody, on systems with such a permission.
pub fn make_runnable(path: &Path) -> Outcome {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(path, executable).map_err(|e| with_path(path, e))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// Makes a folder and those above it.
pub fn make_folder(path: &Path) -> Outcome {
    std::fs::create_dir_all(path).map_err(|e| with_path(path, e))
}

/// A parsed Rust file.
pub fn parse_rust(path: &Path) -> Result<syn::File, String> {
    syn::parse_file(&read_text(path)?).map_err(|e| format!("{}: {e}", path.display()))
}

fn with_path(path: &Path, error: std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
