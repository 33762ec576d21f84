//! Settings of the user: words in files of the folder of settings.

use std::path::Path;

use egui::Theme;

/// File that says whether the window is light or dark.
const THEME: &str = "theme.txt";
/// File that says whether ambient occlusion is shown.
const OCCLUSION: &str = "occlusion.txt";
/// The word for no ambient occlusion.
const OFF: &str = "off";

/// The theme that was chosen last; `None` without a valid choice.
pub fn theme(folder: &Path) -> Option<Theme> {
    match read(folder, THEME)?.as_str() {
        "light" => Some(Theme::Light),
        "dark" => Some(Theme::Dark),
        _ => None,
    }
}

/// Keeps the theme for the next window.
pub fn keep_theme(folder: &Path, theme: Theme) {
    let word = match theme {
        Theme::Light => "light",
        Theme::Dark => "dark",
    };
    write(folder, THEME, word);
}

/// Whether ambient occlusion is shown; `true` unless it was switched off.
pub fn occlusion(folder: &Path) -> bool {
    read(folder, OCCLUSION).is_none_or(|word| word != OFF)
}

/// Keeps that choice for the next window.
pub fn keep_occlusion(folder: &Path, is_on: bool) {
    write(folder, OCCLUSION, if is_on { "on" } else { OFF });
}

/// The word in `file` of `folder`; `None` where there is no such file.
fn read(folder: &Path, file: &str) -> Option<String> {
    let text = std::fs::read_to_string(folder.join(file)).ok()?;
    Some(text.trim().to_string())
}

fn write(folder: &Path, file: &str, word: &str) {
    // without a writable folder, the choice lasts as long as the window
    let _ = std::fs::create_dir_all(folder);
    let _ = std::fs::write(folder.join(file), format!("{word}\n"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_choices_are_read_again_and_anything_else_is_as_without_a_choice() {
        let parent = tempfile::tempdir().expect("a folder");
        let folder = parent.path().join("settings");
        assert_eq!((theme(&folder), occlusion(&folder)), (None, true));
        for chosen in [Theme::Light, Theme::Dark, Theme::Light] {
            keep_theme(&folder, chosen);
            assert_eq!(theme(&folder), Some(chosen));
        }
        for is_on in [false, true, false] {
            keep_occlusion(&folder, is_on);
            assert_eq!(occlusion(&folder), is_on);
        }
        write(&folder, THEME, "blue");
        write(&folder, OCCLUSION, "maybe");
        assert_eq!((theme(&folder), occlusion(&folder)), (None, true));
    }
}
