//! Scenes made concrete, and scenes that are refused.

use pliant_core::asset::Progress;
use pliant_core::contact::ToolShape;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::mesh::validate::topology;
use pliant_meshing::io::write_obj;
use pliant_meshing::procedural::{ProceduralSpec, body};

use crate::error::BuildError;
use crate::scenes::LoadedScene;
use crate::setup::scene_notes::coarse_skin::sides;
use crate::setup::{Setup, prepare};
use crate::world::testing::{notes_with, setup_from, setup_of};

/// Why a scene cannot be made concrete.
fn refuse(text: &str) -> BuildError {
    let scene = LoadedScene::of_text("test", text).expect("valid scene");
    prepare(&scene, &Progress::new()).expect_err("refused")
}

/// Whether any note has these words.
fn says(setup: &Setup, words: &str) -> bool {
    setup.note_texts().any(|note| note.contains(words))
}

/// What notes say where triangles were halved for blades, and where long ones are left.
const HALVED: &str = "blades leave clean lips";
const RAGGED: &str = "the lips are ragged";

#[test]
fn the_poke_scene_becomes_concrete() {
    let setup = setup_from("poke");
    assert_eq!(setup.box_size.map(|s| s.y), Some(0.1));
    assert_eq!(setup.geometry.material.elastic.poisson, 0.0, "nu0");
    assert!(setup.held.iter().any(|h| *h) && !setup.held.iter().all(|h| *h));
    assert!((setup.areas.iter().sum::<f64>() - setup.skin().area()).abs() < 1e-12);
}

#[test]
fn skins_are_kept_four_times_a_second_and_at_the_end_of_a_shorter_run() {
    let setup = setup_from("poke");
    assert_eq!(setup.description.frame_rate, 60.0);
    let kept = |frames: usize| -> Vec<usize> {
        let all = 0..frames;
        all.filter(|k| setup.keeps_surface(*k, frames)).collect()
    };
    assert_eq!(kept(40), [14, 29]);
    assert_eq!((kept(15), kept(14)), (vec![14], vec![13]));
    assert_eq!((kept(1), kept(0)), (vec![0], vec![]));
}

#[test]
fn a_hand_reaches_as_far_as_its_foremost_tool() {
    let tool = |name: &str, motion: &str| {
        format!(
            "[[tool]]\nname = '{name}'\nshape = {{ sphere = {{ radius = 0.1 }} }}\nmotion = {{ {motion} }}\n"
        )
    };
    let setup = setup_of(
        "[[body]]\nmesh = { procedural = 'box', size = [0.2, 0.2, 0.2], edge = 0.05 }\n"
            .to_string()
            + &tool("palm", "device = 'pointer', script = '$POKE'")
            + &tool("other", "script = '$POKE'")
            + &tool("finger", "carried_by = 'palm', at = [0, -0.05, 0]"),
    );
    assert_eq!(setup.carriers().collect::<Vec<_>>(), [0]);
    assert_eq!(setup.carried_by(0).collect::<Vec<_>>(), [2]);
    let reach = |k: usize, direction: Vec3| setup.reach(k, &direction);
    assert!((reach(0, -Vec3::y()) - 0.15).abs() < 1e-12);
    assert_eq!((reach(0, Vec3::y()), reach(1, -Vec3::y())), (0.1, 0.1));
}

#[test]
fn what_does_not_fit_a_body_of_unlikely_size_is_told_after_the_unit_of_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let refuse_in = |longest: f64, keys: &str, support: &str| {
        let file = folder.path().join("part.obj");
        let size = Vec3::new(1.0, 0.6, 0.8) * longest;
        write_obj(&file, &box_surface(size, [6; 3], CellStyle::Kuhn)).expect("written");
        refuse(&format!(
            "schema = 1\nname = 'x'\n[[body]]\nname = 'part'\nmesh = {{ file = '{}'{keys} }}\nsupport = [{{ name = 's', select = {{ {support} }} }}]\n[[tool]]\nname = 't'\nshape = {{ sphere = {{ radius = 0.02 }} }}\nmotion = {{ path = 'p' }}\n[[path]]\nname = 'p'\nkeys = [{{ t = 0, at = [0, 1, 0] }}]\n",
            file.display()
        ))
    };
    let (lowest, far) = (
        "lowest = 0.1",
        "sphere = { center = [9, 9, 9], radius = 0.1 }",
    );
    for (longest, keys, support, code, words) in [
        (
            100.0,
            "",
            lowest,
            "ToolTooSharp",
            ["is 100 m long", "units = \"mm\""],
        ),
        (
            100.0,
            "",
            far,
            "SupportEmpty",
            ["is 100 m long", "units = \"mm\""],
        ),
        (
            0.0002,
            "",
            lowest,
            "ToolTooLarge",
            ["read in m,", "`longest`"],
        ),
        (
            0.2,
            ", units = 'mm'",
            lowest,
            "ToolTooLarge",
            ["read in mm,", "units = \"m\""],
        ),
    ] {
        let error = refuse_in(longest, keys, support);
        assert_eq!(error.code(), code, "{error}");
        let text = error.to_string();
        assert!(text.starts_with("body `part` is "), "{text}");
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
    }
    // a size that the scene asks for is meant
    let meant = refuse_in(100.0, ", longest = 50.0", lowest).to_string();
    assert!(meant.starts_with("tool `t` has a radius"), "{meant}");
}

