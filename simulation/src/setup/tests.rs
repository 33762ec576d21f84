//! Scenes made concrete, and scenes that are refused.

use pliant_core::asset::Progress;

use crate::scenes::{ImportOptions, LoadedScene, load};
use crate::setup::prepare;

fn scene_with(text: &str) -> LoadedScene {
    LoadedScene {
        description: pliant_core::scene::load_scene(text).expect("valid scene"),
        origin: "test".into(),
        folder: ".".into(),
        text: text.to_string(),
    }
}

#[test]
fn the_poke_scene_becomes_concrete() {
    let scene = load("poke", &ImportOptions::default()).expect("bundled");
    let setup = prepare(&scene, &Progress::new()).expect("prepared");
    assert_eq!(setup.box_size.map(|s| s.y), Some(0.1));
    assert_eq!(setup.geometry.material.elastic.poisson, 0.0, "nu0");
    assert!(setup.held.iter().any(|h| *h) && !setup.held.iter().all(|h| *h));
    assert!((setup.areas.iter().sum::<f64>() - setup.skin().area()).abs() < 1e-12);
}

#[test]
fn empty_selections_sharp_tools_and_missing_meshes_are_refused_by_name() {
    let base = "schema = 1\nname = 'x'\n[[body]]\nname = 'b'\nmesh = { procedural = 'box', size = [0.2, 0.2, 0.2], edge = 0.05 }\n";
    let refuse = |text: &str| prepare(&scene_with(text), &Progress::new()).expect_err("refused");
    let nothing =
        "support = [{ name = 's', select = { sphere = { center = [9, 9, 9], radius = 0.1 } } }]\n";
    assert_eq!(refuse(&format!("{base}{nothing}")).code(), "SupportEmpty");
    let sharp = "[[tool]]\nname = 't'\nshape = { sphere = { radius = 0.01 } }\nmotion = { path = 'p' }\n[[path]]\nname = 'p'\nkeys = [{ t = 0, at = [0, 1, 0] }]\n";
    assert_eq!(refuse(&format!("{base}{sharp}")).code(), "ToolTooSharp");
    let missing =
        "schema = 1\nname = 'x'\n[[body]]\nname = 'b'\nmesh = { file = 'no-such-file.obj' }\n";
    let error = refuse(missing);
    assert_eq!(error.code(), "FileNotFound");
    assert!(
        error
            .place()
            .is_some_and(|p| p.contains("no-such-file.obj"))
    );
}
