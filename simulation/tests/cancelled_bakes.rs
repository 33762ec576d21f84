//! A bake that is cancelled, wherever that is, leaves a cache of which the next one makes the same files.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use pliant_core::asset::Progress;
use pliant_core::scene::Method;
use pliant_fuzzing::{Watched, on_threads};
use pliant_simulation::build::build_method;
use pliant_simulation::cache::AssetCache;
use pliant_simulation::error::BuildError;
use pliant_simulation::scenes::LoadedScene;
use pliant_simulation::setup::{Setup, prepare};

/// Bakes in some tenths of a second.
const SCENE: &str = r#"
schema = 1
name = "small"
[[body]]
name = "block"
mesh = { procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.025 }
material = { young = 2.0e4, poisson = 0.3, density = 1000.0, zeta = 0.3 }
support = [ { name = "base", select = { lowest = 0.01 } } ]
adaptive = { target_edges = [0.08, 0.04] }
lattice = { cell = 0.04, half_width = 1 }
quasistatic = { boundary = 200 }
"#;

/// Cancels work when it asks for memory for the n-th time. Work asks again and again all along, so that this reaches any place between two looks at the flag, and on one thread the
/// same one each time.
#[global_allocator]
static ALLOCATOR: Watched = Watched(count);

/// The work that is cancelled.
static WATCHED: Mutex<Option<Progress>> = Mutex::new(None);

thread_local! {
    /// How often this thread may still ask for memory, the last time included; 0 where nobody counts.
    static REMAINING_REQUESTS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    let left = REMAINING_REQUESTS.get();
    REMAINING_REQUESTS.set(left.saturating_sub(1));
    if left == 1
        && let Ok(watched) = WATCHED.try_lock()
        && let Some(progress) = &*watched
    {
        progress.cancel();
    }
}

/// Does work on this thread that is cancelled when it asks for memory for the n-th time, before it begins where that is 0.
fn cancelled_at_request<T>(n: u64, work: impl FnOnce(&Progress) -> T) -> T {
    let progress = Progress::new();
    if n == 0 {
        progress.cancel();
    }
    *WATCHED.lock().expect("no panic") = Some(progress.clone());
    REMAINING_REQUESTS.set(n);
    let result = work(&progress);
    REMAINING_REQUESTS.set(0);
    result
}

fn setup() -> Arc<Setup> {
    let loaded = LoadedScene::of_text("small", SCENE).expect("a scene");
    Arc::new(prepare(&loaded, &Progress::new()).expect("a setup"))
}

/// Every file below a folder, by its name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            let inner = files(&path).into_iter();
            found.extend(inner.map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
        } else {
            found.insert(name, std::fs::read(&path).expect("a file"));
        }
    }
    found
}

fn bake(
    setup: &Arc<Setup>,
    method: Method,
    cache: &AssetCache,
    progress: &Progress,
) -> Result<(), BuildError> {
    build_method(setup, method, cache, progress).map(drop)
}

/// A bake that is cancelled later and later leaves nothing but what is whole, and gives the `expected` files when it is made again.
fn cancel_everywhere(setup: &Arc<Setup>, method: Method, expected: &BTreeMap<String, Vec<u8>>) {
    let baked_again = |folder: &Path, n: u64| {
        let cache = AssetCache::open(Some(folder));
        bake(setup, method, &cache, &Progress::new()).expect("baked again");
        let is_same = files(folder) == *expected;
        assert!(is_same, "{method:?} at {n} gives other bytes");
    };
    let (mut cancelled, mut last) = (0, None);
    let doubled = |n: &u64| Some((2 * n).max(1));
    for n in std::iter::successors(Some(0), doubled) {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = AssetCache::open(Some(folder.path()));
        let result = cancelled_at_request(n, |p| bake(setup, method, &cache, p));
        let left = files(folder.path());
        for (name, bytes) in &left {
            // finished columns are gone on with
            let is_whole = name.ends_with(".columns") || expected.get(name) == Some(bytes);
            assert!(is_whole, "{method:?} at {n} left {name}");
        }
        match result {
            Err(BuildError::Cancelled) => cancelled += 1,
            Err(other) => panic!("{method:?} at {n}: {other}"),
            Ok(()) => {
                // it was over before
                assert!(left == *expected, "{method:?} at {n} gives other bytes");
                break;
            }
        }
        if !left.is_empty() {
            baked_again(folder.path(), n);
        }
        last = Some((folder, n));
    }
    assert!(cancelled > 5, "{method:?} was cancelled {cancelled} times");
    // an empty folder is that of a first bake; one of them stands for all
    let (folder, n) = last.expect("cancelled");
    baked_again(folder.path(), n);
}

#[test]
fn a_cancelled_bake_leaves_what_is_whole_and_one_thread_or_two_bake_the_same_bits_again() {
    let setup = setup();
    for method in Method::ALL {
        let whole = tempfile::tempdir().expect("a folder");
        let cache = AssetCache::open(Some(whole.path()));
        bake(&setup, method, &cache, &Progress::new()).expect("baked");
        let expected = files(whole.path());
        assert!(!expected.is_empty(), "{method:?}");
        for threads in [1, 2] {
            on_threads(threads, || cancel_everywhere(&setup, method, &expected));
        }
    }
}
