//! Files that exist in memory only: a browser has no file system, but hands over what is dropped on a page.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

static FILES: Mutex<BTreeMap<PathBuf, Arc<[u8]>>> = Mutex::new(BTreeMap::new());

/// Keeps `bytes` under `path` until the program ends. From then on readers find them there instead of a file on the disk. Another file of the same path replaces them.
///
/// ```
/// use pliant_meshing::io::{keep_file, read_mesh};
///
/// keep_file("dropped/triangle.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".as_slice());
/// let mesh = read_mesh("./dropped/triangle.obj".as_ref());
/// assert_eq!(mesh.unwrap().surface.triangles.len(), 1);
/// ```
pub fn keep_file(path: impl AsRef<Path>, bytes: impl Into<Arc<[u8]>>) {
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    files.insert(normalized(path.as_ref()), bytes.into());
}

/// What was kept under `path`.
pub fn kept_file(path: &Path) -> Option<Arc<[u8]>> {
    let files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    files.get(&normalized(path)).cloned()
}

/// `./a/b` is `a/b`.
fn normalized(path: &Path) -> PathBuf {
    let named = path.components().filter(|c| *c != Component::CurDir);
    named.collect()
}
