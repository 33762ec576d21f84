//! The menu of what can be saved: pictures of the window, animations of the panes, and the scene with what was done.

use egui::containers::menu::MenuButton;
use egui::{Button, RichText, Role, Ui, WidgetInfo, vec2};

use super::menu::scrolled;
use super::open::stays_open;
use super::width;
use crate::panels::Context;
use crate::panels::commands::{
    MARK_BEGINNING, MARK_END, MARKED_PART, MARKED_PART_AS_PNG, NEXT_SECONDS, NEXT_SECONDS_AS_PNG,
    PANES, REMOVE_MARKS, SAVE_SCENE, WINDOW, WindowCommand,
};
use crate::state::{DURATION_RANGE, Pictures};
use crate::style;

/// Width of its button, which stops a recording too: as wide for both words, so that nothing jumps, points.
pub fn width(ui: &Ui) -> f32 {
    width::button(ui, "Save").max(width::button(ui, "Stop"))
}

/// The menu.
pub fn menu(ui: &mut Ui, cx: &mut Context<'_>) {
    let size = vec2(width(ui), 0.0);
    if cx.state.pictures.recording.is_some() {
        let text = RichText::new("Stop").color(ui.visuals().error_fg_color);
        let stop = NEXT_SECONDS.button(ui, cx, Button::new(text).min_size(size));
        stop.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Stop recording"));
        return;
    }
    let hint = "pictures, animations, and the scene with the recorded input";
    let button = Button::new("Save").min_size(size);
    let menu = MenuButton::from_button(button).config(stays_open());
    let (button, _) = menu.ui(ui, |ui| scrolled(ui, |ui| entries(ui, cx)));
    button.on_hover_text(hint);
}

fn entries(ui: &mut Ui, cx: &mut Context<'_>) {
    ui.set_min_width(270.0);
    entry(ui, cx, &WINDOW, WINDOW.name);
    entry(ui, cx, &PANES, PANES.name);
    ui.separator();
    let seconds = cx.state.pictures.seconds;
    let next = format!("Next {seconds:.0} s of the panes as GIF");
    entry(ui, cx, &NEXT_SECONDS, &next);
    let next = format!("Next {seconds:.0} s of the panes as PNG sequence");
    entry(ui, cx, &NEXT_SECONDS_AS_PNG, &next);
    ui.horizontal(|ui| {
        let name = ui.label(style::small(ui, "Length"));
        let field = egui::DragValue::new(&mut cx.state.pictures.seconds)
            .range(DURATION_RANGE)
            .max_decimals(0)
            .speed(0.1)
            .suffix(" s");
        let hint = format!(
            "of an animation of the next seconds\nfrom {} to {} s\ndefault: {} s",
            DURATION_RANGE.start(),
            DURATION_RANGE.end(),
            Pictures::default().seconds
        );
        ui.add(field).labelled_by(name.id).on_hover_text(hint);
    });
    ui.separator();
    entry(ui, cx, &MARKED_PART, "Marked part of the panes as GIF");
    let marked = "Marked part of the panes as PNG sequence";
    entry(ui, cx, &MARKED_PART_AS_PNG, marked);
    for (command, name) in [
        (&MARK_BEGINNING, "Mark the beginning"),
        (&MARK_END, "Mark the end"),
        (&REMOVE_MARKS, REMOVE_MARKS.name),
    ] {
        let button = Button::new(name).shortcut_text(command.keys_text());
        command.button(ui, cx, button);
    }
    ui.separator();
    entry(ui, cx, &SAVE_SCENE, "Scene with the recorded input");
    ui.separator();
    ui.label(style::small(
        ui,
        "Each is saved under a new name in the current folder.",
    ));
}

fn entry(ui: &mut Ui, cx: &mut Context<'_>, command: &WindowCommand, name: &str) {
    let button = Button::new(name).shortcut_text(command.keys_text());
    if command.button(ui, cx, button).clicked() {
        ui.close();
    }
}
