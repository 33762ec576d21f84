//! Folders and files of the workspace.

use std::path::Path;

use crate::step::root;

/// A path inside the workspace.
pub fn short(path: &Path) -> String {
    let inside = path.strip_prefix(root()).unwrap_or(path);
    inside.display().to_string()
}

/// Names in a folder, sorted.
pub fn read_folder(folder: &Path) -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|e| format!("{}: {e}", folder.display()))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// The text of a file.
pub fn read_text(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}
