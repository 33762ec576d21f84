//! Whether ambient occlusion is shown, kept in the user's folder of settings.

use std::path::Path;

use super::setting_file;

/// Name of the file.
const FILE: &str = "occlusion.txt";
/// The word for no ambient occlusion.
const OFF: &str = "off";

/// The choice that was made last; `true` unless it was switched off.
pub fn read(folder: &Path) -> bool {
    setting_file::read(folder, FILE).is_none_or(|word| word != OFF)
}

/// Keeps the choice for the next window.
pub fn keep(folder: &Path, is_on: bool) {
    setting_file::write(folder, FILE, if is_on { "on" } else { OFF });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_choice_is_read_again_and_anything_else_is_on() {
        let folder = std::env::temp_dir().join(format!("pliant-occlusion-{}", std::process::id()));
        assert!(read(&folder));
        for is_on in [false, true, false] {
            keep(&folder, is_on);
            assert_eq!(read(&folder), is_on);
        }
        std::fs::write(folder.join(FILE), "maybe").expect("written");
        assert!(read(&folder));
        std::fs::remove_dir_all(&folder).expect("cleared");
    }
}