#[test]
fn a_skin_that_is_too_coarse_for_a_tool_is_told_with_the_edge_that_it_needs() {
    let notes = |edge: f64, height: f64| {
        let text = format!(
            "schema = 1\nname = 'x'\nduration = 1.0\n[[body]]\nname = 'b'\nmesh = {{ procedural = 'box', size = [0.2, 0.1, 0.2], edge = {edge} }}\n[[tool]]\nname = 'ball'\nshape = {{ sphere = {{ radius = 0.045 }} }}\nmotion = {{ path = 'p' }}\n[[path]]\nname = 'p'\nkeys = [{{ t = 0, at = [0, 0.2, 0] }}, {{ t = 1, at = [0, {height}, 0] }}]\n"
        );
        let setup = setup_of(text);
        setup.note_texts().map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        notes(0.025, 0.085),
        [
            "SkinTooCoarse: the skin is too coarse for `ball`: its edges are 28.5 mm there, 0.63 of the tool's radius, so that forces may be off by 15 % and more in all methods alike\n  remedy: mesh.edge = 0.011 or less"
        ]
    );
    assert_eq!(notes(0.0175, 0.085).len(), 1);
    assert!(notes(0.0125, 0.085).is_empty(), "fine enough");
    assert!(notes(0.025, 0.19).is_empty(), "nothing is touched");
}

#[test]
fn bundled_scenes_have_skins_that_are_fine_enough() {
    for (name, _) in crate::scenes::BUNDLED {
        let setup = setup_from(name);
        assert!(!says(&setup, "SkinTooCoarse"), "{name}");
    }
}

/// A dragon that a ball presses on the chest; `more` follows in its table.
fn pressed_dragon(more: &str) -> Setup {
    let text = format!(
        "schema = 1\nname = 'x'\nduration = 1.0\n[[body]]\nname = 'b'\nmesh = {{ procedural = 'dragon', longest = 0.3{more} }}\n[[tool]]\nname = 'ball'\nshape = {{ sphere = {{ radius = 0.018 }} }}\nmotion = {{ path = 'p' }}\n[[path]]\nname = 'p'\nkeys = [{{ t = 0, at = [0, 0.07, 0.16] }}, {{ t = 1, at = [0, 0.095, 0.084] }}]\n"
    );
    setup_of(text)
}

#[test]
fn a_skin_is_refined_where_a_script_presses_it() {
    // a scene that gives the edge gets it
    let coarse = pressed_dragon(", edge = 0.0106");
    assert!(says(&coarse, "SkinTooCoarse") && !says(&coarse, "was refined"));
    let fine = pressed_dragon("");
    assert!(!says(&fine, "SkinTooCoarse") && says(&fine, "the skin was refined for `ball`"));
    assert!(topology(&fine.scene_skin).is_sound());
    // in one place, and nothing is moved
    let spec = ProceduralSpec {
        name: "dragon".into(),
        longest: Some(0.3),
        size: None,
        edge: None,
    };
    let plain = body(&spec, &Progress::new()).expect("a dragon").positions;
    let (kept, added) = fine.scene_skin.positions.split_at(plain.len());
    assert_eq!(kept, plain);
    assert!((50..1000).contains(&added.len()), "{}", added.len());
    let chest = Vec3::new(0.0, 0.095, 0.084);
    assert!(added.iter().all(|x| (x - chest).norm() < 0.06));
}

