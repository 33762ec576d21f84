//! Baked assets on disk, named by a hash of everything they depend on.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use pliant_core::asset::AssetKey;
use pliant_core::asset::bytes::WholeFile;
use pliant_quasistatic::greens::table::SharedBytes;

use super::mapped::MappedFile;
use crate::threads::lock::lock;

/// Files beyond this size are removed, least recently used first.
const LIMIT_BYTES: u64 = 4 << 30;
/// Bytes of the checksum at the end of a file.
const CHECKSUM_BYTES: usize = 16;

/// Start of the extension of a file that is still being written.
const TEMPORARY_PREFIX: &str = "tmp-";
/// Age above which nobody writes such a file any more.
const ABANDONED_AGE: Duration = Duration::from_secs(24 * 3600);

/// A folder of baked assets. A folder that cannot be used acts as no cache.
#[derive(Debug, Clone, Default)]
pub struct AssetCache {
    folder: Option<PathBuf>,
    notice: Option<String>,
    /// why an asset could not be stored
    store_error: Arc<Mutex<Option<String>>>,
}

impl AssetCache {
    /// No cache: everything is baked anew.
    pub fn disabled() -> Self {
        Self::default()
    }

    /// The cache in `folder`; without one in `PLIANT_CACHE`, else in the platform's cache folder.
    ///
    /// A folder that cannot be written gives a disabled cache with a notice.
    pub fn open(folder: Option<&Path>) -> Self {
        let without = |notice: String| Self {
            notice: Some(notice),
            ..Self::default()
        };
        let Some(folder) = folder.map(Path::to_path_buf).or_else(default_folder) else {
            return without("no cache folder is known: assets are baked again every time".into());
        };
        let probe = folder.join(format!(".write-test-{}", std::process::id()));
        let usable = fs::create_dir_all(&folder).and_then(|()| fs::write(&probe, b""));
        let _ = fs::remove_file(&probe);
        match usable {
            Ok(()) => Self {
                folder: Some(folder),
                ..Self::default()
            },
            Err(e) => without(format!(
                "the cache {} cannot be written ({e}): assets are baked again",
                folder.display()
            )),
        }
    }

    /// The folder.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Why there is no cache, to be shown once.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// Why an asset could not be stored, if that has happened since this cache was opened: the file and the error of the system.
    pub fn store_error(&self) -> Option<String> {
        lock(&self.store_error).clone()
    }

    /// The stored bytes of an asset; `None` when absent or damaged (a checksum guards them).
    pub fn load(&self, kind: &str, key: AssetKey) -> Option<Vec<u8>> {
        Some(self.map(kind, key)?.bytes().to_vec())
    }

    /// The stored bytes of an asset, mapped into memory; `None` when absent or damaged. A damaged file is removed.
    ///
    /// The checksum is computed each time, because a file that rots on its disk keeps its length and its time. That takes about as long as reading the file from memory.
    pub fn map(&self, kind: &str, key: AssetKey) -> Option<MappedFile> {
        let path = self.path(kind, key)?;
        let mapped = MappedFile::open(&fs::File::open(&path).ok()?).ok()?;
        let is_intact = mapped
            .bytes()
            .split_last_chunk::<CHECKSUM_BYTES>()
            .is_some_and(|(bytes, sum)| xxhash_rust::xxh3::xxh3_128(bytes).to_le_bytes() == *sum);
        if !is_intact {
            // Windows removes no file that is mapped
            drop(mapped);
            let _ = fs::remove_file(path);
            return None;
        }
        // the least recently used is evicted first
        if let Ok(file) = fs::File::options().append(true).open(path) {
            let _ = file.set_modified(SystemTime::now());
        }
        Some(mapped.trimmed(0, CHECKSUM_BYTES))
    }

