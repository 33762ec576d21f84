//! New files and folders that never overwrite existing ones.

use std::fmt::Display;
use std::fs::File;
use std::io::ErrorKind;
#[cfg(not(target_family = "wasm"))]
use std::io::Write as _;
use std::path::{Path, PathBuf};

use pliant_simulation::snapshot::WorldSnapshot;

/// Most files or folders of one name in a folder.
const MAX_FILES: u32 = 10_000;

/// Creates `SCENE-WHAT.EXTENSION` in `folder`, or the next free `SCENE-WHAT-2.EXTENSION` and so on. No existing file is overwritten, not even one that another program
/// creates at the same time.
///
/// # Errors
/// One line with the file and the system's error.
pub fn create(
    folder: &Path,
    scene: &str,
    what: &str,
    extension: &str,
) -> Result<(File, PathBuf), String> {
    let stem = format!("{}-{what}", sanitized(scene));
    first_free(folder, &stem, &format!(".{extension}"), |path| {
        File::create_new(path)
    })
}

/// Creates the folder `SCENE-WHAT` in `folder`, or the next free `SCENE-WHAT-2` and so on.
///
/// # Errors
/// One line with the folder and the system's error.
pub fn create_folder(folder: &Path, scene: &str, what: &str) -> Result<PathBuf, String> {
    let stem = format!("{}-{what}", sanitized(scene));
    let created = first_free(folder, &stem, "", |path| std::fs::create_dir(path));
    created.map(|(_, path)| path)
}

/// Creates what `create` creates at the first free name: `stem` or `stem-2` and so on, each followed by `end`.
fn first_free<T>(
    folder: &Path,
    stem: &str,
    end: &str,
    create: impl Fn(&Path) -> std::io::Result<T>,
) -> Result<(T, PathBuf), String> {
    for number in 1..=MAX_FILES {
        let name = match number {
            1 => format!("{stem}{end}"),
            _ => format!("{stem}-{number}{end}"),
        };
        let path = folder.join(name);
        match create(&path) {
            Ok(made) => return Ok((made, path)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(format!("{}: {error}", path.display())),
        }
    }
    let path = folder.join(format!("{stem}{end}"));
    Err(format!(
        "{}: there are {MAX_FILES} such files already",
        path.display()
    ))
}

/// The new file at `path`, or the error of writing it: an incomplete file is removed.
pub fn whole_or_removed<E: Display>(
    path: PathBuf,
    written: Result<(), E>,
) -> Result<PathBuf, String> {
    written
        .map_err(|reason| {
            // if that fails, it stays
            let _ = std::fs::remove_file(&path);
            format!("{}: {reason}", path.display())
        })
        .map(|()| path)
}

/// Saves `bytes` in a new file in `folder` ([`create`]), whose path is returned. In a browser it is a download, and the name is returned.
///
/// # Errors
/// One line with the file and the system's error. An incomplete file is removed.
#[cfg(not(target_family = "wasm"))]
pub fn save(
    folder: &Path,
    scene: &str,
    what: &str,
    extension: &str,
    bytes: &[u8],
) -> Result<PathBuf, String> {
    let (mut file, path) = create(folder, scene, what, extension)?;
    whole_or_removed(path, file.write_all(bytes))
}

/// Saves `bytes` as a download of the page; returns the name of the file.
///
/// # Errors
/// The browser's error.
#[cfg(target_family = "wasm")]
pub fn save(
    _: &Path,
    scene: &str,
    what: &str,
    extension: &str,
    bytes: &[u8],
) -> Result<PathBuf, String> {
    let name = format!("{}-{what}.{extension}", sanitized(scene));
    match super::browser_files::download(&name, bytes) {
        Ok(()) => Ok(name.into()),
        Err(reason) => Err(format!("{name}: {reason:?}")),
    }
}

/// The folder for what the window saves: the working directory, or else that for temporary files.
#[cfg(not(target_family = "wasm"))]
pub fn folder() -> PathBuf {
    std::env::current_dir().unwrap_or_else(|_| std::env::temp_dir())
}

/// A browser has no folders, and asking for one panics there.
#[cfg(target_family = "wasm")]
pub fn folder() -> PathBuf {
    PathBuf::new()
}

/// The name of the scene of a snapshot, after which files are named.
pub fn scene_name(snapshot: &WorldSnapshot) -> &str {
    let setup = snapshot.setup.as_ref();
    setup.map_or("pliant", |s| s.description.name.as_str())
}

/// A name that needs no quotes in a file name or a column.
pub fn sanitized(name: &str) -> String {
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
    fn files_are_named_after_the_scene_and_nothing_is_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let made = |_| {
            create(folder.path(), "my scene", "panes", "gif")
                .expect("made")
                .1
        };
        let names = [0, 1, 2].map(made);
        assert!(names[0].ends_with("my_scene-panes.gif"), "{names:?}");
        assert!(names[1].ends_with("my_scene-panes-2.gif"), "{names:?}");
        assert!(names[2].ends_with("my_scene-panes-3.gif"), "{names:?}");
        let missing = folder.path().join("missing");
        let error = create(&missing, "x", "panes", "gif").expect_err("no folder");
        assert!(
            error.contains("x-panes.gif") && !error.contains('\n'),
            "{error}"
        );
    }
}
