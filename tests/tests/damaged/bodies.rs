//! Baked bodies, small enough for thousands of cases.

use std::path::Path;
use std::sync::OnceLock;

use pliant_core::asset::Progress;
use pliant_core::scene::Method;
use pliant_simulation::build::build_method;
use pliant_simulation::cache::AssetCache;
use pliant_tests::{scene, setup};

/// Size of the checksum at the end of a file of the cache, bytes.
pub const CHECKSUM_BYTES: usize = 16;

fn text(quasistatic: &str) -> String {
    format!(
        r#"
        schema = 1
        name = "pad"
        [[body]]
        name = "pad"
        mesh = {{ procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.05 }}
        material = {{ young = 2.0e4, poisson = 0.3, density = 1000.0, zeta = 0.3 }}
        support = [ {{ name = "base", select = {{ lowest = 0.01 }} }} ]
        adaptive = {{ target_edges = [0.08, 0.05] }}
        lattice = {{ cell = 0.05, half_width = 1 }}
        quasistatic = {{ {quasistatic} }}
        "#
    )
}

/// The only asset in a folder of the cache.
fn asset_in(folder: &Path) -> Vec<u8> {
    let files = std::fs::read_dir(folder).expect("a folder").flatten();
    let is_asset = |path: &std::path::PathBuf| path.extension().is_some_and(|e| e == "asset");
    let path = files.map(|f| f.path()).find(is_asset);
    std::fs::read(path.expect("an asset")).expect("a file")
}

/// A file of the cache for each method, the quasistatic one twice: with dense columns and with a hierarchical matrix.
pub fn cached() -> &'static [(Method, Vec<u8>)] {
    static FILES: OnceLock<Vec<(Method, Vec<u8>)>> = OnceLock::new();
    FILES.get_or_init(|| {
        let mut all: Vec<_> = Method::ALL.map(|method| (method, "")).into();
        all.push((Method::Quasistatic, "hierarchical = 0.05"));
        let baked = |(method, quasistatic): (Method, &str)| {
            let setup = setup(&scene(&text(quasistatic)));
            let folder = tempfile::tempdir().expect("a folder");
            let cache = AssetCache::open(Some(folder.path()));
            build_method(&setup, method, &cache, &Progress::new()).expect("baked");
            (method, asset_in(&folder.path().join(method.name())))
        };
        all.into_iter().map(baked).collect()
    })
}

/// The assets of all files of this method, without notes and checksum.
pub fn assets(method: Method) -> Vec<Vec<u8>> {
    let files = cached().iter().filter(|(m, _)| *m == method);
    let asset = |bytes: &[u8]| {
        let length = bytes.first_chunk().map(|b| u64::from_le_bytes(*b));
        let start = 8 + length.expect("notes") as usize;
        bytes[start..bytes.len() - CHECKSUM_BYTES].to_vec()
    };
    files.map(|(_, bytes)| asset(bytes)).collect()
}