#[test]
fn the_long_triangles_of_a_mesh_that_blades_cut_are_halved() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cube.obj");
    let cube = box_surface(Vec3::new(0.2, 0.2, 0.2), [1; 3], CellStyle::Kuhn);
    write_obj(&file, &cube).expect("written");
    let setup = |shape: &str, cells: &str| {
        setup_of(format!(
            "schema = 1\nname = 'x'\n[[body]]\nname = 'b'\nmesh = {{ file = '{}' }}\nlattice = {{ {cells} }}\n[[tool]]\nname = 't'\nshape = {{ {shape} }}\nmotion = {{ path = 'p' }}\n[[path]]\nname = 'p'\nkeys = [{{ t = 0, at = [0, 1, 0] }}]\n",
            file.display()
        ))
    };
    let blade = "blade = { length = 0.4 }";
    let whole = setup("sphere = { radius = 0.1 }", "cells_longest = 24");
    assert!(!says(&whole, HALVED) && !says(&whole, RAGGED));
    let cut = setup(blade, "cells_longest = 24");
    assert!(says(&cut, HALVED) && !says(&cut, RAGGED));
    let (skin, cell) = (&cut.scene_skin, 0.2 / 24.0);
    for t in 0..skin.triangles.len() {
        let sides = sides(skin, t);
        assert!(sides.iter().all(|side| *side < 1.3 * cell), "{sides:?}");
    }
    assert!(topology(skin).is_sound());
    let (kept, _) = skin.positions.split_at(whole.scene_skin.vertex_count());
    assert_eq!(kept, whole.scene_skin.positions, "none was moved");
    // with cells of 2 mm it would be too heavy
    let fine = setup(blade, "cell = 0.002");
    assert!(says(&fine, HALVED) && says(&fine, RAGGED));
    assert!(fine.scene_skin.vertex_count() < 15_000);
}

#[test]
fn generated_bodies_get_short_triangles_for_blades_or_keep_the_edge_of_their_scene_with_a_note() {
    let setup = |edge: &str, keys: &str| {
        setup_of(format!(
            "schema = 1\nname = 'x'\n{keys}\n[[body]]\nname = 'b'\nmesh = {{ procedural = 'box', size = [0.3, 0.1, 0.1]{edge} }}\nlattice = {{ cell = 0.005 }}\n[[tool]]\nname = 't'\nshape = {{ blade = {{ length = 0.4 }} }}\nmotion = {{ path = 'p' }}\n[[path]]\nname = 'p'\nkeys = [{{ t = 0, at = [0, 1, 0] }}]\n"
        ))
    };
    let longest = |setup: &Setup| {
        let skin = &setup.scene_skin;
        let all = (0..skin.triangles.len()).flat_map(|t| sides(skin, t));
        all.fold(0.0, f64::max)
    };
    // about 8,000 triangles with diagonals of 8 mm
    let free = setup("", "");
    assert!(says(&free, HALVED) && !says(&free, RAGGED));
    assert!(longest(&free) <= 1.25 * 0.005 && topology(&free.scene_skin).is_sound());
    // the edge of the scene holds; diagonals of 1.4 cells leave small gaps
    let kept = setup(", edge = 0.005", "");
    assert!(!says(&kept, HALVED) && !says(&kept, RAGGED));
    let coarse = setup(", edge = 0.01", "");
    assert_eq!(
        coarse.scene_skin.vertex_count(),
        2 + 2 * (30 * 10 + 30 * 10 + 10 * 10)
    );
    assert!(!says(&coarse, HALVED) && says(&coarse, RAGGED));
    let note = coarse.note_texts().find(|n| n.contains(RAGGED));
    assert!(
        note.expect("a note")
            .ends_with("remedy: mesh.edge = 0.0034 or less, or larger cells")
    );
    let without = setup(", edge = 0.01", "methods = ['adaptive']");
    assert!(!says(&without, RAGGED), "it concerns lattices alone");
}

#[test]
fn a_body_that_finds_its_contacts_itself_is_not_halved_for_smaller_cells_than_it_gets() {
    let is_halved = |lattice: &str| {
        let setup = setup_of(format!(
            "schema = 1\nname = 'x'\n[[body]]\nname = 'b'\nmesh = {{ procedural = 'box', size = [0.3, 0.1, 0.1] }}\nlattice = {{ {lattice} }}\n[[tool]]\nname = 't'\nshape = {{ blade = {{ length = 0.4 }} }}\nmotion = {{ path = 'p' }}\n[[path]]\nname = 'p'\nkeys = [{{ t = 0, at = [0, 1, 0] }}]\n"
        ));
        says(&setup, HALVED)
    };
    // diagonals of 8 mm; cells of a body alone may be as small as 6.25 mm, and those of one that touches itself have 12.5 mm
    assert!(is_halved(""));
    assert!(!is_halved("self_contact = true"));
}

/// A box of 0.2 m under a tool of this shape, which comes down along a path.
fn under_a_tool(shape: &str) -> String {
    format!(
        "schema = 1\nname = 'x'\n[[body]]\nname = 'b'\nmesh = {{ procedural = 'box', size = [0.2, 0.2, 0.2], edge = 0.05 }}\n[[tool]]\nname = 'part'\nshape = {{ {shape} }}\nmotion = {{ path = 'p' }}\n[[path]]\nname = 'p'\nkeys = [{{ t = 0, at = [0, 1, 0] }}]\n"
    )
}

