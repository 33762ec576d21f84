//! Commands of the scene: its gravity, its text, and what the hand does in it.

use egui::Key;
use pliant_simulation::command::Command;

use super::shortcut::Shortcut;
use super::window_command::{WindowCommand, without_scene};
use crate::input::mode::HandMode;
use crate::panels::context::Context;

const ABOUT_PULLING: &str = "the same force in all panes, in proportion to the length of the drag; also ctrl and the right button";
const ABOUT_SAVING: &str = "input of the pointer, parameters and the view, as a scene file that every command can run again";

/// The commands.
pub(super) const COMMANDS: &[WindowCommand] = &[
    GRAVITY,
    SAVE_SCENE,
    WindowCommand::new("Grab", "the left button grabs the skin and moves it")
        .runs(|_, cx| cx.state.hand_mode = HandMode::Grab),
    WindowCommand::new("Pull with a force, or grab again", ABOUT_PULLING)
        .key(Shortcut::of(Key::T))
        .unless(|cx| hand_refused(cx, HandMode::Pull))
        .runs(|_, cx| toggle_mode(cx, HandMode::Pull)),
    WindowCommand::new("Poke", "the left button presses the tool in")
        .unless(|cx| hand_refused(cx, HandMode::Poke))
        .runs(|_, cx| cx.state.hand_mode = HandMode::Poke),
    WindowCommand::new(
        "Cut, or grab again",
        "a drag over a pane draws a blade along the view",
    )
    .key(Shortcut::of(Key::C))
    .unless(|cx| hand_refused(cx, HandMode::Cut))
    .runs(|_, cx| toggle_mode(cx, HandMode::Cut)),
];

/// Switches gravity on or off.
pub const GRAVITY: WindowCommand = WindowCommand::new("Gravity", "9.81 m/s² downwards, or none")
    .key(Shortcut::of(Key::G))
    .unless(|cx| {
        let own = has_gravity(cx).then_some("this scene has gravity of its own");
        without_scene(cx).or(own)
    })
    .runs(|_, cx| {
        let on = cx.snapshot.gravity_on;
        cx.commands.push(Command::SetGravity(!on));
    });

/// Whether the scene has gravity of its own, which cannot be switched.
pub fn has_gravity(cx: &Context<'_>) -> bool {
    let setup = cx.snapshot.setup.as_ref();
    setup.is_some_and(|setup| setup.description.gravity.norm() > 0.0)
}

/// Requests the text of the scene, with the current view.
pub const SAVE_SCENE: WindowCommand =
    WindowCommand::new("Save the scene with the recorded input", ABOUT_SAVING)
        .key(Shortcut::command(Key::S))
        .unless(without_scene)
        .runs(|_, cx| {
            let view = Box::new(cx.state.view());
            cx.commands.push(Command::WriteScene(Some(view)));
        });

/// Switches the left button to `mode`, or back to grabbing.
fn toggle_mode(cx: &mut Context<'_>, mode: HandMode) {
    cx.state.hand_mode = match cx.state.hand_mode == mode {
        true => HandMode::Grab,
        false => mode,
    };
}

/// Why the left button cannot do `mode` in this scene; `None` where it can.
pub fn hand_refused(cx: &Context<'_>, mode: HandMode) -> Option<&'static str> {
    let why = match mode {
        HandMode::Grab => return None,
        HandMode::Pull => {
            "needs one body that a support holds: a free one would fly away with a force that stays"
        }
        HandMode::Poke => "this scene has no tool that follows the pointer",
        HandMode::Cut => "this scene has no blade, so that its bodies are not prepared for cutting",
    };
    let setup = cx.snapshot.setup.as_ref();
    (!setup.is_some_and(|setup| mode.is_possible(setup))).then_some(why)
}
