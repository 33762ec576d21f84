//! Bad input ends in one error that names the thing, the place and the remedy, and never in a panic.

use std::path::{Path, PathBuf};

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::scene::{Method, ShapeMatching, load_scene};
use pliant_simulation::build::build_method;
use pliant_simulation::cache::AssetCache;
use pliant_simulation::compare::{CompareOptions, compare};
use pliant_simulation::error::BuildError;
use pliant_simulation::scenes::{ImportOptions, load};
use pliant_simulation::setup::prepare;
use pliant_tests::{PAD, compared, scene, setup};

/// The error of loading and preparing `source`.
fn refused(source: &Path) -> BuildError {
    let name = source.to_str().expect("a name in Unicode");
    let scene = match load(name, &ImportOptions::default()) {
        Ok(scene) => scene,
        Err(error) => return error,
    };
    match prepare(&scene, &Progress::new()) {
        Ok(_) => panic!("{name} was accepted"),
        Err(error) => error,
    }
}

/// Checks that the code is as expected, that the text names a remedy, and that the place contains `place`.
fn check(error: &BuildError, code: &str, place: &str) {
    let text = error.to_string();
    assert_eq!(error.code(), code, "{text}");
    assert!(text.contains("remedy:"), "{code} without a remedy: {text}");
    let found = error.place().expect("a place");
    assert!(found.contains(place), "{code}: {found} lacks {place}");
}

#[test]
fn meshes_that_cannot_be_read_are_refused_by_name() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = |name: &str, bytes: &[u8]| -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("written");
        path
    };
    let missing = refused(&folder.path().join("missing.stl"));
    check(&missing, "FileNotFound", "missing.stl");
    let empty = refused(&file("empty.obj", b""));
    check(&empty, "EmptyFile", "empty.obj");
    let picture = refused(&file("picture.stl", b"\x89PNG\r\n\x1a\n0000"));
    check(&picture, "UnknownFormat", "picture.stl");
    let nan = b"v 0 0 0\nv 1 0 0\nv 0 nan 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n";
    check(&refused(&file("nan.obj", nan)), "NonFinite", "line 3");
    let points = refused(&file("points.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\n"));
    check(&points, "NoTriangles", "points.obj");
    let index = refused(&file("index.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"));
    check(&index, "IndexOutOfRange", "line 4");
    let sheet = b"v 0 0 0\nv 1 0 0\nv 1 1 0.1\nv 0 1 0\nf 1 2 3\nf 1 3 4\n";
    let sheet = refused(&file("sheet.obj", sheet));
    assert!(matches!(sheet, BuildError::Repair { .. }), "{sheet}");
    check(&sheet, "SkinOpen", "sheet.obj");
    let directory = refused(folder.path());
    check(&directory, "NotAFile", "");
}

#[test]
fn scenes_that_cannot_be_used_are_refused_by_key() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let changed = |from: &str, to: &str, code: &str, place: &str| {
        check(&load_text(&changed_pad(from, to)), code, place);
    };
    let missing = refused(&folder.path().join("no.toml"));
    check(&missing, "Unreadable", "no.toml");
    check(&refused(Path::new("nonsense")), "NoSuchScene", "nonsense");
    let cut_off = load_text("schema = 1\nname = ");
    check(&cut_off, "Syntax", "scene.toml: line 2");
    changed("lattice = {", "latice = {", "UnknownKey", "body[0].latice");
    let poisson = "body[0].material.poisson";
    changed("poisson = 0.3", "poisson = 0.7", "BadValue", poisson);
    let nowhere = "sphere = { center = [9.0, 9.0, 9.0], radius = 0.1 }";
    let select = "body[0].support[0].select";
    changed("lowest = 0.01", nowhere, "SupportEmpty", select);
    changed("radius = 0.05", "radius = 0.005", "ToolTooSharp", "ball");
    let size = "procedural = \"box\", size = [0.2, 0.1, 0.2]";
    let mesh = format!("{size}, edge = 0.025");
    changed(&mesh, "file = \"gone.ply\"", "FileNotFound", "gone.ply");
    let unknown = "procedural = \"bax\"";
    changed(size, unknown, "UnknownBody", "body[0].mesh");
}

#[test]
fn a_method_that_does_not_apply_leaves_the_others_running() {
    let free = changed_pad(
        r#"support = [ { name = "base", select = { lowest = 0.01 } } ]"#,
        "",
    );
    let comparison = compared(&setup(&scene(&free)), 0.1, &AssetCache::disabled());
    for result in &comparison.methods {
        match &result.outcome {
            Ok(run) => {
                assert_ne!(result.method, Method::Quasistatic);
                assert_eq!((run.frames, &run.diverged), (6, &None));
            }
            Err(reason) => {
                assert_eq!(result.method, Method::Quasistatic);
                assert_eq!(reason.code, "Unconstrained");
                assert!(reason.reason.contains("remedy"), "{}", reason.reason);
            }
        }
    }
    assert_eq!(comparison.pairs.len(), 1);
}

#[test]
fn a_cancelled_comparison_reports_it() {
    let progress = Progress::new();
    progress.cancel();
    let cache = AssetCache::disabled();
    let options = CompareOptions {
        duration: Some(0.1),
        ..CompareOptions::new(&cache)
    };
    let error = compare(setup(&scene(PAD)), &options, &progress).err();
    assert!(matches!(error, Some(BuildError::Cancelled)), "{error:?}");
}

