//! Hands as text.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::contact::Pose;
use pliant_core::inspect::ParameterValue;
use pliant_core::math::Vec3;
use pliant_core::scene::Method;

use super::{HandHold, HandMotion, HandParameter, split};
use crate::scenes::LoadedScene;
use crate::setup::prepare;
use crate::world::testing::notes_with;

const SCENE: &str = "[[body]]\nname = 'block'\nmesh = { procedural = 'box', size = [0.2, 0.1, 0.1], edge = 0.05 }\n";

/// One of everything, with numbers that a sloppy reader would round.
fn hand() -> HandMotion {
    let set = |frame, method, name: &str, value| HandParameter {
        frame,
        method,
        name: name.into(),
        value,
    };
    let law = ParameterValue::Choice("stable_neo_hookean".into());
    let odd = |k: u32| Vec3::new(0.1 + 1e-17, f64::from(k) / 3.0, -1e-300);
    HandMotion {
        frame_rate: 60.0,
        frames: 9,
        tool: vec![(0, odd(1)), (4, odd(2))],
        grabs: vec![HandHold {
            first: 2,
            vertices: vec![0, 7],
            values: vec![odd(3), odd(4)],
        }],
        pulls: vec![HandHold {
            first: 6,
            vertices: vec![1, 2, 5],
            values: vec![odd(9), odd(10)],
        }],
        blades: vec![(5, [[odd(5), odd(6)], [odd(7), -odd(8)]])],
        gravity: vec![1..3, 8..9],
        parameters: vec![
            set(0, Method::Adaptive, "law", law),
            set(0, Method::Adaptive, "recover", ParameterValue::Flag(true)),
            set(
                9,
                Method::Lattice,
                "young",
                ParameterValue::Number(1e5 / 3.0),
            ),
        ],
    }
}

#[test]
fn a_hand_is_read_as_it_was_written() {
    let text = format!("{SCENE}{}", hand().text());
    let (scene, read) = split(&text).expect("valid");
    assert!(scene.starts_with(SCENE) && !scene.contains("[hand]"));
    assert_eq!(read, Some(hand()));
    assert_eq!(split(SCENE), Ok((SCENE, None)));
}

#[test]
fn a_hand_tells_what_it_does_in_a_frame() {
    let hand = hand();
    assert_eq!(hand.blades_in(5).count(), 1);
    assert_eq!(hand.blades_in(4).count(), 0);
    let pulled = |frame| hand.pulls_in(frame).next().map(|(_, force)| force);
    assert_eq!([5, 8].map(pulled), [None; 2]);
    assert_eq!(pulled(7), Some(hand.pulls[0].values[1]));
    let gravity: Vec<u64> = (0..12).filter(|f| hand.gravity_in(*f)).collect();
    // and it stays as it was last
    assert_eq!(gravity, [1, 2, 8, 9, 10, 11]);
}

#[test]
fn a_reference_sees_what_a_hand_moved_and_nothing_of_one_that_only_set_parameters() {
    let all = hand();
    let moved = all.without_parameters().expect("it moves");
    assert_eq!((moved.parameters.len(), moved.frames), (0, all.frames));
    assert_eq!((&moved.grabs, &moved.tool), (&all.grabs, &all.tool));
    let idle = HandMotion {
        frame_rate: 60.0,
        frames: 1,
        parameters: all.parameters,
        ..HandMotion::default()
    };
    assert!(idle.takes_time() && !idle.is_idle());
    assert_eq!(idle.without_parameters(), None);
}

#[test]
fn what_is_wrong_with_a_hand_is_told_by_its_key() {
    let good = "[hand]\nframe_rate = 60\nframes = 9\n";
    let lines = [
        ("frmes = 1", "hand.frmes"),
        ("tool = 1", "hand.tool"),
        ("tool = [[0, 1, 2, 3], [0, 1, 2, 3]]", "hand.tool[1]"),
        ("tool = [[9, 1, 2, 3]]", "hand.tool[0]"),
        ("tool = [[1, 1, nan, 3]]", "hand.tool[0]"),
        ("blade = [[1, 1, 2, 3]]", "hand.blade[0]"),
        ("gravity = [[3, 3]]", "hand.gravity"),
        (
            "[[hand.grab]]\nfirst = 1\nvertices = [2, 1]",
            "hand.grab[0].vertices",
        ),
        (
            "[[hand.grab]]\nfirst = 9\nvertices = [1]\ndisplacements = [[0, 0, 0]]",
            "hand.grab[0].displacements",
        ),
        (
            "[[hand.pull]]\nfirst = 8\nvertices = [1]\nforces = [[0, 0, 1], [0, 0, 2]]",
            "hand.pull[0].forces",
        ),
        ("pull = 1", "hand.pull"),
        ("parametr = []", "did you mean `parameter`?"),
        (
            "parameter = [{ frame = 1, methd = 'lattice' }]",
            "hand.parameter[0].methd",
        ),
        ("parameter = [{ frame = 10 }]", "hand.parameter[0].frame"),
        (
            "parameter = [{ frame = 1, method = 'magic' }]",
            "hand.parameter[0].method",
        ),
        (
            "parameter = [{ frame = 1, method = 'lattice', name = 'young', value = [1] }]",
            "hand.parameter[0].value",
        ),
        ("[[probe]]\nname = 'p'", "`probe` follows"),
        ("tool = [", "line 7"),
    ];
    let wrong = lines.map(|(line, told)| (format!("{good}{line}\n"), told));
    let heads = [
        ("[hand]\nframes = 9\n".into(), "hand.frame_rate"),
        (
            "[hand]\nframe_rate = 60\nframes = 0\n".into(),
            "hand.frames",
        ),
    ];
    for (text, told) in heads.into_iter().chain(wrong) {
        let error = LoadedScene::of_text("s.toml", format!("{SCENE}{text}"));
        let error = error.expect_err(&text).to_string();
        assert!(error.contains(told), "{text}: {error}");
    }
}

