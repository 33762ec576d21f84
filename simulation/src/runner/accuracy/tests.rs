//! A hand presses a pad, and what it did is compared with a reference of its own.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::scene::Method;

use super::touch_recorder::Touch;
use crate::cache::AssetCache;
use crate::reference::{Reference, Span, reference_on};
use crate::runner::command::Command;
use crate::runner::simulation::Simulation;
use crate::setup::Setup;
use crate::world::Interaction;
use crate::world::testing::{BALL, pad, setup_of};

/// Levels of the reference; the adaptive method moves the finer one of the same two.
const NODES: [usize; 2] = [80, 300];

fn scene() -> String {
    let keys = r#"
adaptive = { nodes = [80, 300], resolution = "level", budget_ms = 1e6 }
lattice = { cell = 0.05, half_width = 1 }"#;
    pad("duration = 1.0\ngravity = [0.0, 0.0, 0.0]", keys) + BALL
}

/// A ball of 90 mm above a pad whose top is at 50 mm touches it below this height, m.
const TOUCH: f64 = 0.14;

fn setup() -> Arc<Setup> {
    Arc::new(setup_of(scene()))
}

/// A simulation without a thread.
fn simulation(methods: &[Method]) -> Simulation {
    let mut simulation = Simulation::of_scene(&setup(), methods, None, None);
    // the hand hovers from the beginning, so that the script does nothing
    hold(&mut simulation, TOUCH + 0.02);
    simulation.take_frame();
    simulation
}

/// The hand leads the ball to a height, m.
fn hold(simulation: &mut Simulation, height: f64) {
    let place = Vec3::new(0.0, height, 0.0);
    simulation.execute(Command::MoveTool(Some(place)));
}

/// Frames with the hand where `height` has it; the touches that are to be compared, with the frame after which each is.
fn play(
    simulation: &mut Simulation,
    frames: u64,
    height: impl Fn(u64) -> f64,
) -> Vec<(u64, Touch)> {
    let setup = setup();
    let mut due = Vec::new();
    for frame in 0..frames {
        hold(simulation, height(frame));
        simulation.take_frame();
        let touch = simulation.touches.take_due(&simulation.timeline, &setup);
        due.extend(touch.map(|touch| (frame, touch)));
    }
    due
}

/// Down at 1 mm a frame from frame `begin` on until 8 mm deep, held there until frame `end`, and up again.
fn press(begin: u64, end: u64) -> impl Fn(u64) -> f64 {
    move |frame| {
        let down = frame.saturating_sub(begin) as f64 * 1e-3;
        let up = frame.saturating_sub(end) as f64 * 1e-3;
        (TOUCH + 0.02 - down.min(0.028) + up).min(TOUCH + 0.02)
    }
}

fn reference_of(setup: &Arc<Setup>, span: &Span) -> Reference {
    let cache = AssetCache::disabled();
    reference_on(setup, &NODES, span, &|_| false, &cache, &Progress::new()).expect("a reference")
}

#[test]
fn a_hand_that_moves_like_the_script_has_the_reference_of_the_script() {
    let setup = setup();
    let path = &setup.tools[0].path;
    let frames = 60;
    let hand = (0..frames).map(|frame| Interaction {
        tool_position: Some(
            path.pose((frame + 1) as f64 * setup.frame_duration())
                .position,
        ),
        ..Interaction::default()
    });
    let script = reference_of(&setup, &Span::of_script(frames));
    let touch = reference_of(&setup, &Span::of_hand(0, 0, hand.collect()));
    assert!(script.force.as_ref().is_some_and(|f| f.force > 0.1));
    assert_eq!(script.fine.forces, touch.fine.forces);
    assert_eq!(script.force, touch.force);
}

#[test]
fn the_elements_of_the_reference_itself_are_not_off() {
    let methods = [Method::Adaptive, Method::Lattice];
    let mut simulation = simulation(&methods);
    let setup = setup();
    let due = play(&mut simulation, 130, press(10, 60));
    let [(_, touch)] = &due[..] else {
        panic!("{} touches", due.len());
    };
    // at rest a quarter of a second before the ball came, which is 15 frames
    assert_eq!(touch.span.lead, 15);
    let begun = touch.span.first as usize + touch.span.lead;
    assert!((28..34).contains(&begun), "touched in frame {begun}");
    let reference = reference_of(&setup, &touch.span);
    let pane = |method| simulation.panes.iter().position(|p| p.method == method);
    let off = |method| {
        let k = pane(method).expect("a pane");
        let accuracy = touch.accuracy(k, &reference)?;
        accuracy.force_error
    };
    let adaptive = off(Method::Adaptive).expect("it ran");
    assert!(adaptive.abs() < 1e-9, "{adaptive} off");
    let lattice = off(Method::Lattice).expect("it ran");
    assert!(lattice.abs() > 0.01, "another method with the same force");
    assert_eq!(off(Method::Quasistatic), None, "it did not run");
}

