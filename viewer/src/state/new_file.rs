//! Files that are made beside what is there already.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Most files of one name in a folder.
const MOST: u32 = 10_000;

/// Creates `SCENE-WHAT.EXTENSION` in `folder`, or the next free `SCENE-WHAT-2.EXTENSION` and so on. Nothing that is there is written over, not even what another program
/// makes at the same time.
///
/// # Errors
/// One line with the file and the reason in the system's words.
pub fn create(
    folder: &Path,
    scene: &str,
    what: &str,
    extension: &str,
) -> Result<(File, PathBuf), String> {
    let stem = format!("{}-{what}", plain(scene));
    for number in 1..=MOST {
        let name = match number {
            1 => format!("{stem}.{extension}"),
            _ => format!("{stem}-{number}.{extension}"),
        };
        let path = folder.join(name);
        match File::create_new(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(format!("{}: {error}", path.display())),
        }
    }
    let path = folder.join(format!("{stem}.{extension}"));
    Err(format!(
        "{}: there are {MOST} such files already",
        path.display()
    ))
}

/// The folder for what the window saves: the present one, or that for temporary files where there is none.
pub fn folder() -> PathBuf {
    std::env::current_dir().unwrap_or_else(|_| std::env::temp_dir())
}

/// A name that needs no quotes in a file name or a column.
pub fn plain(name: &str) -> String {
    let sign = |c: char| {
        if c.is_alphanumeric() || c == '-' {
            c
        } else {
            '_'
        }
    };
    name.chars().map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_after_the_scene_and_nothing_is_written_over() {
        let folder = std::env::temp_dir().join(format!("pliant-new-file-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let made = |_| create(&folder, "my scene", "panes", "gif").expect("made").1;
        let names = [0, 1, 2].map(made);
        assert!(names[0].ends_with("my_scene-panes.gif"), "{names:?}");
        assert!(names[1].ends_with("my_scene-panes-2.gif"), "{names:?}");
        assert!(names[2].ends_with("my_scene-panes-3.gif"), "{names:?}");
        std::fs::remove_dir_all(&folder).expect("removed");
        let error = create(&folder, "x", "panes", "gif").expect_err("no folder");
        assert!(
            error.contains("x-panes.gif") && !error.contains('\n'),
            "{error}"
        );
    }
}