#[test]
fn a_hand_that_belongs_to_another_scene_is_refused() {
    let refused = |change: fn(&mut HandMotion)| {
        let mut scene = LoadedScene::of_text("s.toml", SCENE).expect("valid");
        let mut hand = hand();
        hand.tool.clear();
        change(&mut hand);
        scene.hand = Some(Arc::new(hand));
        let prepared = prepare(&scene, &Progress::new());
        prepared.map(|_| ()).map_err(|e| e.to_string())
    };
    assert_eq!(refused(|_| ()), Ok(()));
    for (change, told) in [
        (
            (|h| h.frame_rate = 30.0) as fn(&mut HandMotion),
            "hand.frame_rate",
        ),
        (|h| h.tool.push((0, Vec3::zeros())), "hand.tool"),
        (
            |h| h.grabs[0].vertices = vec![0, 100_000],
            "hand.grab[0].vertices",
        ),
        (
            |h| h.pulls[0].vertices = vec![0, 100_000],
            "hand.pull[0].vertices",
        ),
    ] {
        let error = refused(change).expect_err(told);
        assert!(error.contains(told) && error.contains("remedy"), "{error}");
    }
}

#[test]
fn a_hand_that_holds_what_supports_hold_is_told() {
    let told = |vertices: &str| {
        let support = format!("support = [{{ name = 's', select = {{ list = {vertices} }} }}]\n");
        let text = format!("{SCENE}{support}");
        let mut scene = LoadedScene::of_text("s.toml", text).expect("valid");
        let mut hand = hand();
        hand.tool.clear();
        scene.hand = Some(Arc::new(hand));
        let setup = prepare(&scene, &Progress::new()).expect("prepared");
        notes_with(&setup, "GrabOnSupport")
    };
    assert!(told("[0]").is_empty());
    for (vertices, times) in [("[0, 7]", "(1 time)"), ("[0, 1, 2, 5, 7]", "(2 times)")] {
        let found = told(vertices);
        assert!(found.len() == 1 && found[0].contains(times), "{found:?}");
    }
}

#[test]
fn what_the_tool_of_a_hand_carries_moves_with_it_again() {
    let tool = "[[tool]]\nshape = { sphere = { radius = 0.1 } }\n";
    let carried =
        "name = 'finger'\nmotion = { carried_by = 'palm', at = [0.05, 0, 0], turn = [0, 0, 90] }\n";
    let palm = "name = 'palm'\nmotion = { device = 'pointer', script = '$POKE' }\n";
    let text = format!("{SCENE}{tool}{carried}{tool}{palm}");
    let mut scene = LoadedScene::of_text("s.toml", text).expect("valid");
    let places = [
        (0, Vec3::new(0.1, 0.4, 0.0)),
        (1, Vec3::new(0.1, 0.3, 0.02)),
    ];
    scene.hand = Some(Arc::new(HandMotion {
        frame_rate: 60.0,
        frames: 2,
        tool: places.to_vec(),
        ..HandMotion::default()
    }));
    let setup = prepare(&scene, &Progress::new()).expect("prepared");
    let carrier = setup.tools[0].carrier.as_ref().expect("a carrier");
    let offset = carrier.place.pose(0.0);
    assert!(setup.tools[0].follows_pointer && !setup.tools[0].is_moved_by_pointer());
    for (frame, place) in places {
        let end = (frame + 1) as f64 * setup.frame_duration();
        assert_eq!(setup.tools[1].path.pose(end), Pose::at(place));
        let carried = setup.tools[0].path.pose(end);
        assert_eq!(carried, Pose::at(place).carrying(&offset));
    }
}