#[test]
fn a_hand_that_hovers_or_brushes_the_skin_touches_nothing() {
    let mut simulation = simulation(&[Method::Lattice]);
    assert!(play(&mut simulation, 60, |_| TOUCH + 0.005).is_empty());
    let brush = |frame| {
        if frame < 5 {
            TOUCH - 0.001
        } else {
            TOUCH + 0.02
        }
    };
    assert!(play(&mut simulation, 60, brush).is_empty());
}

#[test]
fn a_hand_that_holds_still_is_answered_and_again_after_it_has_moved() {
    let mut simulation = simulation(&[Method::Lattice]);
    let pressed = |frame: u64| match frame {
        0..100 => TOUCH - 0.004,
        100..200 => TOUCH - 0.008,
        _ => TOUCH + 0.02,
    };
    let due = play(&mut simulation, 280, pressed);
    let frames: Vec<u64> = due.iter().map(|(frame, _)| *frame).collect();
    // three quarters of a second are 45 frames; what came after it had not moved is known already
    assert!(
        matches!(frames[..], [45..50, 145..150]),
        "answered after frames {frames:?}"
    );
    let begin = |k: usize| due[k].1.span.first;
    assert_eq!(begin(0), begin(1), "one touch");
    assert!(due[1].1.span.frames > due[0].1.span.frames);
}

#[test]
fn what_comes_after_ten_seconds_is_not_compared_until_the_hand_has_been_away() {
    let mut simulation = simulation(&[Method::Lattice]);
    // it never holds still
    let rubs = |frame: u64| TOUCH - 0.004 - 0.003 * (0.2 * frame as f64).sin();
    let due = play(&mut simulation, 900, rubs);
    assert_eq!(due.len(), 1);
    let longest = due[0].1.span.frames;
    assert!((598..=600).contains(&longest), "{longest} frames");
    assert!(play(&mut simulation, 60, |_| TOUCH + 0.02).is_empty());
    assert_eq!(play(&mut simulation, 120, press(0, 40)).len(), 1);
}

#[test]
fn going_back_in_time_ends_a_touch() {
    let mut simulation = simulation(&[Method::Lattice]);
    play(&mut simulation, 40, press(0, 100));
    simulation.execute(Command::Seek(5));
    while simulation.approach() && simulation.timeline.seek_target.is_some() {}
    // the hand is away in the past, and what is computed anew begins without a touch
    assert!(play(&mut simulation, 60, |_| TOUCH + 0.02).is_empty());
}

#[test]
fn a_hand_that_held_the_body_before_is_compared_after_it_has_let_go() {
    let mut simulation = simulation(&[Method::Lattice]);
    assert!(play(&mut simulation, 20, |_| TOUCH - 0.004).is_empty());
    // as after a parameter has changed
    simulation.touches.clear();
    assert!(play(&mut simulation, 100, |_| TOUCH - 0.004).is_empty());
    play(&mut simulation, 10, |_| TOUCH + 0.02);
    assert_eq!(play(&mut simulation, 120, press(0, 40)).len(), 1);
}

#[test]
fn the_reference_of_a_touch_begins_after_a_pull_that_the_scene_repeats() {
    let forces = ["[0, 0, 0.001]"; 55].join(", ");
    let pulled = format!(
        "{}\n[hand]\nframe_rate = 60\nframes = 60\n[[hand.pull]]\nfirst = 0\nvertices = [1]\nforces = [{forces}]\n",
        scene()
    );
    let begins = |text: String| {
        let setup = Arc::new(setup_of(text));
        let mut simulation = Simulation::of_scene(&setup, &[Method::Lattice], None, None);
        let due = play(&mut simulation, 160, press(40, 80));
        due.first().expect("a touch").1.span.first
    };
    // the ball touches a third of a second after frame 40, and a reference begins a quarter of a second before that
    assert!(begins(scene()) < 50);
    assert_eq!(begins(pulled), 55);
}
