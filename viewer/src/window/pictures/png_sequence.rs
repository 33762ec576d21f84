//! A folder of pictures in the order in which they were taken, for programs that make films of them.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::shot::Shot;
use crate::state::new_file;

/// Writes each shot as `00001.png` and so on into a new folder in `folder`, named after the scene. The folder is created with the first shot. Shots of another size than the first are
/// skipped.
///
/// # Errors
/// One line with the file and the system's error, or that there was no shot. The pictures before the error stay.
pub fn write(
    mut shots: impl Iterator<Item = Shot>,
    folder: &Path,
    scene: &str,
) -> Result<PathBuf, String> {
    let first = shots.next().ok_or("nothing was recorded")?;
    let folder = new_file::create_folder(folder, scene, "panes")?;
    let size = first.size;
    let rest = shots.filter(|shot| shot.size == size);
    for (k, shot) in std::iter::once(first).chain(rest).enumerate() {
        let path = folder.join(format!("{:05}.png", k + 1));
        let written = write_picture(&shot, &path);
        new_file::whole_or_removed(path, written).inspect_err(|_| {
            // a folder without another picture; if that fails, it stays
            let _ = std::fs::remove_dir(&folder);
        })?;
    }
    Ok(folder)
}

fn write_picture(shot: &Shot, path: &Path) -> Result<(), String> {
    let bytes = shot.png()?;
    let file = File::create_new(path).and_then(|mut file| file.write_all(&bytes));
    file.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shot(red: u8, size: [usize; 2]) -> Shot {
        Shot::plain(red, 0.0, size)
    }

    #[test]
    fn each_shot_is_a_numbered_picture_in_a_new_folder() {
        let here = tempfile::tempdir().expect("a folder");
        for name in ["my_scene-panes", "my_scene-panes-2"] {
            // equal ones stay two, and one of another size is left out
            let shots = [(10, [8, 4]), (90, [8, 4]), (1, [5, 5]), (90, [8, 4])];
            let shots = shots.map(|(red, size)| shot(red, size));
            let folder = write(shots.into_iter(), here.path(), "my scene").expect("written");
            assert!(folder.ends_with(name), "{folder:?}");
            let files = std::fs::read_dir(&folder).expect("there");
            let mut files: Vec<PathBuf> = files.map(|f| f.expect("a file").path()).collect();
            files.sort();
            let expected = ["00001.png", "00002.png", "00003.png"];
            assert_eq!(files, expected.map(|file| folder.join(file)));
            for (file, red) in files.iter().zip([10, 90, 90]) {
                let expected = shot(red, [8, 4]).png().expect("a picture");
                assert_eq!(std::fs::read(file).expect("there"), expected);
            }
        }
    }

    #[test]
    fn nothing_is_left_of_a_sequence_without_a_picture() {
        let here = tempfile::tempdir().expect("a folder");
        let none = write(std::iter::empty(), here.path(), "x");
        assert_eq!(none, Err("nothing was recorded".to_string()));
        // a side of zero cannot be a picture
        let error = write(std::iter::once(shot(1, [0, 0])), here.path(), "x").expect_err("empty");
        assert!(error.contains("00001.png: "), "{error}");
        assert_eq!(std::fs::read_dir(&here).expect("there").count(), 0);
        let missing = here.path().join("missing");
        let error = write(std::iter::once(shot(1, [2, 2])), &missing, "x").expect_err("no folder");
        assert!(error.contains("x-panes: "), "{error}");
    }
}
