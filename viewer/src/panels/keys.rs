//! Keys, and what they share with buttons.

use egui::Ui;
use pliant_simulation::command::Command;

use super::bars::pictures;
use super::context::Context;
use crate::input::camera::preset;
use crate::input::hand::HandMode;
use crate::state::{PictureRequest, next_shown, shown};

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
    if pressed(egui::Key::ArrowLeft) || pressed(egui::Key::Comma) {
        cx.commands.push(Command::StepBack);
    }
    if pressed(egui::Key::Home) {
        cx.commands.push(Command::Seek(cx.snapshot.timeline.first));
    }
    if pressed(egui::Key::L) {
        cx.commands.push(Command::Loop(!cx.snapshot.timeline.loops));
    }
    undo_keys(ui, cx);
    picture_keys(ui, cx);
    let first = shown(cx.snapshot)
        .first()
        .map(|k| cx.snapshot.panes[*k].method);
    if pressed(egui::Key::M) {
        cx.state.alone = cx.state.alone.map_or(first, |_| None);
    }
    if pressed(egui::Key::X) {
        // the same place and the same camera: a difference flickers
        let next = |method| next_shown(cx.snapshot, method);
        cx.state.alone = cx.state.alone.map_or(first, next);
    }
    if pressed(egui::Key::O) {
        let next = cx
            .state
            .overlay
            .map_or(first, |m| next_shown(cx.snapshot, m));
        // after the last one comes none
        let is_over = cx.state.overlay.is_some() && next == first;
        cx.state.overlay = next.filter(|_| !is_over);
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
    let setup = cx.snapshot.setup.as_ref();
    if pressed(egui::Key::C) && setup.is_some_and(|s| HandMode::Cut.is_possible(s)) {
        cx.state.hand_mode = match cx.state.hand_mode {
            HandMode::Cut => HandMode::Grab,
            _ => HandMode::Cut,
        };
    }
    if pressed(egui::Key::W) {
        cx.state.wireframe = !cx.state.wireframe;
    }
    if pressed(egui::Key::A) {
        cx.state.advice.open = !cx.state.advice.open;
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

/// P and V take pictures and animations; brackets mark a part of the timeline.
fn picture_keys(ui: &Ui, cx: &mut Context<'_>) {
    let pressed = |key: egui::Key, shift: bool| {
        ui.input(|i| {
            let modifiers = &i.modifiers;
            i.key_pressed(key) && !modifiers.command && !modifiers.alt && modifiers.shift == shift
        })
    };
    for (key, shift, request) in [
        (egui::Key::P, false, PictureRequest::Window),
        (egui::Key::P, true, PictureRequest::Panes),
        (egui::Key::V, false, PictureRequest::Next),
        (egui::Key::V, true, PictureRequest::Marked),
    ] {
        if pressed(key, shift) {
            let stops = key == egui::Key::V && cx.state.pictures.recording.is_some();
            if stops {
                cx.state.pictures.request = Some(PictureRequest::Stop);
            } else if pictures::can(cx, request) {
                cx.state.pictures.request = Some(request);
            }
        }
    }
    let now = cx.snapshot.timeline.now;
    for (end, key) in [egui::Key::OpenBracket, egui::Key::CloseBracket]
        .into_iter()
        .enumerate()
    {
        if pressed(key, false) {
            cx.state.pictures.mark(end, now);
        }
    }
}

/// Ctrl+Z takes the last change of a parameter back; with shift it is made again.
fn undo_keys(ui: &Ui, cx: &mut Context<'_>) {
    let pressed = |modifiers: egui::Modifiers, key: egui::Key| {
        ui.input_mut(|i| i.consume_key(modifiers, key))
    };
    let command = egui::Modifiers::COMMAND;
    // the one with more modifiers first: the other one would take it
    let again =
        pressed(command | egui::Modifiers::SHIFT, egui::Key::Z) || pressed(command, egui::Key::Y);
    let back = !again && pressed(command, egui::Key::Z);
    let edits = &mut cx.state.edits;
    if again {
        cx.commands.extend(edits.redo());
    } else if back {
        cx.commands.extend(edits.undo());
    }
}
