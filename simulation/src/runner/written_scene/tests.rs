//! Scenes that were written run as the window did.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pliant_core::inspect::ParameterValue;
use pliant_core::material::{Damping, DampingParameters};
use pliant_core::math::Vec3;
use pliant_core::scene::{CameraDescription, Method, ViewDescription};
use tempfile::TempDir;

use super::Simulation;
use crate::compare::advice::{Setting, SettingValue};
use crate::runner::background::Threads;
use crate::runner::command::Command;
use crate::runner::snapshot::PaneState;
use crate::scenes::{ImportOptions, LoadedScene, load};
use crate::setup::Setup;
use crate::world::World;
use crate::world::testing::{BALL, pad, prepared, scene_in, step, world_of};

/// A folder with the scene, and where that lies in it.
fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let keys = "adaptive = { target_edges = [0.05, 0.03] }\nlattice = { cell = 0.05, half_width = 1 } # soft";
    let pad = pad("gravity = [0.0, 0.0, 0.0]", keys);
    let path = scene_in(folder.path(), &format!("# a pad{pad}{BALL}")).origin;
    (folder, path)
}

/// A simulation without a thread, of a scene in a file.
fn simulation(path: &Path, methods: &[Method]) -> Simulation {
    let import = ImportOptions::default();
    let setup = Arc::new(prepared(&load(path, &import).expect("valid")));
    Simulation::of_scene(&setup, methods, Some((path.into(), import)), None)
}

/// What a hand does before a frame.
fn act(simulation: &mut Simulation, frame: u64) {
    let skin = Arc::clone(simulation.setup.as_ref().expect("a scene").skin());
    let top = (0..skin.vertex_count()).filter(|v| skin.positions[*v].y > 0.049);
    let vertices: Vec<u32> = top.take(3).map(|v| v as u32).collect();
    let mut send = |command| simulation.execute(command);
    let third = frame as f64 / 3.0;
    match frame {
        3..12 => send(Command::MoveTool(Some(Vec3::new(
            0.001 * third,
            0.142 - 0.002 * third,
            0.0,
        )))),
        12 => {
            send(Command::MoveTool(None));
            send(Command::SetGravity(true));
        }
        15 | 24 => send(Command::Grab {
            vertices,
            displacement: Vec3::new(0.0, 1e-4 * third, 0.0),
        }),
        16..20 | 25..28 => send(Command::MoveGrab(Vec3::new(1e-3, 1e-3 * third, 0.0))),
        20 => send(Command::Release),
        21 => {
            send(Command::SetGravity(false));
            send(Command::Pull { vertices });
        }
        22 => send(Command::MovePull(Vec3::new(0.3, 0.2, 0.0))),
        23 => send(Command::Release),
        _ => {}
    }
}

fn positions(world: &World) -> Vec<[f32; 3]> {
    world.frame().positions.clone()
}

/// The skins of all methods.
fn seen(simulation: &Simulation) -> Vec<Vec<[f32; 3]>> {
    simulation.worlds().map(positions).collect()
}

/// Writes the scene of a simulation beside its own; where it lies, and what it says.
fn saved(simulation: &Simulation, folder: &TempDir) -> (PathBuf, LoadedScene) {
    let copy = folder.path().join("hand.toml");
    let text = simulation.written_scene(None).expect("a text");
    std::fs::write(&copy, text).expect("written");
    let scene = load(&copy, &ImportOptions::default()).expect("valid");
    (copy, scene)
}

