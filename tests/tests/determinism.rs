//! A dropped mesh gives the same bits in every run, for any number of threads, with an empty and with a full cache.

use std::path::Path;
use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::scene::MeshSource;
use pliant_meshing::procedural::{ProceduralSpec, body};
use pliant_simulation::cache::AssetCache;
use pliant_simulation::scenes::{ImportOptions, load};
use pliant_simulation::setup::Setup;
use pliant_tests::{coarsen, compared, on_threads, runs, setup};

/// Writes a body as OBJ, in centimetres and away from the origin.
fn write_obj(file: &Path) {
    let spec = ProceduralSpec {
        edge: Some(0.018),
        ..ProceduralSpec::new("kidney")
    };
    let skin = body(&spec, &Progress::new()).expect("a kidney");
    let mut text = String::from("# a kidney\n");
    for x in &skin.positions {
        let [x, y, z] = [x.x, x.y, x.z].map(|c| 100.0 * c + 7.0);
        text += &format!("v {x:.6} {y:.6} {z:.6}\n");
    }
    for [a, b, c] in &skin.triangles {
        text += &format!("f {} {} {}\n", a + 1, b + 1, c + 1);
    }
    std::fs::write(file, text).expect("written");
}

fn dropped_setup(file: &Path) -> Arc<Setup> {
    let name = file.to_str().expect("a name in Unicode");
    let mut scene = load(name, &ImportOptions::default()).expect("a scene around the mesh");
    assert!(matches!(
        &scene.description.body.mesh,
        MeshSource::File { .. }
    ));
    coarsen(&mut scene);
    setup(&scene)
}

/// Hash, largest force and whether the asset was read, for each method.
fn results(file: &Path, cache: &AssetCache) -> Vec<(&'static str, u64, f64, bool)> {
    let comparison = compared(&dropped_setup(file), 1.2, cache);
    runs(&comparison)
        .into_iter()
        .map(|(name, run)| (name, run.surface_hash, run.force_max, run.from_cache))
        .collect()
}

#[test]
fn a_dropped_mesh_gives_the_same_bits_in_every_run() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = folder.path().join("dropped.obj");
    write_obj(&file);
    let cache = AssetCache::open(Some(&folder.path().join("cache")));
    let one = on_threads(1, || results(&file, &cache));
    assert_eq!(one.len(), 3);
    assert!(one.iter().all(|r| r.2 > 0.0), "all feel the poke: {one:?}");
    assert!(one.iter().all(|r| !r.3), "{one:?}");
    for threads in [2, 8, 16] {
        let baked_again = on_threads(threads, || results(&file, &AssetCache::disabled()));
        assert_eq!(one, baked_again, "{threads} threads");
    }
    let from_cache = on_threads(2, || results(&file, &cache));
    assert!(from_cache.iter().all(|r| r.3), "{from_cache:?}");
    for (a, b) in one.iter().zip(&from_cache) {
        assert_eq!((a.0, a.1, a.2), (b.0, b.1, b.2));
    }
}

#[test]
fn the_bits_depend_on_the_mesh() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = folder.path().join("dropped.obj");
    write_obj(&file);
    let text = std::fs::read_to_string(&file).expect("read");
    let cache = AssetCache::open(Some(&folder.path().join("cache")));
    let before = results(&file, &cache);
    // one vertex by a tenth of a millimetre of a body of 300 mm
    let line = text.lines().find(|l| l.starts_with("v ")).expect("vertex");
    let mut words: Vec<String> = line.split(' ').map(str::to_string).collect();
    let x: f64 = words[1].parse().expect("a number");
    words[1] = format!("{:.6}", x + 0.01);
    std::fs::write(&file, text.replace(line, &words.join(" "))).expect("written");
    let after = results(&file, &cache);
    for (a, b) in before.iter().zip(&after) {
        assert_ne!(a.1, b.1, "{}", a.0);
        assert!(!b.3, "{}: an asset of another mesh was taken", a.0);
    }
}