    /// Stores an asset of parts that follow each other: to a temporary name first, then renamed, so that nothing half-written is ever found.
    pub fn store(&self, kind: &str, key: AssetKey, parts: &[&[u8]]) {
        let Some(path) = self.path(kind, key) else {
            return;
        };
        let temporary = path.with_extension(format!("{TEMPORARY_PREFIX}{}", std::process::id()));
        let written = path
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| WholeFile::create_as(&path, temporary))
            .and_then(|mut file| {
                let mut sum = xxhash_rust::xxh3::Xxh3::new();
                for part in parts {
                    file.write_all(part)?;
                    sum.update(part);
                }
                file.write_all(&sum.digest128().to_le_bytes())?;
                file.finish()
            });
        if let Err(error) = written {
            *lock(&self.store_error) = Some(format!("{}: {error}", path.display()));
        }
        self.evict();
    }

    /// File that keeps the finished columns of an asset while it is baked; `None` without a cache.
    pub(crate) fn columns_file(&self, kind: &str, key: AssetKey) -> Option<PathBuf> {
        let path = self.path(kind, key)?.with_extension("columns");
        fs::create_dir_all(path.parent()?).ok()?;
        Some(path)
    }

    /// Number of assets and their size in bytes; what interrupted bakes left counts too.
    pub fn usage(&self) -> (usize, u64) {
        let files = self.files();
        (files.len(), files.iter().map(|f| f.1).sum())
    }

    /// Whether there is a file of this asset; its content is not checked.
    pub(crate) fn has_file(&self, kind: &str, key: AssetKey) -> bool {
        self.path(kind, key).is_some_and(|path| path.exists())
    }

    fn path(&self, kind: &str, key: AssetKey) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?.join(kind);
        Some(folder.join(format!("{key}.asset")))
    }

    fn files(&self) -> Vec<(PathBuf, u64, SystemTime)> {
        self.files_of_kinds()
            .into_iter()
            .filter(|file| {
                let path = file.path();
                path.extension()
                    .is_some_and(|e| e == "asset" || e == "columns")
            })
            .filter_map(|file| {
                let data = file.metadata().ok()?;
                Some((file.path(), data.len(), data.modified().ok()?))
            })
            .collect()
    }

    /// All files in the folders of the kinds.
    fn files_of_kinds(&self) -> Vec<fs::DirEntry> {
        let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
        let kinds = self.folder.iter().flat_map(|folder| entries(folder));
        kinds
            .flat_map(|kind| entries(&kind.path()).collect::<Vec<_>>())
            .collect()
    }

    /// Removes half-written files of killed programs, long after any of them may still write.
    fn remove_abandoned(&self, now: SystemTime) {
        for file in self.files_of_kinds() {
            let path = file.path();
            let end = path.extension().unwrap_or_default().to_string_lossy();
            let changed = file.metadata().and_then(|data| data.modified());
            let age = changed.ok().and_then(|time| now.duration_since(time).ok());
            if end.starts_with(TEMPORARY_PREFIX) && age.is_some_and(|age| age > ABANDONED_AGE) {
                let _ = fs::remove_file(&path);
            }
        }
    }

    fn evict(&self) {
        self.remove_abandoned(SystemTime::now());
        let mut files = self.files();
        let mut total: u64 = files.iter().map(|f| f.1).sum();
        files.sort_by_key(|f| f.2);
        for (path, size, _) in files {
            if total <= LIMIT_BYTES {
                break;
            }
            if fs::remove_file(&path).is_ok() {
                total -= size;
            }
        }
    }
}

fn default_folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("PLIANT_CACHE")
        && !folder.is_empty()
    {
        return Some(PathBuf::from(folder));
    }
    user_cache_folder().map(|folder| folder.join("pliant"))
}

#[cfg(not(target_family = "wasm"))]
fn user_cache_folder() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.cache_dir())
}