#[test]
fn a_hand_that_takes_hold_of_a_repeated_one_is_written_over_it() {
    let (folder, path) = folder();
    let mut first = simulation(&path, &[Method::Lattice]);
    for frame in 0..14 {
        act(&mut first, frame);
        first.take_frame();
    }
    let (copy, _) = saved(&first, &folder);
    let mut second = simulation(&copy, &[Method::Lattice]);
    for frame in 0..10 {
        if frame == 8 {
            second.execute(Command::MoveTool(Some(Vec3::new(0.0, 0.2, 0.0))));
        }
        second.take_frame();
    }
    let (_, scene) = saved(&second, &folder);
    let hand = scene.hand.expect("a hand");
    assert_eq!((hand.frames, hand.gravity.first()), (14, Some(&(12..14))));
    let at = |frame: u64| {
        hand.tool
            .iter()
            .find(|(f, _)| *f == frame)
            .map(|(_, at)| at.y)
    };
    assert_eq!((at(8), at(9), at(2)), (Some(0.2), Some(0.2), None));
    assert_eq!(at(11), Some(0.142 - 0.002 * 11.0 / 3.0));
}

#[test]
fn the_material_of_the_window_is_written() {
    let (_folder, path) = folder();
    let mut simulation = simulation(&path, &[Method::Lattice]);
    let mut setup = Setup::clone(simulation.setup.as_ref().expect("a scene"));
    let material = &mut setup.description.body.material;
    material.elastic.young = 3.5e4;
    material.damping = Damping::Parameters(DampingParameters { phi: 1.0, psi: 2.0 });
    let material = *material;
    simulation.setup = Some(Arc::new(setup));
    let text = simulation.written_scene(None).expect("a text");
    assert!(!text.contains("[hand]"), "{text}");
    let scene = LoadedScene::of_text("written", text).expect("valid");
    assert_eq!(scene.description.body.material, material);
}

#[test]
fn a_scene_that_is_prepared_for_cutting_is_cut_and_so_is_what_was_written() {
    let (folder, path) = folder();
    let mut first = simulation(&path, &[]);
    first.threads = Threads::Shared;
    first.execute(Command::PrepareForCutting);
    while first.job.is_some() {
        first.run_cycle_with_bakes();
    }
    let setup = first.setup.clone().expect("a scene");
    let blade = setup.tools.last().expect("a tool");
    let far = blade.path.pose(0.0).position.norm();
    assert!(far > 10.0 * setup.diagonal && blade.shape.outer_radius() > setup.diagonal);
    let mut panes = first.panes.iter();
    assert!(panes.all(|pane| pane.state == PaneState::Ready));
    for y in [0.1, 0.0, -0.1] {
        let ends = [-0.2, 0.2].map(|z| Vec3::new(0.013, y, z));
        first.execute(Command::MoveBlade(ends));
        first.take_frame();
    }
    for world in first.worlds() {
        let stats = world.model().stats();
        let cut = stats.counter("cut_edges").or(stats.counter("broken_links"));
        let is_cut = cut.is_some_and(|count| count > 10.0);
        // Green's functions hold for the uncut body only
        let can_be_cut = world.model().kind() != Method::Quasistatic.name();
        assert_eq!(is_cut, can_be_cut, "{cut:?}");
    }
    let (copy, scene) = saved(&first, &folder);
    assert_eq!(scene.description.tools, setup.description.tools);
    let mut second = simulation(&copy, &Method::ALL);
    for _ in 0..3 {
        second.take_frame();
    }
    assert!(seen(&first) == seen(&second), "the file repeats it");
    // another material does not take the blade away, opening the scene does
    let mut opened = |command: Command| {
        first.execute(command);
        while first.opening.is_some() {
            first.run_cycle_with_bakes();
        }
        let description = &first.setup.as_ref().expect("a scene").description;
        (description.body.material, description.blades().count())
    };
    let soft = setup.description.body.material;
    let mut hard = soft;
    hard.elastic.young *= 2.0;
    assert_eq!(opened(Command::SetMaterial(hard)), (hard, 1));
    let open = Command::Open {
        source: path.into(),
        import: ImportOptions::default(),
    };
    assert_eq!(opened(open), (soft, 0));
    assert_eq!(opened(Command::PrepareForCutting), (soft, 1));
}

/// Sets a number of a method, as a panel does.
fn set(simulation: &mut Simulation, method: Method, name: &str, value: f64) {
    simulation.execute(Command::SetParameter {
        method,
        name: name.into(),
        value: ParameterValue::Number(value),
    });
    let refused = simulation.panes.iter().map(|pane| pane.refused.len());
    assert_eq!(refused.sum::<usize>(), 0, "{name} = {value}");
}

