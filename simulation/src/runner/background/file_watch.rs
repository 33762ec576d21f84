//! Files of the open scene that another program changes.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use pliant_core::scene::{MeshSource, ShapeDescription};
use web_time::Instant;

use crate::scenes::BUNDLED;
use crate::setup::Setup;

/// Time between two looks at the files.
const PERIOD: Duration = Duration::from_millis(500);

/// When a file was changed last, and its length, bytes.
type Stamp = (SystemTime, u64);

/// The files of a scene, and what they were when the scene was read.
#[derive(Default)]
pub(in crate::runner) struct FileWatch {
    files: Vec<WatchedFile>,
    /// the scene or mesh that is being opened, as it was when that began
    opened: Option<(PathBuf, Option<Stamp>)>,
    looked_at: Option<Instant>,
}

#[derive(Clone)]
struct WatchedFile {
    path: PathBuf,
    /// when it was read; `None` if it was not there
    read: Option<Stamp>,
    /// at the last look
    seen: Option<Stamp>,
}

impl FileWatch {
    /// Watches the file `source`, unless it is a bundled scene, and the meshes of `setup`. Other files are forgotten.
    pub fn watch(&mut self, source: &OsStr, setup: Option<&Setup>) {
        let is_bundled = BUNDLED.iter().any(|(name, _)| *name == source);
        let scene = (!is_bundled).then(|| PathBuf::from(source));
        let meshes = setup.map(mesh_files).unwrap_or_default();
        let before = std::mem::take(&mut self.files);
        for path in scene.into_iter().chain(meshes) {
            let known = before.iter().find(|file| file.path == path).cloned();
            self.files.push(known.unwrap_or_else(|| {
                let read = match &self.opened {
                    Some((opened, read)) if *opened == path => *read,
                    _ => stamp(&path),
                };
                WatchedFile {
                    path,
                    read,
                    seen: read,
                }
            }));
        }
    }

    /// The files are read now, as they are, and so is `source`, which need not be watched yet.
    pub fn note_read(&mut self, source: &OsStr) {
        let opened = PathBuf::from(source);
        let read = stamp(&opened);
        self.opened = Some((opened, read));
        for file in &mut self.files {
            file.read = stamp(&file.path);
            file.seen = file.read;
        }
    }

    /// Whether a file was changed since it was read. Looks at most twice a second.
    pub fn poll(&mut self) -> bool {
        if self.looked_at.is_some_and(|at| at.elapsed() < PERIOD) {
            return false;
        }
        self.looked_at = Some(Instant::now());
        self.look()
    }

    /// A change counts when the next look finds the same: until then a program may still be writing. A file that is missing is being replaced.
    fn look(&mut self) -> bool {
        let (mut is_changed, mut is_settled) = (false, true);
        for file in &mut self.files {
            let now = stamp(&file.path);
            is_changed |= now.is_some() && now != file.read;
            is_settled &= now == file.seen;
            file.seen = now;
        }
        is_changed && is_settled
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let found = std::fs::metadata(path).ok().filter(Metadata::is_file)?;
    Some((found.modified().ok()?, found.len()))
}

/// The mesh files of bodies and tools.
fn mesh_files(setup: &Setup) -> Vec<PathBuf> {
    let folder = setup.origin.parent().unwrap_or(Path::new(""));
    let bodies = setup.kinds().map(|kind| &kind.description.body.mesh);
    let tools = setup.description.tools.iter();
    let tools = tools.filter_map(|tool| match &tool.shape {
        ShapeDescription::Mesh { source, .. } => Some(source),
        _ => None,
    });
    let file = |source: &MeshSource| match source {
        MeshSource::File {
            path, given: None, ..
        } => Some(folder.join(path)),
        _ => None,
    };
    bodies.chain(tools).filter_map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_counts_once_it_is_complete_and_a_missing_file_is_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("scene.toml");
        let write = |text: &str| std::fs::write(&path, text).expect("written");
        write("a");
        let mut watch = FileWatch::default();
        watch.watch(path.as_os_str(), None);
        assert!(!watch.look());
        write("ab");
        assert!(!watch.look(), "it may still be written");
        write("abc");
        assert!(!watch.look(), "it was");
        assert!(watch.look());
        watch.note_read(path.as_os_str());
        assert!(!watch.look());
        std::fs::remove_file(&path).expect("removed");
        assert!(!watch.look() && !watch.look());
        write("abcd");
        assert!(!watch.look());
        assert!(watch.look());
    }

    #[test]
    fn a_bundled_scene_has_no_file_and_meshes_are_watched_beside_the_scene() {
        let mut watch = FileWatch::default();
        watch.watch(OsStr::new("poke"), None);
        assert!(watch.files.is_empty());
        let folder = tempfile::tempdir().expect("a folder");
        let mesh = folder.path().join("body.obj");
        let tetrahedron =
            "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
        std::fs::write(&mesh, tetrahedron).expect("written");
        let text =
            "schema = 1\nname = 'one'\nbody = [{ name = 'b', mesh = { file = 'body.obj' } }]\n";
        let scene = crate::world::testing::scene_in(folder.path(), text);
        let setup = crate::world::testing::prepared(&scene);
        watch.watch(scene.origin.as_os_str(), Some(&setup));
        let paths: Vec<&PathBuf> = watch.files.iter().map(|file| &file.path).collect();
        assert_eq!(paths, [&scene.origin, &mesh]);
    }
}