#[test]
fn lattices_that_cannot_be_made_are_refused_with_a_remedy() {
    let build_lattice = |from: &str, to: &str| {
        let setup = setup(&scene(&changed_pad(from, to)));
        let (cache, progress) = (AssetCache::disabled(), Progress::new());
        build_method(&setup, Method::Lattice, &cache, &progress)
    };
    let refused = |from: &str, to: &str| match build_lattice(from, to) {
        Ok(_) => panic!("{to} was accepted"),
        Err(error) => (error.code().to_string(), error.to_string()),
    };
    // refused before its 10^16 cells are asked for
    let (code, text) = refused("cell = 0.025", "cell = 1e-6");
    assert_eq!(code, "GridTooLarge");
    assert!(text.contains("remedy: use a cell of"), "{text}");
    let (code, text) = refused("young = 2.0e4", "young = 1e10");
    assert_eq!(code, "StiffnessUnreachable");
    assert!(text.contains("steps a frame"), "{text}");
    // a plate that is thinner than half a cell is allowed, with a note
    let plate = "size = [0.2, 0.01, 0.2], edge = 0.01";
    let built =
        build_lattice("size = [0.2, 0.1, 0.2], edge = 0.025", plate).expect("a thin lattice");
    let notes = built.model.stats().notes;
    assert!(notes.iter().any(|n| n.contains("voluminous")), "{notes:?}");
    for case in [
        "damping = 'local' => damping",
        "damp_every = 0 => damp_every",
        "damp_every = 1.5 => damp_every",
        "masses = 'unit', weights = [ { select = { lowest = 0.5 }, factor = 3.0 } ] => weights",
        "matching = 'rigid', damp_every = 2 => damp_every",
    ] {
        let (to, place) = case.split_once(" => ").expect("an arrow");
        let keys = format!("cell = 0.025, {to}");
        let error = load_text(&changed_pad("cell = 0.025, half_width = 1", &keys));
        assert_eq!(error.code(), "BadValue", "{to}: {error}");
        let found = error.place().expect("a place");
        assert!(found.contains(place), "{to}: {found}");
    }
}

/// The text of the pad with a part replaced.
fn changed_pad(part: &str, other: &str) -> String {
    let text = PAD.replace(part, other);
    assert_ne!(text, PAD, "{part}");
    text
}

/// The error of loading a scene from this text.
fn load_text(text: &str) -> BuildError {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, text).expect("written");
    refused(&path)
}

#[test]
fn keys_of_whole_body_matching_and_bones_are_checked() {
    let with = |keys: &str| {
        let body = format!("[[body]]\nmesh = {{ procedural = \"bar\" }}\nlattice = {{ {keys} }}");
        load_scene(&body).map(|scene| scene.body.lattice)
    };
    let bones = "{ name = 'a', sphere = { center = [0, 1, 0], radius = 0.5 } }, { name = 'b', box = { min = [0, 0, 0], max = [1, 1, 1] } }";
    let lattice = with(&format!(
        "matching = 'linear', beta = 0.5, bones = [ {bones} ]"
    ));
    let lattice = lattice.expect("valid");
    assert_eq!(lattice.matching, ShapeMatching::Linear { beta: 0.5 });
    assert!(lattice.split_cells && !lattice.regions_once && !lattice.breaks_shortened);
    let other = with("toughness = 0.1, break_in = \"both\", split_cells = false").expect("valid");
    assert!(other.breaks_shortened && !other.split_cells);
    let unique = with("multiplicity = 'unique'").expect("valid");
    assert!(unique.regions_once);
    let inside = |bone: usize, y: f64| lattice.bones[bone].shape.contains(&Vec3::new(0.0, y, 0.0));
    assert!(inside(0, 1.4) && !inside(0, 1.6) && inside(1, 0.9) && !inside(1, -0.1));
    for case in [
        "matching = 'cubic' => lattice.matching",
        "beta = 0.5 => lattice.beta",
        "matching = 'rigid', beta = 0.5 => lattice.beta",
        "matching = 'linear', beta = 1.5 => lattice.beta",
        "matching = 'rigid', toughness = 0.1 => lattice.toughness",
        "multiplicity = 'once' => lattice.multiplicity",
        "matching = 'rigid', multiplicity = 'unique' => lattice.multiplicity",
        "multiplicity = 'unique', toughness = 0.1 => lattice.multiplicity",
        "multiplicity = 'unique', precision = 'f32' => lattice.precision",
        "break_in = 'both' => lattice.break_in",
        "toughness = 0.1, break_in = 'compression' => lattice.break_in",
        "split_cells = 1 => lattice.split_cells",
        "matching = 'linear', half_width = 1 => lattice.half_width",
        "bones = [ { name = 'a' } ] => lattice.bones[0]",
        "bones = [ { name = 'a', sphere = { center = [0, 0, 0] } } ] => lattice.bones[0].sphere.radius",
        "bones = [ { sphere = { center = [0, 0, 0], radius = 1 } } ] => lattice.bones[0].name",
        "bones = [ { name = 'a', cone = { radius = 1 } } ] => lattice.bones[0].cone",
    ] {
        let (keys, named) = case.split_once(" => ").expect("an arrow");
        let error = with(keys).expect_err(keys).to_string();
        assert!(error.contains(named), "{keys}: {error}");
    }
}
