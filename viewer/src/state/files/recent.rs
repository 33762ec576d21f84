//! The scenes and meshes that were opened last, kept as text in the user's folder of settings: one path a line, the latest first.

use std::path::{Path, PathBuf};

/// Most files that are kept.
const MAX_FILES: usize = 10;

/// The files that were opened last, the latest first. Bundled scenes are not among them.
#[derive(Debug, Clone, Default)]
pub struct RecentFiles {
    store: Option<PathBuf>,
    files: Vec<PathBuf>,
}

impl RecentFiles {
    /// Those of the user of this machine. Without a folder of settings they last as long as the window.
    pub fn of_user() -> Self {
        Self::kept_in(settings_folder().map(|folder| folder.join("recent.txt")))
    }

    /// Those that `store` lists.
    pub fn kept_in(store: Option<PathBuf>) -> Self {
        let text = store.as_deref().map(std::fs::read_to_string);
        // a list that cannot be read is an empty one
        let text = text.and_then(Result::ok).unwrap_or_default();
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let files = lines.map(PathBuf::from).take(MAX_FILES).collect();
        Self { store, files }
    }

    /// The folder of settings that the list is in.
    pub fn folder(&self) -> Option<&Path> {
        self.store.as_deref()?.parent()
    }

    /// The files, the latest first.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// `file` was opened: it comes first.
    pub fn opened(&mut self, file: &Path) {
        let absolute = std::path::absolute(file).unwrap_or_else(|_| file.to_path_buf());
        // a path with a line break would be read as two files
        if !absolute.is_file() || absolute.to_string_lossy().contains(['\n', '\r']) {
            return;
        }
        self.change(|files| {
            files.retain(|f| *f != absolute);
            files.insert(0, absolute);
            files.truncate(MAX_FILES);
        });
    }

    /// Removes `file` from the list.
    pub fn forget(&mut self, file: &Path) {
        self.change(|files| files.retain(|f| f != file));
    }

    /// Reads the list again, because another window may have written it, and changes it.
    fn change(&mut self, change: impl FnOnce(&mut Vec<PathBuf>)) {
        if self.store.as_ref().is_some_and(|store| store.exists()) {
            self.files = Self::kept_in(self.store.clone()).files;
        }
        change(&mut self.files);
        if let Some(store) = &self.store {
            let lines = self.files.iter().map(|f| format!("{}\n", f.display()));
            let text: String = lines.collect();
            // without a writable folder, the list lasts as long as the window
            let _ = store.parent().map(std::fs::create_dir_all);
            let _ = std::fs::write(store, text);
        }
    }
}

/// The folder of the program's settings on this system.
fn settings_folder() -> Option<PathBuf> {
    let folder = |name: &str| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let base = if cfg!(windows) {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")))
    };
    base.map(|base| base.join("pliant"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_ten_are_kept_as_text_and_read_again() {
        let temporary = tempfile::tempdir().expect("a folder");
        let folder = temporary.path();
        let store = folder.join("settings/recent.txt");
        let mut recent = RecentFiles::kept_in(Some(store.clone()));
        assert!(recent.files().is_empty());
        let file = |k: usize| folder.join(format!("{k}.toml"));
        for k in 0..12 {
            std::fs::write(file(k), "").expect("written");
            recent.opened(&file(k));
        }
        recent.opened(&file(5));
        recent.opened(&folder.join("never-there.toml"));
        let text = std::fs::read_to_string(&store).expect("kept");
        assert_eq!(text.lines().count(), 10);
        let again = RecentFiles::kept_in(Some(store.clone()));
        assert_eq!(again.files(), recent.files());
        assert_eq!(again.files()[..2], [file(5), file(11)]);
        // another window forgets one: this one does not bring it back
        let mut other = again;
        other.forget(&file(11));
        recent.opened(&file(4));
        assert_eq!(recent.files()[..2], [file(4), file(5)]);
        assert!(!recent.files().contains(&file(11)));
    }
}
