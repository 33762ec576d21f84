//! Runs the commands whose keys are pressed.

use egui::Ui;

use super::all;
use crate::panels::context::Context;

/// Keys that work everywhere; letters not while somebody writes into a text field.
pub fn read(ui: &Ui, cx: &mut Context<'_>) {
    let writing = ui.ctx().egui_wants_keyboard_input();
    for command in all() {
        // what is typed right behind the key of the palette is meant for it
        if cx.state.palette.open && !writing {
            break;
        }
        let pressed = command.keys().any(|key| key.is_pressed(ui, writing));
        if pressed && (command.refused)(cx).is_none() {
            (command.run)(ui.ctx(), cx);
        }
    }
}
