//! Whether the window is light or dark, kept as a word in the user's folder of settings.

use std::path::Path;

use egui::Theme;

use super::setting_file;

/// Name of the file.
const FILE: &str = "theme.txt";

/// The theme that was chosen last; `None` without a valid choice.
pub fn read(folder: &Path) -> Option<Theme> {
    match setting_file::read(folder, FILE)?.as_str() {
        "light" => Some(Theme::Light),
        "dark" => Some(Theme::Dark),
        _ => None,
    }
}

/// Keeps the theme for the next window.
pub fn keep(folder: &Path, theme: Theme) {
    let word = match theme {
        Theme::Light => "light",
        Theme::Dark => "dark",
    };
    setting_file::write(folder, FILE, word);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_choice_is_read_again_and_anything_else_is_none() {
        let folder = std::env::temp_dir().join(format!("pliant-theme-{}", std::process::id()));
        assert_eq!(read(&folder), None);
        for theme in [Theme::Light, Theme::Dark, Theme::Light] {
            keep(&folder, theme);
            assert_eq!(read(&folder), Some(theme));
        }
        std::fs::write(folder.join(FILE), "blue").expect("written");
        assert_eq!(read(&folder), None);
        std::fs::remove_dir_all(&folder).expect("cleared");
    }
}