/// What panels are used for before a frame: before the first one, while the tool presses, and a value that is set twice.
fn tune(simulation: &mut Simulation, frame: u64) {
    match frame {
        0 => {
            set(simulation, Method::Lattice, "damping_ratio", 0.9);
            set(simulation, Method::Lattice, "damping_ratio", 0.4);
            set(simulation, Method::Quasistatic, "young", 1.0e4 / 3.0);
            set(simulation, Method::Adaptive, "damping_ratio", 0.3);
        }
        7 => set(simulation, Method::Quasistatic, "young", 5.0e4),
        8 => set(simulation, Method::Lattice, "damping_ratio", 0.05),
        9 => {
            set(simulation, Method::Lattice, "young", 1.0e4);
            simulation.execute(Command::SetParameter {
                method: Method::Adaptive,
                name: "law".into(),
                value: ParameterValue::Choice("stable_neo_hookean".into()),
            });
        }
        _ => {}
    }
}

/// Takes `frames` frames with the hand, and with the panels if `tuned`; the skins of all methods after each.
fn played(simulation: &mut Simulation, frames: u64, tuned: bool) -> Vec<Vec<Vec<[f32; 3]>>> {
    let mut skins = Vec::new();
    for frame in 0..frames {
        act(simulation, frame);
        if tuned {
            tune(simulation, frame);
        }
        simulation.take_frame();
        skins.push(seen(simulation));
    }
    skins
}

#[test]
fn a_scene_that_was_written_repeats_the_hand_and_the_parameters_to_the_bit() {
    const FRAMES: u64 = 30;
    let (folder, path) = folder();
    let untuned = played(&mut simulation(&path, &Method::ALL), FRAMES, false);
    let mut tuned = simulation(&path, &Method::ALL);
    let then = played(&mut tuned, FRAMES, true);
    tuned.execute(Command::WriteScene(None));
    let written = tuned.written.clone().expect("an answer");
    let text = written.as_ref().as_ref().expect("a text");
    assert!(
        text.contains("# a pad") && text.contains("# soft"),
        "{text}"
    );
    let copy = folder.path().join("hand.toml");
    std::fs::write(&copy, text).expect("written");
    let scene = load(&copy, &ImportOptions::default()).expect("valid");
    assert!((scene.description.duration - 0.5).abs() < 1e-12);
    let setup = Arc::new(prepared(&scene));
    let names: Vec<&str> = setup.grabs.iter().map(|g| g.name.as_str()).collect();
    assert_eq!(names, ["hand 1", "hand 2"]);
    let hand = scene.hand.expect("a hand");
    let frames: Vec<u64> = hand.parameters.iter().map(|p| p.frame).collect();
    assert_eq!(frames, [0, 0, 0, 7, 8, 9, 9], "{text}");
    for (k, method) in Method::ALL.into_iter().enumerate() {
        let mut world = world_of(&setup, method);
        let mut moved = false;
        for (frame, then) in then.iter().enumerate() {
            step(&mut world, 1);
            moved |= world.output().grab_forces.iter().any(|f| f.norm() > 0.0);
            let now = positions(&world);
            assert!(now == then[k], "{} in frame {frame}", method.name());
        }
        assert!(moved, "{}: the hand did nothing", method.name());
        let differs = (untuned.iter().zip(&then)).any(|(a, b)| a[k] != b[k]);
        assert!(differs, "{}: the values did nothing", method.name());
    }
}

