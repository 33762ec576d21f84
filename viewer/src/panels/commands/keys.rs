//! Runs the commands whose keys are pressed.

use std::time::Duration;

use egui::{Align2, Area, Frame, Id, Key, Label, Order, Ui, Vec2};

use super::all;
use super::shortcut::Shortcut;
use crate::panels::context::Context;

/// How long the reason is shown for which a key did nothing, s.
const REASON_TIME: f64 = 3.0;
/// Distance of that reason from the top of the window, points.
const REASON_TOP: f32 = 110.0;

/// Keys that work everywhere; letters not while somebody writes into a text field. A command that cannot be run now says why.
pub fn read(ui: &Ui, cx: &mut Context<'_>) {
    let writing = ui.ctx().egui_wants_keyboard_input();
    for command in all() {
        // what is typed right behind the key of the palette is meant for it
        if cx.state.palette.open && !writing {
            break;
        }
        if !command.keys().any(|key| key.is_pressed(ui, writing)) {
            continue;
        }
        // escape closes other things, too
        let is_escape = command.keys().any(|key| *key == Shortcut::of(Key::Escape));
        match (command.refused)(cx) {
            None => (command.run)(ui.ctx(), cx),
            Some(reason) if !is_escape => {
                let until = ui.input(|i| i.time) + REASON_TIME;
                let (id, shown) = (reason_id(), (format!("{}: {reason}", command.name), until));
                ui.data_mut(|data| data.insert_temp(id, shown));
            }
            Some(_) => {}
        }
    }
    show_reason(ui);
}

fn reason_id() -> Id {
    Id::unique("reason for which a key did nothing")
}

/// Shows over everything why the last key did nothing, for some seconds.
fn show_reason(ui: &Ui) {
    let id = reason_id();
    let shown: Option<(String, f64)> = ui.data(|data| data.get_temp(id));
    let Some((text, until)) = shown else {
        return;
    };
    let left = until - ui.input(|i| i.time);
    if left <= 0.0 {
        return;
    }
    Area::new(id)
        .order(Order::Foreground)
        .anchor(Align2::CENTER_TOP, Vec2::new(0.0, REASON_TOP))
        .interactable(false)
        .show(ui.ctx(), |ui| {
            Frame::popup(ui.style()).show(ui, |ui| ui.add(Label::new(text).extend()));
        });
    ui.ctx()
        .request_repaint_after(Duration::from_secs_f64(left));
}