#[test]
fn a_tool_that_is_a_mesh_is_read_scaled_and_put_around_its_place() {
    let text = under_a_tool("mesh = { procedural = 'sphere', longest = 0.4, cell = 0.02 }");
    let setup = setup_of(text);
    let ToolShape::Mesh(mesh) = &setup.tools[0].shape else {
        panic!("{:?}", setup.tools[0].shape);
    };
    let bounds = mesh.surface().bounds();
    assert!(bounds.center().norm() < 1e-12 && (bounds.size().max() - 0.4).abs() < 1e-9);
    assert_eq!(mesh.cell(), 0.02);
    assert!(mesh.inner_radius() > 0.18 && mesh.outer_radius() < 0.21);
    assert!(setup.note_texts().all(|n| !n.contains("ToolThinParts")));
}

#[test]
fn meshes_of_tools_that_cannot_be_used_are_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    };
    let refuse = |shape: &str| refuse(&under_a_tool(shape));
    // a tetrahedron of 0.5 m, and the same without its last face
    let closed = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 2 3 4\nf 1 4 3\nf 1 2 4\nf 1 3 2\n";
    let whole = file("whole.obj", closed);
    let open = file("open.obj", closed.trim_end_matches("f 1 3 2\n"));
    let error = refuse(&format!("mesh = {{ file = '{open}', longest = 0.5 }}"));
    assert_eq!(error.code(), "ToolNotWatertight");
    let BuildError::ToolNotWatertight { open_edges, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(*open_edges, 3);
    for words in ["`part`", "open.obj", "3 open edges", "`pliant check "] {
        assert!(error.to_string().contains(words), "{error}");
    }
    let place = error.place().expect("a place");
    assert!(
        place.contains("part") && place.contains("open.obj"),
        "{place}"
    );
    // closed, but blunt only compared with a finer skin
    let small = refuse(&format!(
        "mesh = {{ file = '{whole}', longest = 0.1, cell = 0.004 }}"
    ));
    assert_eq!(small.code(), "ToolTooSharp", "{small}");
    let fine = refuse(&format!(
        "mesh = {{ file = '{whole}', longest = 0.5, cell = 1e-5 }}"
    ));
    assert_eq!(fine.code(), "GridTooLarge", "{fine}");
    assert_eq!(fine.place().as_deref(), Some("tool[0].shape.mesh"));
    let gone = refuse("mesh = { file = 'no-such.stl' }");
    assert_eq!(gone.code(), "FileNotFound");
    assert!(
        gone.to_string().contains("tool[0].shape.mesh.file"),
        "{gone}"
    );
    let unknown = refuse("mesh = { procedural = 'spatla' }");
    assert_eq!(unknown.code(), "UnknownBody");
    assert!(unknown.to_string().starts_with("`tool[0].shape.mesh`"));
}

#[test]
fn parts_of_a_tool_that_are_thinner_than_a_cell_are_told() {
    let text = under_a_tool(
        "mesh = { procedural = 'box', size = [0.3, 0.3, 0.3], edge = 0.1, cell = 0.02 }",
    );
    let notes = |text: &str| notes_with(&setup_of(text), "ToolThinParts").len();
    assert_eq!(notes(&text), 0);
    let plate = text
        .replace("size = [0.3, 0.3, 0.3]", "size = [0.3, 0.01, 0.3]")
        .replace("motion = { path = 'p' }", "motion = 'fixed'");
    assert_eq!(notes(&plate), 1);
}

#[test]
fn a_listed_vertex_that_does_not_exist_is_refused_with_its_key() {
    let painted = |support: &str, grab: &str, keys: &str| {
        format!(
            "[[body]]\nname = 'block'\nmesh = {{ procedural = 'box', size = [0.2, 0.1, 0.15], edge = 0.05 }}\n\
             support = [{{ name = 's', select = {{ list = [{support}] }} }}]\n{keys}\n\
             [[grab]]\nname = 'g'\nselect = {{ list = [{grab}] }}\nmotion = 'fixed'\n"
        )
    };
    let scene = |support: &str, grab: &str| painted(support, grab, "");
    let count = setup_of(scene("0, 1, 2", "3")).skin().vertex_count();
    let last = count - 1;
    assert!(setup_of(scene(&format!("0, {last}"), "3")).is_held(last as u32));
    let missing = format!("3, {count}");
    for (text, key) in [
        (scene(&missing, "3"), "body[0].support[0].select"),
        (scene("0, 1, 2", &missing), "grab[0].select"),
        (
            painted(
                "0, 1, 2",
                "3",
                &format!(
                    "lattice = {{ stiffness = [{{ select = {{ list = [{missing}] }}, factor = 2 }}] }}"
                ),
            ),
            "body[0].lattice.stiffness[0].select",
        ),
    ] {
        let refused = refuse(&text);
        assert_eq!(refused.code(), "NoSuchVertex", "{refused}");
        assert_eq!(refused.place().as_deref(), Some(key));
        assert!(refused.to_string().contains(&format!("from 0 to {last}")));
    }
}
