//! The command palette: every command with its key, every colour and curve, and every scene, found by typing any part of it.
//!
//! It works by the keyboard alone: arrows choose, Enter runs, Escape closes. A click beside it closes it, too. Without a word typed it is the list of all keys.

mod entry;
pub mod scene_titles;

use egui::{Align2, Button, Key, Modifiers, Role, Ui, WidgetInfo};

use super::context::Context;
use crate::style;
use entry::{Entry, matching_entries, present_choices};

/// Width of the palette, points.
const WIDTH: f32 = 560.0;

/// Largest height of the list, points.
const MAX_LIST_HEIGHT: f32 = 640.0;

/// Shows the palette over everything, if it is open.
pub fn show(ui: &Ui, cx: &mut Context<'_>) {
    if !cx.state.palette.open {
        return;
    }
    let screen = ui.ctx().content_rect();
    let width = WIDTH.min(screen.width() - 48.0);
    let mut open = true;
    let window = egui::Window::new("Commands and keys")
        .open(&mut open)
        .anchor(Align2::CENTER_TOP, egui::vec2(0.0, 60.0))
        .order(egui::Order::Foreground)
        .resizable(false)
        .collapsible(false)
        .show(ui.ctx(), |ui| {
            ui.set_width(width);
            content(ui, cx, screen.height());
        });
    let palette = &mut cx.state.palette;
    let is_left = window.is_some_and(|window| window.response.clicked_elsewhere());
    palette.open &= open && !(is_left && palette.was_shown);
    palette.was_shown = palette.open;
}

fn content(ui: &mut Ui, cx: &mut Context<'_>, height: f32) {
    let key = |ui: &Ui, key: Key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
    if key(ui, Key::Escape) {
        cx.state.palette.toggle();
        return;
    }
    // consumed before the field reads them
    let (up, down) = (key(ui, Key::ArrowUp), key(ui, Key::ArrowDown));
    let enter = key(ui, Key::Enter);
    let field = egui::TextEdit::singleline(&mut cx.state.palette.query)
        .hint_text("type a part of a command or scene")
        .desired_width(f32::INFINITY);
    let field = ui.add(field);
    if field.changed() {
        cx.state.palette.chosen = 0;
    }
    field.request_focus();
    let (query, recent) = (&cx.state.palette.query, cx.state.recent.files());
    let entries = matching_entries(query, recent, present_choices(cx));
    let last = entries.len().saturating_sub(1);
    let chosen = cx.state.palette.chosen.min(last);
    let chosen = match (up, down) {
        (true, _) => chosen.checked_sub(1).unwrap_or(last),
        (_, true) => (chosen + 1) % entries.len().max(1),
        _ => chosen,
    };
    cx.state.palette.chosen = chosen;
    if entries.is_empty() {
        ui.label(style::secondary(ui, "no command or scene has these words"));
    }
    let list = (height - 200.0).clamp(120.0, MAX_LIST_HEIGHT);
    let mut run = enter.then_some(chosen);
    egui::ScrollArea::vertical()
        .max_height(list)
        .min_scrolled_height(list)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            for (k, entry) in entries.iter().enumerate() {
                let refused = entry.refused(cx);
                let line = line(ui, entry, k == chosen, refused);
                if k == chosen && (up || down) {
                    line.scroll_to_me(None);
                }
                if line.clicked() {
                    run = Some(k);
                }
            }
        });
    if let Some(entry) = run.and_then(|k| entries.get(k))
        && entry.refused(cx).is_none()
    {
        cx.state.palette.toggle();
        entry.run(ui.ctx(), cx);
    }
}

fn line(ui: &mut Ui, entry: &Entry, chosen: bool, refused: Option<&str>) -> egui::Response {
    let about = refused.unwrap_or(entry.about);
    let button = Button::selectable(chosen, &entry.name)
        .shortcut_text(entry.keys())
        .min_size(egui::vec2(ui.available_width(), 0.0));
    let enabled = refused.is_none();
    let line = ui.add_enabled(enabled, button);
    // the name for screen readers: without it, they would read the key too
    line.widget_info(|| WidgetInfo::selected(Role::Button, enabled, chosen, &entry.name));
    if !about.is_empty() {
        ui.indent(("about", &entry.name), |ui| {
            ui.label(style::small(ui, about));
        });
    }
    line
}