/// A browser has no folders.
#[cfg(target_family = "wasm")]
fn user_cache_folder() -> Option<PathBuf> {
    None
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn new_cache() -> (TempDir, AssetCache) {
        let folder = tempfile::tempdir().expect("temporary folder");
        let cache = AssetCache::open(Some(folder.path()));
        (folder, cache)
    }

    fn set_time(path: &Path, time: SystemTime) {
        let file = fs::File::options().append(true).open(path);
        let set = file.expect("stored").set_modified(time);
        set.expect("a file system with such times");
    }

    #[test]
    fn bytes_come_back_and_damage_is_noticed_whatever_the_clock_said() {
        let (_folder, cache) = new_cache();
        let key = AssetKey(42);
        let path = cache.path("kind", key).expect("path");
        assert_eq!(cache.load("kind", key), None);
        let (now, day) = (SystemTime::now(), Duration::from_secs(24 * 3600));
        let epoch = SystemTime::UNIX_EPOCH;
        for time in [now, epoch, epoch - 400 * day, now + 40_000 * day] {
            cache.store("kind", key, &[b"hel", b"", b"lo"]);
            assert_eq!(cache.usage().0, 1);
            set_time(&path, time);
            assert_eq!(cache.load("kind", key).as_deref(), Some(&b"hello"[..]));
            let mapped = cache.map("kind", key).expect("stored");
            // a disk that rots changes neither length nor time
            let used = fs::metadata(&path).and_then(|data| data.modified());
            let mut bytes = fs::read(&path).expect("readable");
            bytes[1] ^= 1;
            fs::remove_file(&path).expect("removed");
            fs::write(&path, &bytes).expect("writable");
            set_time(&path, used.expect("a time"));
            assert_eq!(cache.load("kind", key), None, "{time:?}");
            assert!(!path.exists(), "a damaged file is removed");
            // what was mapped before stays as it was
            assert_eq!(mapped.bytes(), b"hello");
            assert_eq!(mapped.trimmed(2, 9).bytes(), b"");
        }
        assert!(AssetCache::disabled().load("kind", key).is_none());
    }

    #[test]
    fn what_is_used_counts_as_new() {
        let (_folder, cache) = new_cache();
        let long_ago = SystemTime::UNIX_EPOCH + ABANDONED_AGE;
        for key in [AssetKey(1), AssetKey(2)] {
            cache.store("kind", key, &[b"hello"]);
            set_time(&cache.path("kind", key).expect("path"), long_ago);
        }
        cache.map("kind", AssetKey(2)).expect("stored");
        let used = |key| {
            let path = cache.path("kind", key).expect("path");
            let files = cache.files();
            files.iter().find(|f| f.0 == path).expect("listed").2
        };
        assert_eq!(used(AssetKey(1)), long_ago);
        assert!(used(AssetKey(2)) > long_ago);
    }

    #[test]
    fn what_a_killed_program_left_half_written_is_removed_after_a_day() {
        let (folder, cache) = new_cache();
        cache.store("kind", AssetKey(45), &[b"hello"]);
        let half = folder.path().join("kind/0123.tmp-77");
        fs::write(&half, b"hel").expect("writable");
        let now = SystemTime::now();
        for time in [now, now - ABANDONED_AGE / 2, now - 400 * ABANDONED_AGE] {
            cache.remove_abandoned(time);
            assert!(half.exists(), "another program may write it");
        }
        cache.remove_abandoned(now + 2 * ABANDONED_AGE);
        assert!(!half.exists());
        assert_eq!(cache.usage().0, 1);
    }

    #[test]
    fn a_cache_that_cannot_be_written_is_none_with_a_notice() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let file = folder.path().join("file");
        fs::write(&file, b"x").expect("writable");
        let cache = AssetCache::open(Some(&file));
        assert!(cache.folder().is_none() && cache.notice().is_some());
    }

    #[test]
    fn an_asset_that_cannot_be_stored_is_reported() {
        let (folder, cache) = new_cache();
        cache.store("kind", AssetKey(46), &[b"hello"]);
        assert_eq!(cache.store_error(), None);
        // a file is where the folder of a kind should be
        fs::write(folder.path().join("other"), b"x").expect("writable");
        cache.clone().store("other", AssetKey(46), &[b"hello"]);
        let store_error = cache.store_error().expect("it is not there");
        assert!(store_error.contains("other"), "{store_error}");
    }
}
