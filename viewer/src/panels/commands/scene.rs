//! Commands of the scene: its gravity, its text, and what the hand does in it.

use egui::Key;
use pliant_simulation::build::can_be_cut;
use pliant_simulation::command::Command;

use super::shortcut::Shortcut;
use super::window_command::{WindowCommand, without_scene};
use crate::input::mode::HandMode;
use crate::panels::context::Context;
use crate::state::CutPreparation;

/// Why there is no blade that could cut.
const CANNOT_CUT: &str = "no method of this scene can cut its bodies: adaptive cuts all bodies but several, or one that touches itself, that move on a cut through their levels, lattice all bodies that are neither matched as a whole nor made of regions that count once, quasistatic none";

/// The commands.
pub(super) const COMMANDS: &[WindowCommand] = &[GRAVITY, SAVE_SCENE, RELOAD, GRAB, PULL, POKE, CUT];

/// Grabs with the left button.
pub const GRAB: WindowCommand = WindowCommand::new(
    "Grab",
    "left button on the skin: grab and move it; each method shows the force that this needs",
)
.runs(|_, cx| cx.state.hand_mode = HandMode::Grab);

/// Pulls with the left button.
pub const PULL: WindowCommand = WindowCommand::new(
    "Pull with a force, or grab again",
    "left button on the skin: pull with a force in proportion to the length of the drag, the same in all panes; the wheel makes it stronger; also ctrl and the right button",
)
.key(Shortcut::of(Key::T))
.unless(|cx| hand_refused(cx, HandMode::Pull))
.runs(|_, cx| toggle_mode(cx, HandMode::Pull));

/// Presses the tool with the left button.
pub const POKE: WindowCommand = WindowCommand::new(
    "Poke",
    "left button on the skin: press the tool into it; the wheel goes deeper; also with ctrl",
)
.unless(|cx| hand_refused(cx, HandMode::Poke))
.runs(|_, cx| cx.state.hand_mode = HandMode::Poke);

/// Cuts with the left button.
pub const CUT: WindowCommand = WindowCommand::new(
    "Cut, or grab again",
    "drag over a pane: a blade along the view cuts what lies under the drag; going back in time gives the whole body back. A scene without a blade starts anew with its bodies prepared for cutting",
)
.key(Shortcut::of(Key::C))
.unless(|cx| without_scene(cx).or_else(|| hand_refused(cx, HandMode::Cut)))
.runs(|_, cx| {
    let setup = cx.snapshot.setup.as_ref();
    match setup.is_some_and(|setup| HandMode::Cut.is_possible(setup)) {
        true => toggle_mode(cx, HandMode::Cut),
        false => {
            cx.state.cut_preparation = CutPreparation::Requested;
            cx.commands.push(Command::PrepareForCutting);
        }
    }
});

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
pub const SAVE_SCENE: WindowCommand = WindowCommand::new(
    "Save the scene with the recorded input",
    "a scene file that `pliant run`, `compare` and the window repeat: the tool, grabs, blades and gravity of the last two minutes at most, the material, parameters that were set, the camera and the colours",
)
        .key(Shortcut::command(Key::S))
        .unless(without_scene)
        .runs(|_, cx| {
            let view = Box::new(cx.state.view());
            cx.commands.push(Command::WriteScene(Some(view)));
        });

/// Reads the files of the scene again.
const RELOAD: WindowCommand = WindowCommand::new(
    "Reload the scene",
    "reads its files again and keeps the camera; a file that another program changes is read again by itself",
)
.unless(without_scene)
.runs(|_, cx| {
    cx.state.dismissed = None;
    cx.commands.push(Command::Reload);
});

/// Switches the left button to `mode`, or back to grabbing.
fn toggle_mode(cx: &mut Context<'_>, mode: HandMode) {
    cx.state.hand_mode = match cx.state.hand_mode == mode {
        true => HandMode::Grab,
        false => mode,
    };
}

/// Why the left button cannot do `mode` in this scene; `None` where it can.
fn hand_refused(cx: &Context<'_>, mode: HandMode) -> Option<&'static str> {
    let why = match mode {
        HandMode::Grab => return None,
        HandMode::Pull => {
            "needs one body that a support holds: a free one would fly away with a force that stays"
        }
        HandMode::Poke => "this scene has no tool that follows the pointer",
        HandMode::Cut => CANNOT_CUT,
    };
    let setup = cx.snapshot.setup.as_ref();
    let is_possible = setup.is_some_and(|setup| {
        mode.is_possible(setup) || (mode == HandMode::Cut && can_be_cut(setup))
    });
    (!is_possible).then_some(why)
}
