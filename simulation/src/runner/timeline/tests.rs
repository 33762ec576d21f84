//! Going back in time on a small scene with all methods.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pliant_core::inspect::ParameterValue;
use pliant_core::math::Vec3;
use pliant_core::scene::Method;

use super::record::Timeline;
use crate::runner::bakes::MAX_WAITING_FRAMES;
use crate::runner::command::Command;
use crate::runner::simulation::Simulation;
use crate::world::pace::ProcessorClock;
use crate::world::testing::{BALL, built, pad, setup_of};

fn with_ball() -> String {
    let keys = r#"
adaptive = { target_edges = [0.05, 0.03], budget_ms = 0.2 }
lattice = { cell = 0.05, half_width = 1 }"#;
    pad("duration = 1.0\ngravity = [0.0, 0.0, 0.0]", keys) + BALL
}

/// A clock that says nothing: budgets in processor time never change.
fn still() -> Duration {
    Duration::ZERO
}

/// A clock by which frames take 60 to 420 µs, so that each one has another budget.
fn uneven() -> Duration {
    static MICROSECONDS: AtomicU64 = AtomicU64::new(0);
    let before = MICROSECONDS.load(Ordering::Relaxed);
    MICROSECONDS.store(before + 60 + before % 13 * 30, Ordering::Relaxed);
    Duration::from_micros(before)
}

/// A simulation without a thread, in which some methods run and a parameter and the pointer's grab can be tried.
fn simulation(methods: &[Method], clock: ProcessorClock) -> Simulation {
    simulation_of(with_ball(), methods, clock)
}

fn simulation_of(text: String, methods: &[Method], clock: ProcessorClock) -> Simulation {
    let setup = Arc::new(setup_of(text));
    Simulation::of_scene(&setup, methods, None, Some(clock))
}

/// Sets the damping ratio of the lattice.
fn damping(value: f64) -> Command {
    Command::SetParameter {
        method: Method::Lattice,
        name: "damping_ratio".into(),
        value: ParameterValue::Number(value),
    }
}

/// Steps `count` frames; between them the hand pulls at the skin from frame 10 to frame 25.
fn play(simulation: &mut Simulation, count: u64) {
    for _ in 0..count {
        let frame = simulation.now();
        if frame == 10 {
            simulation.execute(Command::Grab {
                vertices: vec![40, 41, 42],
                displacement: Vec3::zeros(),
            });
        }
        if (10..25).contains(&frame) {
            let pull = Vec3::new(0.0, 1e-4 * (frame - 9) as f64, 2e-5 * frame as f64);
            simulation.execute(Command::MoveGrab(pull));
        }
        if frame == 25 {
            simulation.execute(Command::Release);
        }
        simulation.take_frame();
    }
}

/// Skins and forces of all methods, bit for bit.
fn seen(simulation: &Simulation) -> Vec<(Vec<[f32; 3]>, Vec<Vec3>, u64)> {
    let worlds = simulation.worlds();
    worlds
        .map(|world| {
            let out = world.output();
            let forces = out.wrenches.iter().map(|w| w.force);
            (
                world.frame().positions.clone(),
                forces.chain(out.grab_forces.iter().copied()).collect(),
                world.frame_index(),
            )
        })
        .collect()
}

#[test]
fn every_frame_that_is_gone_back_to_has_the_same_bits_with_the_hand_in_it() {
    let mut simulation = simulation(&Method::ALL, uneven);
    let mut then = vec![seen(&simulation)];
    for _ in 0..60 {
        play(&mut simulation, 1);
        then.push(seen(&simulation));
    }
    assert_eq!(then[0].len(), 3, "all methods run");
    let units = (0..60).filter_map(|frame| simulation.timeline.input(frame)?.0.units[0]);
    let different: BTreeSet<u64> = units.collect();
    assert!(different.len() > 5, "budgets differ: {different:?}");
    let status = simulation.timeline.status(60);
    assert_eq!((status.first, status.last, status.end), (0, 60, 60));
    for frame in [59, 13, 14, 27, 3, 0, 60, 24] {
        simulation.go_to(frame);
        assert_eq!(simulation.now(), frame);
        assert!(seen(&simulation) == then[frame as usize], "frame {frame}");
    }
    // playing from there repeats the hand
    for (frame, then) in then.iter().enumerate().skip(25) {
        simulation.take_frame();
        assert!(seen(&simulation) == *then, "frame {frame}");
    }
    simulation.execute(Command::StepBack);
    while simulation.approach() {}
    assert!(seen(&simulation) == then[59]);
}