#[test]
fn a_window_that_repeats_a_scene_goes_back_before_its_parameters_and_forth_again() {
    const FRAMES: u64 = 16;
    let methods = [Method::Quasistatic, Method::Lattice];
    let (folder, path) = folder();
    let mut first = simulation(&path, &methods);
    for frame in 0..FRAMES {
        act(&mut first, frame);
        match frame {
            3 => set(&mut first, Method::Quasistatic, "young", 1.0e4),
            8 => set(&mut first, Method::Lattice, "damping_ratio", 0.5),
            9 => set(&mut first, Method::Quasistatic, "young", 5.0e4),
            _ => {}
        }
        first.take_frame();
    }
    let (copy, _) = saved(&first, &folder);
    let mut second = simulation(&copy, &methods);
    let mut then = vec![seen(&second)];
    for _ in 0..FRAMES {
        second.take_frame();
        then.push(seen(&second));
    }
    assert!(seen(&first) == seen(&second), "the window repeats it");
    for frame in [7, 2, 13, 0, 16] {
        second.go_to(frame);
        assert!(seen(&second) == then[frame as usize], "frame {frame}");
    }
    // what is set now holds from here on, in place of what the file sets later
    second.go_to(6);
    set(&mut second, Method::Quasistatic, "young", 3.0e4);
    for _ in 6..FRAMES {
        second.take_frame();
    }
    let text = second.written_scene(None).expect("a text");
    let hand = LoadedScene::of_text("again", text).expect("valid").hand;
    let hand = hand.expect("a hand");
    let of_young = hand.parameters.iter().filter(|p| p.name == "young");
    let frames: Vec<u64> = of_young.map(|p| p.frame).collect();
    assert_eq!((frames, hand.parameters.len()), (vec![3, 6], 3));
}

#[test]
fn values_that_are_set_before_the_first_frame_give_the_scene_no_end() {
    let (_folder, path) = folder();
    let mut simulation = simulation(&path, &[Method::Lattice]);
    set(&mut simulation, Method::Lattice, "damping_ratio", 0.5);
    // what is kept for a replay is not what was refused
    simulation.execute(Command::SetParameter {
        method: Method::Lattice,
        name: "damping_ratio".into(),
        value: ParameterValue::Number(-1.0),
    });
    let text = simulation.written_scene(None).expect("a text");
    let scene = LoadedScene::of_text("written", text).expect("valid");
    // that of a scene without an end, not that of its one frame
    assert_eq!(scene.description.duration, 4.0);
    let hand = scene.hand.expect("a hand");
    assert_eq!((hand.frames, hand.parameters.len()), (1, 1));
    assert_eq!(hand.parameters[0].value, ParameterValue::Number(0.5));
}

#[test]
fn settings_that_were_advised_are_written() {
    let (_folder, path) = folder();
    let mut simulation = simulation(&path, &[Method::Lattice]);
    let cell = SettingValue::Number(0.04);
    simulation.settings = vec![Setting::new(Method::Lattice, "cell", cell)];
    let text = simulation.written_scene(None).expect("a text");
    let scene = LoadedScene::of_text("written", text).expect("valid");
    assert_eq!(scene.description.body.lattice.cell, Some(0.04));
}

#[test]
fn a_scene_that_is_written_read_and_written_again_has_the_same_text() {
    let (folder, path) = folder();
    let mut first = simulation(&path, &Method::ALL);
    played(&mut first, 12, true);
    let view = ViewDescription {
        camera: Some(CameraDescription {
            target: Vec3::new(0.1, 1e-3 / 3.0, -0.0),
            yaw: 34.377468,
            pitch: -12.5,
            distance: 0.7 / 3.0,
            field_of_view: 34.377468,
        }),
        quantity: Some("speed".into()),
        range: Some([-0.1, 0.3]),
        overlay: Some(Method::Lattice),
        edges: true,
        ..ViewDescription::default()
    };
    let text = first.written_scene(Some(&view)).expect("a text");
    let copy = folder.path().join("hand.toml");
    std::fs::write(&copy, &text).expect("written");
    let scene = load(&copy, &ImportOptions::default()).expect("valid");
    assert_eq!(scene.description.view.as_ref(), Some(&view));
    let mut second = simulation(&copy, &[Method::Lattice]);
    assert_eq!(second.written_scene(Some(&view)), Ok(text.clone()));
    // and also when it was played, and by a program without a window
    second.take_frame();
    assert_eq!(second.written_scene(None), Ok(text));
}
