//! Keys, and what they share with buttons.

use egui::Ui;
use pliant_simulation::command::Command;

use super::context::Context;
use crate::input::camera::preset;

/// Aims the camera at the body.
pub fn fit(cx: &mut Context<'_>) {
    if let Some(setup) = &cx.snapshot.setup {
        cx.state.aim(setup);
    }
}

/// Keys that work everywhere but in a text field.
pub fn read(ui: &Ui, cx: &mut Context<'_>) {
    if ui.ctx().egui_wants_keyboard_input() {
        return;
    }
    let pressed = |key: egui::Key| {
        ui.input(|i| i.key_pressed(key) && !i.modifiers.command && !i.modifiers.alt)
    };
    if pressed(egui::Key::Space) {
        cx.commands.push(if cx.snapshot.playing {
            Command::Pause
        } else {
            Command::Play
        });
    }
    if pressed(egui::Key::ArrowRight) || pressed(egui::Key::Period) {
        cx.commands.push(Command::Step);
    }
    if pressed(egui::Key::R) {
        cx.commands.push(Command::Reset);
    }
    if pressed(egui::Key::G)
        && cx
            .snapshot
            .setup
            .as_ref()
            .is_some_and(|s| s.description.gravity.norm() == 0.0)
    {
        cx.commands
            .push(Command::SetGravity(!cx.snapshot.gravity_on));
    }
    if pressed(egui::Key::W) {
        cx.state.wireframe = !cx.state.wireframe;
    }
    if pressed(egui::Key::F) {
        fit(cx);
    }
    for (view, key) in [egui::Key::Num1, egui::Key::Num2, egui::Key::Num3]
        .into_iter()
        .enumerate()
    {
        if pressed(key) {
            preset(&mut cx.state.camera, view);
            fit(cx);
        }
    }
}