#[test]
fn a_hand_that_takes_hold_in_the_past_forgets_what_came_after() {
    let mut simulation = simulation(&[Method::Adaptive, Method::Lattice], still);
    play(&mut simulation, 40);
    let first = seen(&simulation);
    simulation.go_to(20);
    simulation.execute(Command::Loop(true));
    simulation.execute(Command::Grab {
        vertices: vec![40, 41, 42],
        displacement: Vec3::zeros(),
    });
    let status = simulation.timeline.status(simulation.now());
    assert_eq!((status.last, status.end, status.loops), (20, 20, false));
    for _ in 0..20 {
        simulation.take_frame();
    }
    assert!(seen(&simulation) != first);
    let other = seen(&simulation);
    simulation.go_to(31);
    simulation.go_to(40);
    assert!(seen(&simulation) == other);
}

#[test]
fn a_parameter_changed_in_the_past_is_tried_on_the_same_hand() {
    let mut simulation = simulation(&Method::ALL, still);
    play(&mut simulation, 40);
    let soft = seen(&simulation);
    simulation.go_to(0);
    simulation.execute(damping(0.4));
    let status = simulation.timeline.status(0);
    assert_eq!((status.last, status.end, status.exact_from), (0, 40, 0));
    for _ in 0..40 {
        simulation.take_frame();
    }
    let damped = seen(&simulation);
    let differs: Vec<bool> = soft.iter().zip(&damped).map(|(a, b)| a != b).collect();
    let lattice = Method::ALL.map(|m| m == Method::Lattice);
    assert_eq!(differs, lattice, "one method alone has changed");
    // frames before a change are reached where they were kept; steps lead from one to the next, and playing computes them anew
    simulation.execute(damping(0.1));
    simulation.go_to(33);
    assert_eq!(simulation.now(), 30);
    simulation.execute(Command::Step);
    assert_eq!(simulation.now(), 36);
    simulation.go_to(0);
    for _ in 0..40 {
        simulation.take_frame();
    }
    assert!(seen(&simulation) == soft);
}

#[test]
fn a_value_that_the_model_refuses_is_told_and_changes_nothing() {
    let mut simulation = simulation(&[Method::Lattice], still);
    play(&mut simulation, 10);
    let before = simulation.timeline.status(10);
    let mut told = |command: Command| {
        simulation.execute(command);
        let panes = simulation.panes.iter();
        let all = panes.flat_map(|p| &p.refused).cloned().collect::<Vec<_>>();
        (all, simulation.timeline.status(10))
    };
    let (refused, status) = told(damping(-3.0));
    assert_eq!(status, before, "what was computed stays true");
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].value, ParameterValue::Number(-3.0));
    let said = refused[0].error.to_string();
    assert!(
        said.starts_with("parameter `damping_ratio` must be between"),
        "{said}"
    );
    let (refused, _) = told(damping(f64::NAN));
    assert_eq!(refused.len(), 1, "one line a parameter");
    let (refused, status) = told(damping(0.3));
    assert!(refused.is_empty() && status != before);
}

#[test]
fn a_loop_repeats_what_happened() {
    let mut simulation = simulation(&[Method::Lattice], still);
    play(&mut simulation, 30);
    let last = seen(&simulation);
    simulation.playing = true;
    simulation.execute(Command::Loop(true));
    simulation.take_frame();
    assert_eq!(simulation.now(), 1);
    for _ in 1..30 {
        simulation.take_frame();
    }
    assert!(seen(&simulation) == last);
    simulation.execute(Command::Loop(false));
    simulation.take_frame();
    assert_eq!((simulation.now(), simulation.timeline.end()), (31, 31));
    simulation.execute(Command::Loop(true));
    simulation.execute(Command::Reset);
    assert!(simulation.timeline.is_empty() && simulation.now() == 0);
    // it goes on, and does not show one frame for ever
    play(&mut simulation, 3);
    assert_eq!(simulation.now(), 3);
}

#[test]
fn short_memory_shortens_the_past_and_keeps_it_exact() {
    let mut simulation = simulation(&[Method::Lattice], still);
    play(&mut simulation, 7);
    let one_state = simulation.timeline.bytes() / 2;
    let mut simulation = self::simulation(&[Method::Lattice], still);
    simulation.timeline = Timeline::with_memory(5 * one_state);
    let mut then = vec![seen(&simulation)];
    for _ in 0..700 {
        play(&mut simulation, 1);
        then.push(seen(&simulation));
        assert!(simulation.timeline.bytes() <= 7 * one_state);
    }
    let status = simulation.timeline.status(700);
    assert!(
        status.first > 0 && status.first < 640,
        "{status:?}, {one_state}"
    );
    for frame in [status.first, 650, 699] {
        simulation.go_to(frame);
        assert!(seen(&simulation) == then[frame as usize], "frame {frame}");
    }
    simulation.go_to(0);
    assert_eq!(simulation.now(), status.first);
}

