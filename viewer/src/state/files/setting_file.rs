//! A setting of the user: a word in a file of the folder of settings.

use std::path::Path;

/// The word in `file` of `folder`; `None` where there is no such file.
pub fn read(folder: &Path, file: &str) -> Option<String> {
    let text = std::fs::read_to_string(folder.join(file)).ok()?;
    Some(text.trim().to_string())
}

/// Stores `word` for the next window.
pub fn write(folder: &Path, file: &str, word: &str) {
    // without a writable folder, the choice lasts as long as the window
    let _ = std::fs::create_dir_all(folder);
    let _ = std::fs::write(folder.join(file), format!("{word}\n"));
}
