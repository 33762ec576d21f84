//! Whether the window is light or dark, kept as a word in the user's folder of settings.

use std::path::Path;

use egui::Theme;

/// Name of the file.
const FILE: &str = "theme.txt";

/// The theme that was chosen last; `None` where nobody has chosen one that can be read.
pub fn read(folder: &Path) -> Option<Theme> {
    let text = std::fs::read_to_string(folder.join(FILE)).ok()?;
    match text.trim() {
        "light" => Some(Theme::Light),
        "dark" => Some(Theme::Dark),
        _ => None,
    }
}

/// Keeps the theme for the next window.
pub fn keep(folder: &Path, theme: Theme) {
    let word = match theme {
        Theme::Light => "light\n",
        Theme::Dark => "dark\n",
    };
    // a choice that cannot be kept lasts as long as the window
    let _ = std::fs::create_dir_all(folder);
    let _ = std::fs::write(folder.join(FILE), word);
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