/// The pad with a blade, which is far away, in place of the ball.
fn with_blade() -> String {
    let scene = with_ball().replace(
        "shape = { sphere = { radius = 0.09 } }",
        "shape = { blade = { length = 0.1 } }",
    );
    scene.replace(
        r#"motion = { device = "pointer", script = "$POKE" }"#,
        "motion = { path = \"away\" }\n[[path]]\nname = \"away\"\nkeys = [ { t = 0.0, at = [0.0, 9.0, 0.0] } ]",
    )
}

/// After some frames in which a hand did something, without which all methods begin anew in every scene, the adaptive one is ready.
fn admit_late(simulation: &mut Simulation) {
    for _ in 0..5 {
        simulation.take_frame();
    }
    simulation.is_disturbed = true;
    let setup = simulation.setup.clone().expect("a scene");
    simulation.admit(built(&setup, Method::Adaptive).expect("built"));
}

#[test]
fn a_scene_that_cuts_begins_anew_with_a_method_that_joins_and_others_go_on() {
    for (scene, frames) in [(with_blade(), 0), (with_ball(), 5)] {
        let mut simulation = simulation_of(scene, &[Method::Lattice], still);
        admit_late(&mut simulation);
        let worlds = simulation.worlds();
        let at: Vec<u64> = worlds.map(|w| w.frame_index()).collect();
        assert_eq!(at, [frames, frames]);
    }
}

#[test]
fn a_method_joins_a_scene_that_cuts_though_the_body_always_rests_on_a_tool() {
    let stand = "[[tool]]\nname = \"stand\"\nshape = { sphere = { radius = 0.1 } }\nmotion = { path = \"still\" }\n[[path]]\nname = \"still\"\nkeys = [ { t = 0.0, at = [0.0, 0.14, 0.0] } ]\n";
    for (scene, joins) in [(with_blade(), true), (with_ball(), false)] {
        let scene = format!("{scene}\n{stand}");
        let mut simulation = simulation_of(scene, &[Method::Lattice], still);
        admit_late(&mut simulation);
        let running = |simulation: &Simulation| {
            let panes = simulation.panes.iter();
            panes.filter(|p| p.world.is_some()).count()
        };
        assert_eq!(running(&simulation) == 2, joins);
        // not for ever
        for _ in 0..=MAX_WAITING_FRAMES {
            simulation.join_waiting();
        }
        assert_eq!((running(&simulation), simulation.now()), (2, 0));
    }
}

/// Edges or links that were cut in each method.
fn cuts(simulation: &Simulation) -> Vec<f64> {
    let worlds = simulation.worlds();
    let count = |world: &crate::world::World| {
        let stats = world.model().stats();
        let found = stats.counter("cut_edges").or(stats.counter("broken_links"));
        found.unwrap_or(-1.0)
    };
    worlds.map(count).collect()
}

#[test]
fn a_blade_in_the_hand_cuts_all_methods_that_can_be_cut_and_going_back_makes_them_whole() {
    let methods = [Method::Adaptive, Method::Lattice];
    let mut simulation = simulation_of(with_blade(), &methods, still);
    // an edge across the whole pad that is drawn through its middle from above
    let edge = |y: f64| [Vec3::new(0.013, y, -1.0), Vec3::new(0.013, y, 1.0)];
    let mut then = vec![seen(&simulation)];
    for frame in 0..12 {
        if (3..6).contains(&frame) {
            let y = 0.2 - 0.15 * f64::from(frame - 3);
            simulation.execute(Command::MoveBlade(edge(y)));
        }
        if frame == 6 {
            // the last way still cuts
            simulation.execute(Command::MoveBlade(edge(-0.2)));
            simulation.execute(Command::LiftBlade);
        }
        if frame == 3 {
            assert_eq!(cuts(&simulation), [0.0, 0.0]);
        }
        simulation.take_frame();
        then.push(seen(&simulation));
    }
    let all = cuts(&simulation);
    assert!(all.iter().all(|count| *count > 10.0), "{all:?}");
    assert_eq!(simulation.interaction.blade, None);
    simulation.go_to(2);
    assert_eq!(cuts(&simulation), [0.0, 0.0]);
    for (frame, seen_then) in then.iter().enumerate().skip(3) {
        simulation.take_frame();
        assert!(seen(&simulation) == *seen_then, "frame {frame}");
    }
    assert_eq!(cuts(&simulation), all);
}
